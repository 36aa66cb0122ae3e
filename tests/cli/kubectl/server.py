"""Loopback API servers that remember who asked what, for tests that compare two clients.

Three of them listen: `a` and `b` speak TLS and are trusted by the same CA, `p` speaks plain HTTP. Two
proxies carry CONNECTs to them: `x` speaks plain HTTP, `y` TLS.
"""
import base64
import http.server
import json
import pathlib
import socket
import socketserver
import ssl
import subprocess
import threading

NAMES = "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost,DNS:api.test"
DISCOVERY = {
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
        {"name": "pods", "singularName": "pod", "namespaced": True, "kind": "Pod", "verbs": ["get", "list"]}]},
}


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Certificates:
    """A CA, and in `folder` what it has signed: server, client `cn=file-user`, client `cn=flag-user`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.ca = self.folder / "ca.crt"
        self._new_key("ca")
        openssl("req", "-x509", "-new", "-key", self.key("ca"), "-subj", "/CN=test-ca", "-days", 2, "-out", self.ca)
        self._sign("server", "/CN=server", NAMES)
        self._sign("file-user", "/CN=file-user/O=team", "extendedKeyUsage=clientAuth")
        self._sign("flag-user", "/CN=flag-user/O=team", "extendedKeyUsage=clientAuth")

    def key(self, name):
        return self.folder / f"{name}.key"

    def certificate(self, name):
        return self.folder / f"{name}.crt"

    def data(self, path):
        return base64.b64encode(pathlib.Path(path).read_bytes()).decode()

    def _new_key(self, name):
        openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", self.key(name))

    def _sign(self, name, subject, extension):
        self._new_key(name)
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extensions.write_text(extension + "\n")
        openssl("req", "-new", "-key", self.key(name), "-subj", subject, "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self.key("ca"), "-CAcreateserial",
                "-days", 2, "-extfile", extensions, "-out", self.certificate(name))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        self.common_name = ""
        if isinstance(self.connection, ssl.SSLSocket):
            subject = (self.connection.getpeercert() or {}).get("subject", ())
            self.common_name = dict(pair for part in subject for pair in part).get("commonName", "")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.seen.append(self._identity(path))
        answer = next((body for end, body in self.server.answers.items() if path.endswith(end)), None)
        if answer is None and path.endswith("/pods"):
            answer = (200, {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": []})
        elif answer is None:
            known = [path.endswith(name) and DISCOVERY[name] for name in ("/api/v1", "/apis", "/api")]
            found = next(filter(None, known), None)
            answer = (200, found) if found else (404, {"kind": "Status", "apiVersion": "v1", "status": "Failure",
                                                       "reason": "NotFound", "message": "not here", "code": 404})
        body = json.dumps(answer[1]).encode()
        self.send_response(answer[0])
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _identity(self, path):
        headers = self.headers
        return {
            "server": self.server.label,
            "path": path,
            "authorization": headers.get("Authorization", ""),
            "impersonate": sorted((name.lower(), value) for name, value in headers.items()
                                  if name.lower().startswith("impersonate")),
            "certificate": self.common_name,
            "sni": getattr(self.connection, "asked_name", "") or "",
            "host": headers.get("Host", "").replace(str(self.server.server_port), "PORT"),
            "compressed": "gzip" in headers.get("Accept-Encoding", ""),
        }


def tls_context(certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.certificate("server"), certificates.key("server"))
    return context


def copy(source, target):
    """Until the source has no more."""
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # either side has hung up


class Tunnel(socketserver.BaseRequestHandler):
    """One CONNECT, and the bytes after it."""

    def handle(self):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.request.recv(4096)
            if not piece:
                return
            head += piece
        lines = head.decode("latin-1").split("\r\n")
        host, port = lines[0].split(" ")[1].rsplit(":", 1)
        fields = sorted(line for line in lines[1:] if line.lower().startswith(("proxy-auth", "authorization", "imp")))
        self.server.seen.append([self.server.label, host, *fields])
        with socket.create_connection((host, int(port)), timeout=20) as server:
            self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=copy, args=(server, self.request), daemon=True)
            back.start()
            copy(self.request, server)
            back.join(timeout=20)


class Proxy(socketserver.ThreadingTCPServer):
    """An HTTP proxy; `seen` is who asked it for what, with the fields that prove an identity."""

    daemon_threads = True

    def __init__(self, label, certificates=None):
        super().__init__(("127.0.0.1", 0), Tunnel)
        self.label, self.seen = label, []
        self.server_port = self.server_address[1]
        if certificates:
            self.socket = tls_context(certificates).wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # a client that does not trust us hangs up

    def clear(self):
        self.seen = []


class Server(http.server.ThreadingHTTPServer):
    """One of them; `seen` is what was asked, `answers` maps the end of a path to (code, document)."""

    daemon_threads = True

    def __init__(self, label, certificates=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.label, self.seen, self.answers = label, [], {}
        if certificates:
            context = tls_context(certificates)
            context.load_verify_locations(certificates.ca)
            context.verify_mode = ssl.CERT_OPTIONAL
            context.sni_callback = self._note_name
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @staticmethod
    def _note_name(connection, name, _):
        connection.asked_name = name

    def handle_error(self, *_):
        pass  # a client that does not trust us hangs up

    def clear(self):
        self.seen, self.answers = [], {}
