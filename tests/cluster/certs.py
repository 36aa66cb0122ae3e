"""Keys and certificates of one cluster, by openssl: one authority signs everything."""
import base64
import json
import subprocess
import time


class Authority:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.certificate = folder / "ca.crt"
        self.key = folder / "ca.key"
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                     "-nodes", "-days", "2", "-subj", "/CN=test-cluster", "-keyout", self.key,
                     "-out", self.certificate)

    @staticmethod
    def openssl(*arguments, **options):
        return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True,
                              **options).stdout

    def issue(self, name, subject, addresses=()):
        """A certificate for servers and clients alike: (certificate, key)."""
        certificate, key = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        lines = ["extendedKeyUsage=serverAuth,clientAuth"]
        if addresses:
            lines.append("subjectAltName=" + ",".join(addresses))
        extensions.write_text("\n".join(lines) + "\n")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                     "-subj", subject, "-keyout", key, "-out", request)
        self.openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key,
                     "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", certificate)
        return certificate, key

    def signing_key(self, name):
        """An RSA key, as service account tokens are signed with."""
        key = self.folder / f"{name}.key"
        self.openssl("genrsa", "-out", key, "2048")
        return key


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def service_account_token(key, issuer, namespace, name, uid, lives_for):
    """A token as the API server mints it (RFC 7519, RS256); `lives_for` seconds may be negative."""
    now = int(time.time())
    claims = {"iss": issuer, "aud": [issuer], "sub": f"system:serviceaccount:{namespace}:{name}",
              "iat": now - 7200, "nbf": now - 7200, "exp": now + lives_for,
              "kubernetes.io": {"namespace": namespace, "serviceaccount": {"name": name, "uid": uid}}}
    head = encoded(json.dumps({"alg": "RS256", "typ": "JWT"}).encode())
    unsigned = f"{head}.{encoded(json.dumps(claims).encode())}"
    signature = Authority.openssl("dgst", "-sha256", "-sign", key, input=unsigned.encode())
    return f"{unsigned}.{encoded(signature)}"
