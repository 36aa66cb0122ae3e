#!/usr/bin/env python3
"""Stock kubectl and the plugin, given the same kubeconfig files and flags, reach the same server as the
same user in the same namespace, or fail in the same class of error. Where they differ on purpose, the
difference is a row of docs/deviations.md.

usage: differential_test.py --plugin FILE --deviations FILE [PART OF A CASE'S NAME...]
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import cases
from server import Certificates, Proxy, Server

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import stock_kubectl as stock  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
FEWEST_FILES = 40

# Classes of error, by the words of either client; the first that matches is it.
CLASSES = [
    ("prompt", r"Please enter Username|^error: EOF$"),
    ("plugin", r"getting credentials|exec plugin"),
    ("context", r"context \"[^\"]*\" does not exist|context was not found for specified context"),
    ("cluster", r"no server found for cluster|cluster was not specified|cluster \"[^\"]*\" was not found for context"),
    ("user", r"auth info \"[^\"]*\" does not exist|user \"[^\"]*\" was not found for context"),
    ("PEM", r"unable to parse bytes as PEM|unable to load root certificates"),
    ("unreadable", r"unable to read (certificate-authority|client-cert|client-key)"),
    ("header", r"invalid header field value"),
    ("proxy-url", r"invalid 'proxy-url'"),
    ("root with insecure", r"root certificates file with the insecure flag"),
    ("provider", r"auth plugin has been removed|[nN]o Auth Provider found"),
    ("invalid", r"Error in configuration|invalid configuration|are both specified for|must be specified for"
                r"|more than one authentication method|without impersonating a user|authProvider cannot be"),
    ("file", r"error loading config file|[Nn]o such file or directory|is a directory|couldn't get version/kind"),
    ("timeout flag", r"Invalid timeout value|invalid --request-timeout|Timeout must be a single integer"),
    ("URL", r"must be a URL or a host:port pair|invalid URL"),
    ("unauthorized", r"[Yy]ou must be logged in|Unauthorized"),
    ("forbidden", r"Forbidden"),
    ("namespace", r"invalid namespace"),
    ("TLS", r"tls: |SSL routines|wrong version number"),
    ("certificate", r"failed to verify certificate|x509|certificate verify failed"),
    ("name lookup", r"no such host|[Cc]ould not resolve|server misbehaving|Temporary failure in name"),
    ("connection", r"was refused|connection refused|Could not connect|Failed to connect"),
    ("no configuration", r"no configuration has been provided|no server to connect to"),
]


class Clients:
    """Both clients, and the servers they are pointed at. One case at a time."""

    def __init__(self, plugin, kubectl):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="di-kubectl-"))
        self.certificates = Certificates(self.folder)
        self.servers = {"A": Server("a", self.certificates), "B": Server("b", self.certificates), "P": Server("p")}
        self.proxies = {"X": Proxy("x"), "Y": Proxy("y", self.certificates)}
        self.commands = {"kubectl": [kubectl, "get", "pods", "-o", "name"], "plugin": [plugin, "plan"]}

    def close(self):
        for server in [*self.servers.values(), *self.proxies.values()]:
            server.shutdown()
        shutil.rmtree(self.folder)

    def _replacement(self, folder, name):
        base, _, form = name.partition(":")
        if base == "DIR":
            return str(folder)
        if base in self.servers:
            bare = f"127.0.0.1:{self.servers[base].server_port}"
            return bare if form else f"http{'' if base == 'P' else 's'}://{bare}"
        if base in self.proxies:
            return f"127.0.0.1:{self.proxies[base].server_port}"
        data = self.certificates.data(self.folder / base)
        folded = "\n      ".join(data[at:at + 64] for at in range(0, len(data), 64))
        return folded if form else data

    def fill(self, folder, text):
        return re.sub(r"@([\w.:-]+)@", lambda found: self._replacement(folder, found[1]), text)

    def prepare(self, case):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for name in ("ca.crt", "file-user.crt", "file-user.key", "flag-user.crt", "flag-user.key"):
            shutil.copy(self.folder / name, folder)
        files = dict(case.files)
        if case.config is not None:
            files["config"] = case.config
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(self.fill(folder, text).encode())
            (folder / name).chmod(0o755 if name == "login" else 0o600)
        return folder

    def run(self, case, client):
        """What the server saw of the request for pods, or the class of error."""
        folder = self.prepare(case)
        environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "LC_ALL": "C"}
        if case.config is not None:
            environment["KUBECONFIG"] = str(folder / "config")
        environment.update({name: self.fill(folder, value) for name, value in case.env.items()})
        for server in self.servers.values():
            server.clear()
            server.answers = case.answers
        for proxy in self.proxies.values():
            proxy.clear()
        done = subprocess.run(self.commands[client] + shlex.split(self.fill(folder, case.flags)), env=environment,
                              cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        errors = done.stderr.replace(str(folder), "@DIR@")
        return self._outcome(done, errors), errors

    def _outcome(self, done, errors):
        asked = [seen for server in self.servers.values() for seen in server.seen if seen["path"].endswith("/pods")]
        if asked and asked[0] and not any(server.answers for server in self.servers.values()):
            return {**asked[0], "proxy": [proxy.seen[-1] for proxy in self.proxies.values() if proxy.seen]}
        found = [name for name, words in CLASSES if re.search(words, errors, re.M)]
        return {"error": found[0] if found else "?"} if done.returncode else {"error": "none"}


def describe(outcome):
    return ", ".join(f"{name} {value}" for name, value in outcome.items() if value)


def judge(case, minor, results, rows):
    """What is wrong with this case, or nothing."""
    (kubectl, said), (plugin, we_said) = results["kubectl"], results["plugin"]
    differs = case.differs if minor < case.differs_before else ""
    words = f"kubectl: {describe(kubectl)}\n    plugin:  {describe(plugin)}"
    if "?" in (kubectl.get("error"), plugin.get("error")):
        return f"a text of no known class\n    {said.strip()}\n    {we_said.strip()}"
    if differs and differs not in rows:
        return f"docs/deviations.md has no row {differs}"
    if differs and kubectl == plugin:
        return f"no difference any more, but {differs} says so\n    {words}"
    if not differs and kubectl != plugin:
        return f"they differ\n    {words}\n    {said.strip()}\n    {we_said.strip()}"
    return ""


def deviations(path):
    """The first column of every table row."""
    return {found[1] for found in re.finditer(r"^\| ([^|]+?) \|", path.read_text(), re.M)}


def kubeconfigs(chosen):
    """Every different text that was given as a kubeconfig."""
    texts = {case.config for case in chosen if case.config is not None}
    return texts | {text for case in chosen for name, text in case.files.items() if name not in ("login", "token")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("--deviations", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    kubectl, version = stock.find()
    if not kubectl:
        print(f"skipped: {version}")
        return SKIPPED
    minor = stock.minor_of(version)
    chosen = [case for case in cases.ALL if not options.names or any(name in case.name for name in options.names)]
    rows = deviations(options.deviations)
    clients = Clients(options.plugin.resolve(), kubectl)
    faults = 0
    try:
        for case in chosen:
            if case.since > minor:
                print(f"not asked, kubectl knows it since 1.{case.since}: {case.name}")
                continue
            fault = judge(case, minor, {name: clients.run(case, name) for name in clients.commands}, rows)
            faults += bool(fault)
            if fault:
                print(f"{case.name}: {fault}")
    finally:
        clients.close()
    files = len(kubeconfigs(chosen))
    print(f"{len(chosen)} cases, {files} kubeconfig files, kubectl {version} at {kubectl}: {faults} faults")
    if not options.names and files < FEWEST_FILES:
        faults += 1
        print(f"at least {FEWEST_FILES} files are promised")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
