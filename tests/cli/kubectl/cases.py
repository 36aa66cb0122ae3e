"""Kubeconfig files and flags on which stock kubectl and the plugin are compared.

`@A@`, `@B@` and `@P@` are the servers (TLS, TLS, plain), `@X@` and `@Y@` host and port of the proxies
(plain, TLS), `@DIR@` the folder of the case, and
`@<name>.crt@` or `@<name>.key@` a file in base64. A case whose two clients must differ names the
row of docs/deviations.md that says so; one that only some versions of kubectl can do says since
which minor version.
"""
import dataclasses


@dataclasses.dataclass
class Case:
    name: str
    config: str = None            # text of ./config, the default kubeconfig
    flags: str = ""               # words for both clients
    files: dict = dataclasses.field(default_factory=dict)
    env: dict = dataclasses.field(default_factory=dict)
    answers: dict = dataclasses.field(default_factory=dict)
    differs: str = ""             # row of docs/deviations.md
    differs_before: int = 99      # kubectl's minor version from which on it agrees
    since: int = 0                # kubectl's minor version that knows the flags


CLUSTER = "server: '@A@', certificate-authority: ca.crt"
CONTEXT = "cluster: c, user: u, namespace: ns1"


def config(cluster=CLUSTER, user="token: t", context=CONTEXT, top="current-context: x", more=""):
    return (f"apiVersion: v1\nkind: Config\n{top}\ncontexts: [{{name: x, context: {{{context}}}}}]\n"
            f"clusters: [{{name: c, cluster: {{{cluster}}}}}]\nusers: [{{name: u, user: {{{user}}}}}]\n{more}")


def list_of(name, entry):
    return f"{name}s:\n- name: w\n  {name}: {{{entry}}}\n"


GOOD = config()
JSON = ('{"apiVersion":"v1","kind":"Config","current-context":"x","contexts":[{"name":"x","context":{"cluster":"c",'
        '"user":"u","namespace":"ns1"}}],"clusters":[{"name":"c","cluster":{"server":"@A@",'
        '"certificate-authority":"ca.crt"}}],"users":[{"name":"u","user":{"token":"t"}}]}')
CERTIFICATE = "client-certificate: file-user.crt, client-key: file-user.key"
CERTIFICATE_DATA = "client-certificate-data: '@file-user.crt@', client-key-data: '@file-user.key@'"
FLAG_CERTIFICATE = "--client-certificate @DIR@/flag-user.crt --client-key @DIR@/flag-user.key"
PLUGIN = "exec: {command: ./login, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never%s}"
LOGIN = """#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"of-plugin"}}'
"""
LOGIN_FAILS = "#!/bin/sh\nexit 73\n"
LOGIN_OLD = """#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"t"}}'
"""
LOGIN_TELLS = """#!/bin/sh
token=$(printf %s "$KUBERNETES_EXEC_INFO" | tr '{}"' '()_')
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"%s"}}' "$token"
"""
# A JWT that is good until 2100, signed by nobody.
ID_TOKEN = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.eA"
OIDC = "auth-provider: {name: oidc, config: {idp-issuer-url: 'https://i', client-id: c, id-token: " + ID_TOKEN + "}}"
LOGIN_EMPTY = """#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}}'
"""
BLOCK = "clusters:\n- name: c\n  cluster:\n    server: '@A@'\n    certificate-authority-data: |\n%s\n"
REST = "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: t}}]\n"


def status(code, reason):
    return {"/pods": (code, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason,
                             "message": f"pods is {reason}", "code": code})}


PARSING = [
    Case("KP1 of several documents the first is used", GOOD + "---\ncurrent-context: nope\n"),
    Case("KP2 a leading document mark", "---\n" + GOOD),
    Case("KP2 a byte order mark", "\ufeff" + GOOD),
    Case("KP2 CR LF", GOOD.replace("\n", "\r\n")),
    Case("KP2 JSON", JSON),
    Case("KP3 an empty file", "", differs="C9"),
    Case("KP3 a file of comments", "# nothing\n \n", differs="C9"),
    Case("KP4 broken YAML", "clusters: [\n"),
    Case("KP4 broken YAML in the second line", "apiVersion: v1\n  kind: Config\n"),
    Case("KP5 a scalar", "bogus value\n"),
    Case("KP5 a list", "[1, 2]\n"),
    Case("KP6 no kind", GOOD.replace("kind: Config\n", "").replace("apiVersion: v1\n", "")),
    Case("KP7 another kind", GOOD.replace("kind: Config", "kind: Pod")),
    Case("KP7 another version", GOOD.replace("apiVersion: v1", "apiVersion: v2")),
    Case("KP8 null for a map", "extensions: null\npreferences: ~\n" + GOOD),
    Case("KP9 unknown fields", config(cluster=CLUSTER + ", colour: red", more="unknown: {a: [1]}\n")),
    Case("KP10 keys in the wrong case", GOOD.replace("token: t", "token: t, Token: other") + "Current-Context: nope\n"),
    Case("KP11 the last of duplicate keys", config(user="token: first, token: last")),
    Case("KP12 an extension twice", GOOD + "extensions: [{name: e, extension: {}}, {name: e}]\n"),
    Case("KP12 an extension without content twice", GOOD + "extensions: [{name: e}, {name: e}]\n"),
    Case("KP12 a cluster twice", GOOD.replace("clusters: [", "clusters: [{name: c, cluster: {}}, ")),
    Case("KP13 a number for a text", config(user="token: 12345")),
    Case("KP13 a number for a namespace", config(context="cluster: c, user: u, namespace: 7")),
    Case("KP14 yes", config(cluster="server: '@A@', insecure-skip-tls-verify: yes")),
    Case("KP14 a quoted true", config(cluster="server: '@A@', insecure-skip-tls-verify: \"true\"")),
    Case("KP15 a directory", GOOD, "--kubeconfig @DIR@"),
    Case("KP16 line ends in base64", BLOCK % "      @ca.crt:folded@" + REST),
    Case("KP17 a space in base64", config(cluster="server: '@A@', certificate-authority-data: '@ca.crt@ '")),
    Case("KP17 no padding", config(cluster="server: '@A@', certificate-authority-data: 'Q0E'")),
    Case("KP17 bad base64 in an entry that nobody uses",
         GOOD.replace("users: [", "users: [{name: v, user: {client-key-data: '?'}}, ")),
    Case("KP18 data that is no PEM", config(cluster="server: '@A@', certificate-authority-data: 'Q0E='")),
    Case("KP19 empty data means the system's roots", config(cluster="server: '@A@', certificate-authority-data: ''")),
    Case("KP20 data tagged as binary", config(cluster="server: '@A@', certificate-authority-data: !!binary '@ca.crt@'")),
    Case("KP21 merge key and anchor", "x: &b {server: 'https://127.0.0.1:1', certificate-authority: ca.crt}\n"
         + config(cluster="<<: *b, server: '@A@'")),
]

FILES = [
    Case("L1 the named file is missing", GOOD, "--kubeconfig @DIR@/bogus"),
    Case("L2 all files of the list are missing", env={"KUBECONFIG": "@DIR@/bogus1:@DIR@/bogus2"}, differs="C9"),
    Case("L4 the flag beats the variable", GOOD, "--kubeconfig @DIR@/other",
         files={"other": config(user="token: of-other")}),
    Case("L6 a context twice", GOOD.replace("contexts: [", "contexts: [{name: x, context: {}}, ")),
    Case("L8 paths are relative to their own file", GOOD, env={"KUBECONFIG": "@DIR@/sub/config"},
         files={"sub/config": config(cluster="server: '@A@', certificate-authority: ../ca.crt",
                                     user="tokenFile: ../token"), "token": " of-file\n"}),
    Case("L11 entries are taken whole from the first file", env={"KUBECONFIG": "@DIR@/one:@DIR@/two"},
         files={"one": "users: [{name: u, user: {token: first}}]\n",
                "two": config(user="token: second, as: nobody")}),
    Case("L11 the current context of a later file", env={"KUBECONFIG": "@DIR@/one:@DIR@/two"},
         files={"one": config(top="").replace("current-context", "x"), "two": "current-context: x\n"}),
    Case("L12 the parts in four files", env={"KUBECONFIG": "@DIR@/1:@DIR@/2:@DIR@/3:@DIR@/4"},
         files={"1": "current-context: x\n", "2": "contexts: [{name: x, context: {cluster: c, user: u}}]\n",
                "3": f"clusters: [{{name: c, cluster: {{{CLUSTER}}}}}]\n",
                "4": "users: [{name: u, user: {token: t}}]\n"}),
    Case("L13 empty and repeated items of the list", env={"KUBECONFIG": ":@DIR@/one::@DIR@/one:@DIR@/gone:@DIR@/two"},
         files={"one": config(), "two": config(user="token: second")}),
    Case("L14 a broken file beside a good one", env={"KUBECONFIG": "@DIR@/one:@DIR@/two"},
         files={"one": GOOD, "two": "a: ["}),
]

RESOLUTION = [
    Case("the context of a flag is missing", GOOD, "--context nope"),
    Case("C10 the current context is missing", config(top="current-context: nope")),
    Case("the cluster of a flag is missing", GOOD, "--cluster nope"),
    Case("the user of a flag is missing", GOOD, "--user nope"),
    Case("V2 the context names a cluster that is missing", config(context="cluster: garbage, user: u"), differs="V2"),
    Case("V2 the context names a user that is missing", config(context="cluster: c, user: garbage"), differs="V2"),
    Case("V4 a context without a user", config(context="cluster: c"), differs="no prompt"),
    Case("V4 a context without a cluster", config(context="user: u"), differs="V4"),
    Case("V4 a namespace that is no label", config(context="cluster: c, user: u, namespace: A_b")),
    Case("V6 a user without anything", config(user=""), differs="no prompt"),
    Case("no context is current", config(top=""), differs="C9"),
    Case("V5 a cluster without a server", config(cluster="certificate-authority: ca.crt"), differs="V5"),
    Case("C8 a path in front, and slashes at its end",
         config(cluster="server: '@A@/k8s/clusters/c-x//', certificate-authority: ca.crt")),
    Case("IPv6 without brackets", config(cluster="server: 'https://::1:1', certificate-authority: ca.crt"),
         differs="IPv6 servers without brackets", differs_before=36),
    Case("C8 query and fragment", config(cluster="server: '@A@/p?x=1#y', certificate-authority: ca.crt")),
    Case("R1 no scheme, with a CA", config(cluster="server: '@P:bare@', certificate-authority: ca.crt")),
    Case("R1 no scheme, insecure", config(cluster="server: '@P:bare@', insecure-skip-tls-verify: true")),
    Case("R1 no scheme, with a client certificate", config(cluster="server: '@P:bare@'", user=CERTIFICATE)),
    Case("R1 no scheme, as through kubectl proxy", GOOD, "-s @P:bare@"),
    Case("a path with empty segments and dots",
         config(cluster="server: '@A@//a/../b//./c', certificate-authority: ca.crt")),
    Case("V2 a server by flag for a cluster that is missing", config(context="cluster: garbage, user: u"),
         "-s @A@ --certificate-authority @DIR@/ca.crt"),
    Case("V2 a token by flag for a user who is missing", config(context="cluster: c, user: garbage"), "--token typed"),
    Case("V2 a certificate by flag for a user who is missing", config(context="cluster: c, user: garbage"),
         FLAG_CERTIFICATE),
    Case("plain http: insecure beside a CA",
         config(cluster="server: '@P@', insecure-skip-tls-verify: true, certificate-authority: ca.crt")),
    Case("KP21 a merge key after the key that it overrides",
         "x: &b {token: base}\n" + config(user="token: own, <<: *b")),
    Case("R1 no scheme, without anything of TLS", config(cluster="server: '@P:bare@'")),
    Case("R1 no scheme, with a path", config(cluster="server: '@A:bare@/p', certificate-authority: ca.crt")),
    Case("plain http: nothing secret is sent", config(cluster="server: '@P@'", user="token: t, as: other")),
    Case("plain http: the plugin is not run", config(cluster="server: '@P@'", user=PLUGIN % ""),
         files={"login": LOGIN_FAILS}),
    Case("the namespace flag", GOOD, "-n ns2"),
    Case("O1 a prefix before the namespace", GOOD, "-n namespaces/ns2", differs="`-n namespaces/NS`"),
    Case("no namespace at all", config(context="cluster: c, user: u")),
    Case("all namespaces beat one", GOOD, "-n ns2 -A"),
    Case("an unreachable server", config(cluster="server: 'https://127.0.0.1:1', certificate-authority: ca.crt")),
    Case("a name that does not resolve", config(cluster="server: 'https://no-such-host.invalid:6443'")),
    Case("401", GOOD, answers=status(401, "Unauthorized")),
    Case("403", GOOD, answers=status(403, "Forbidden")),
]

CREDENTIALS = [
    Case("C5 name and password", config(user="username: me, password: secret")),
    Case("client certificate files", config(user=CERTIFICATE)),
    Case("C5 client certificate data", config(user=CERTIFICATE_DATA)),
    Case("C7 a token file beats a token", config(user="token: t, tokenFile: token"), files={"token": "of-file\n"}),
    Case("C7 a token stands in for a token file that is missing", config(user="token: t, tokenFile: gone")),
    Case("a token file beats the token flag", config(user="tokenFile: token"), "--token typed",
         files={"token": "of-file\n"}, differs="I18"),
    Case("the token flag beats a token", GOOD, "--token typed"),
    Case("the token flag beside a plugin", config(user=PLUGIN % ""), "--token typed", files={"login": LOGIN}),
    Case("the token flag beside a certificate", config(user=CERTIFICATE), "--token typed"),
    Case("the token flag beside name and password", config(user="username: me, password: secret"), "--token typed",
         differs="I18"),
    Case("C3 impersonation of the file",
         config(user="token: t, as: other, as-uid: '7', as-groups: [g, h], as-user-extra: {a/b: [c, d]}")),
    Case("a token with a line end", config(user='token: "a\\nb"')),
    Case("X4 a plugin that is not there", config(user=PLUGIN % ", installHint: get it")),
    Case("X4 a plugin that fails", config(user=PLUGIN % ""), files={"login": LOGIN_FAILS}),
    Case("X1 a plugin without credentials", config(user=PLUGIN % ""), files={"login": LOGIN_EMPTY}),
    Case("I19 a plugin of another version", config(user=PLUGIN % ""), files={"login": LOGIN_OLD}),
    Case("I19 a version that nobody speaks", config(user=(PLUGIN % "").replace("/v1,", "/v1alpha1,")),
         files={"login": LOGIN}),
    Case("a plugin's token", config(user=PLUGIN % ""), files={"login": LOGIN}),
    Case("X5 what a plugin is told", config(user=PLUGIN % ""), files={"login": LOGIN_TELLS}),
    Case("X5 what a plugin is told of the cluster", files={"login": LOGIN_TELLS}, config=config(
        cluster=CLUSTER + ", tls-server-name: api.test, disable-compression: true, extensions: [{name: "
        "client.authentication.k8s.io/exec, extension: {audience: foo, other: [bar, 1, true]}}]",
        user=PLUGIN % ", provideClusterInfo: true")),
    Case("X5 what a plugin is told of an insecure cluster", files={"login": LOGIN_TELLS}, config=config(
        cluster="server: '@A@', insecure-skip-tls-verify: true", user=PLUGIN % ", provideClusterInfo: true")),
    Case("X8 a plugin beside a token", config(user="token: t, " + PLUGIN % ""), files={"login": LOGIN_FAILS}),
    Case("X8 a plugin beside a certificate", config(user=CERTIFICATE + ", " + PLUGIN % ""), files={"login": LOGIN_FAILS}),
]

VALIDATION = [
    Case("V1 a bad cluster that nobody uses",
         GOOD.replace("clusters: [", "clusters: [{name: d, cluster: {certificate-authority: gone}}, ")),
    Case("V1 a CA file that is missing", config(cluster="server: '@A@', certificate-authority: gone")),
    Case("V7 certificate and key are missing", config(user="client-certificate: gone, client-key: away")),
    Case("V8 data and file of a CA", config(cluster=CLUSTER + ", certificate-authority-data: '@ca.crt@'")),
    Case("V8 data and file of a certificate", config(user=CERTIFICATE + ", " + CERTIFICATE_DATA)),
    Case("V8 token and name", config(user="token: t, username: me, password: p")),
    Case("a certificate without a key", config(user="client-certificate: file-user.crt")),
    Case("insecure with a CA", config(cluster=CLUSTER + ", insecure-skip-tls-verify: true")),
    Case("V9 a plugin without a command", config(user=(PLUGIN % "").replace("command: ./login, ", ""))),
    Case("V9 a plugin without interactiveMode", config(user=(PLUGIN % "").replace(", interactiveMode: Never", ""))),
    Case("V9 a plugin beside an auth-provider", config(user="auth-provider: {name: gcp}, " + PLUGIN % "")),
    Case("V10 groups without a user", config(user="token: t, as-groups: [g]")),
    Case("C6 a proxy of another kind", config(cluster=CLUSTER + ", proxy-url: 'socks6://127.0.0.1:1'")),
    Case("C6 a proxy without a scheme", config(cluster=CLUSTER + ", proxy-url: example.com")),
    Case("C6 a proxy that nobody runs", config(cluster=CLUSTER + ", proxy-url: 'http://127.0.0.1:1'")),
    Case("I10 a proxy", config(cluster=CLUSTER + ", proxy-url: 'http://@X@'")),
    Case("I10 a proxy with a password, which learns no token",
         config(cluster=CLUSTER + ", proxy-url: 'http://me:secret@@X@'")),
    Case("I10 a proxy that speaks TLS", config(cluster=CLUSTER + ", proxy-url: 'https://@Y@'")),
    Case("I10 a proxy that speaks TLS, trusted by nobody",
         config(cluster="server: '@A@', certificate-authority: flag-user.crt, proxy-url: 'https://@Y@'")),
    Case("I10 a proxy that speaks TLS, insecure",
         config(cluster="server: '@A@', insecure-skip-tls-verify: true, proxy-url: 'https://@Y@'")),
    Case("I12 a TLS name through a proxy",
         config(cluster=CLUSTER + ", tls-server-name: api.test, proxy-url: 'http://@X@'")),
    Case("a proxy of the environment is not for loopback", GOOD, env={"HTTPS_PROXY": "http://@X@"}),
    Case("auth-provider oidc", config(user=OIDC), differs="`auth-provider: oidc`"),
    Case("auth-provider gcp", config(user="auth-provider: {name: gcp}")),
    Case("auth-provider of nobody", config(user="auth-provider: {name: foo}")),
]

FLAGS = [
    Case("another server", GOOD, "--server @B@"),
    Case("another server has its own TLS name", config(cluster=CLUSTER + ", tls-server-name: other.test"), "-s @B@"),
    Case("C1 a TLS name", GOOD, "--tls-server-name api.test"),
    Case("a TLS name that the certificate does not have", GOOD, "--tls-server-name other.test"),
    Case("C2 insecure clears the CA", GOOD, "--insecure-skip-tls-verify"),
    Case("an insecure that is false undoes nothing", config(cluster="server: '@A@', insecure-skip-tls-verify: true"),
         "--insecure-skip-tls-verify=false"),
    Case("C2 another CA", config(cluster="server: '@A@', certificate-authority-data: '@server.crt@'"),
         "--certificate-authority @DIR@/ca.crt"),
    Case("a CA that did not sign the server", config(cluster="server: '@A@', certificate-authority: flag-user.crt")),
    Case("C15 certificate flags over files", config(user=CERTIFICATE), FLAG_CERTIFICATE),
    Case("C15 certificate flags over data", config(user=CERTIFICATE_DATA), FLAG_CERTIFICATE,
         differs="C15", differs_before=35),
    Case("another user", GOOD + "", "--user w", files={}, env={"KUBECONFIG": "@DIR@/config:@DIR@/more"}),
    Case("another context, whole", GOOD, "--context z", env={"KUBECONFIG": "@DIR@/config:@DIR@/more"}),
    Case("another cluster for this context", GOOD, "--cluster w", env={"KUBECONFIG": "@DIR@/config:@DIR@/more"}),
    Case("impersonation", GOOD, "--as other --as-group g --as-group h --as-uid 7"),
    Case("C16 flags of impersonation replace groups, and keep what is not named",
         config(user="token: t, as: one, as-groups: [g, h], as-user-extra: {k: [v]}"), "--as-group i"),
    Case("C16 an empty flag changes nothing", config(user="token: t, as: one"), "--as '' --tls-server-name '' --token ''"),
    Case("C16 an empty timeout, namespace and kubeconfig", GOOD, "--request-timeout= --namespace= --kubeconfig="),
    Case("C16 extras are merged by key", config(user="token: t, as: one, as-user-extra: {k: [v], l: [w]}"),
         "--as-user-extra k=x", since=35),
    Case("V10 a group without a user, by flag", GOOD, "--as-group g"),
    Case("a timeout in seconds", GOOD, "--request-timeout 30"),
    Case("a timeout as a duration", GOOD, "--request-timeout 1m30s"),
    Case("a timeout that is none", GOOD, "--request-timeout soon"),
    Case("C1 no compression", GOOD, "--disable-compression"),
    Case("a server without any kubeconfig", flags="--server @A@ --certificate-authority @DIR@/ca.crt --token t -n ns1"),
    Case("C9 nothing at all", differs="C9"),
    Case("KUBERNETES_MASTER", env={"KUBERNETES_MASTER": "@P@"}),
]

# Where we differ, and nobody would tell us otherwise.
DIFFERENCES = [
    Case("YAML of another version", "%YAML 1.2\n---\n" + GOOD, differs="YAML that Go refuses"),
    Case("a key that is null", GOOD + "~: x\n", differs="YAML that Go refuses"),
    Case("a key that is a list", GOOD + "? [a]\n: b\n", differs="YAML that Go refuses"),
    Case("a tag against its value", config(user="token: !!int '7'"), differs="YAML that Go refuses"),
    Case("a merge key of a text", config(user="token: t, <<: 5"), differs="YAML that Go refuses"),
    Case("a slash escaped in JSON", JSON.replace('"t"', '"a\\/b"'), differs="YAML that Go refuses"),
    Case("words behind a plugin's credential", config(user=PLUGIN % ""), files={"login": LOGIN + "echo more\n"},
         differs="words behind a plugin's credential"),
    Case("name and password in a server's URL", config(cluster="server: 'https://me:secret@@A:bare@', "
         "certificate-authority: ca.crt"), differs="name and password in a server's URL"),
    Case("a slash escaped in a server's path", config(cluster="server: '@A@/a%2Fb', certificate-authority: ca.crt"),
         differs="a slash escaped in a server's path"),
    Case("V4 a context without a name", GOOD.replace("name: x,", "name: '',").replace("context: x", "context: ''"),
         differs="V4"),
    Case("V7 files that are missing, over plain http",
         config(cluster="server: '@P@'", user="client-certificate: gone, client-key: away"),
         differs="certificates over plain http"),
    Case("a CA file without content", config(cluster="server: '@A@', certificate-authority: empty"),
         files={"empty": ""}, differs="a CA file without content"),
    Case("a group without a name", config(user="token: t, as: o, as-groups: ['']"), differs="a group without a name"),
    Case("C6 socks5h", config(cluster=CLUSTER + ", proxy-url: 'socks5h://127.0.0.1:1'"), differs="`socks5h://`"),
    Case("a negative timeout", GOOD, "--request-timeout=-1s", differs="`--request-timeout` below 0"),
    Case("a namespace with a slash", GOOD, "-n a/b", differs="a namespace with a slash"),
]

MORE = (list_of("cluster", "server: '@B@', certificate-authority: ca.crt") + list_of("user", "token: of-w")
        + "contexts: [{name: z, context: {cluster: w, user: w, namespace: ns3}}]\n")
ALL = PARSING + FILES + RESOLUTION + CREDENTIALS + VALIDATION + FLAGS + DIFFERENCES
for case in ALL:
    if "@DIR@/more" in case.env.get("KUBECONFIG", ""):
        case.files["more"] = MORE
