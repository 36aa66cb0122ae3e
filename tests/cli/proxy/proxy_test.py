#!/usr/bin/env python3
"""A whole `check` through Debian's proxies, which ask for a password.

    plugin -> relay -> proxy -> relay -> kubesim

Both relays count connections and keep what the plugin sent, so that a way around the proxy would show, and
so would a credential in clear. Without the proxy's package its tests count as skipped.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import proxies

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1]))
from run import Cluster  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
BIN = pathlib.Path()
WORKERS = 4  # of the scenario
SCRIPT_WORDS = b"exec 4>&1 2>/dev/null"  # of the probe


class Way:
    """Everything between the plugin and kubesim, for the time of one test."""

    def __init__(self, proxy_class):
        self.folder = tempfile.TemporaryDirectory(prefix="di-cli-")
        work = pathlib.Path(self.folder.name)
        (work / "proxy").mkdir()
        work.chmod(0o755)  # squid runs as another user
        self.requests_log = work / "requests"
        self.cluster = Cluster(BIN / "kubesim", ["--scenario", "disagg-ib", "--exec", "replay",
                                                 "--requests-log", str(self.requests_log)], work)
        self.behind = proxies.Relay(int(self.cluster.url.rsplit(":", 1)[1]))
        self.proxy = proxy_class(work / "proxy")
        self.before = proxies.Relay(self.proxy.port)
        self.kubeconfig = self.cluster.kubeconfig
        self.token = re.search(r"token: (\S+)", self.kubeconfig.read_text())[1]
        self.environment = {"HOME": str(work), "PATH": os.environ["PATH"], "KUBECONFIG": str(self.kubeconfig)}

    def close(self):
        self.proxy.stop()
        self.before.close()
        self.behind.close()
        self.cluster.stop()
        self.folder.cleanup()

    def proxy_url(self, password=proxies.PASSWORD):
        return f"http://{proxies.USER}:{password}@127.0.0.1:{self.before.port}"

    def serve_as(self, host, *lines):
        """The kubeconfig's cluster is at that host, with these lines added."""
        text = self.kubeconfig.read_text()
        added = "".join(f"\n    {line}" for line in lines)
        self.kubeconfig.write_text(re.sub(r"server: \S+", f"server: https://{host}:{self.behind.port}{added}", text))

    def check(self):
        return subprocess.run([BIN / "kubectl-dynamo_interconnect", "check", "-o", "json"], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)

    def requests(self):
        return [json.loads(line) for line in self.requests_log.read_text().splitlines()]


class ProxyTest(unittest.TestCase):
    proxy_class = None

    def setUp(self):
        if not proxies.find(self.proxy_class.program):
            self.skipTest(f"{self.proxy_class.program} is not installed")
        self.way = Way(self.proxy_class)
        self.addCleanup(self.way.close)

    def assert_ready(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["readiness"]["state"], "ready")
        self.assertEqual(report["coverage"]["probed"], WORKERS)

    def assert_all_through_proxy(self, host):
        way = self.way
        heads = way.before.heads()
        execs = [row for row in way.requests() if row.get("subresource") == "exec"]
        self.assertEqual(len(execs), WORKERS)
        self.assertGreater(len(heads), WORKERS, "each exec has its connection, and there is a list")
        self.assertEqual(len(way.behind.sent), len(heads), "what reached the server came through the proxy")
        way.proxy.stop()  # its log is complete
        target = f"{host}:{way.behind.port}"
        if way.proxy.program == "squid":
            self.assertEqual(way.proxy.tunnels(), [target] * len(heads))
        else:  # names the host, not the port
            self.assertEqual(way.proxy.tunnels(), [host] * len(heads))
        for head in heads:
            self.assertEqual(head[0].split()[:2], ["CONNECT", target])

    def assert_nothing_for_the_server_in_clear(self):
        word = base64.b64encode(f"{proxies.USER}:{proxies.PASSWORD}".encode()).decode()
        for head, sent in zip(self.way.before.heads(), self.way.before.sent):
            fields = dict(line.split(": ", 1) for line in head[1:])
            self.assertEqual(fields.get("Proxy-Authorization"), f"Basic {word}")
            self.assertNotIn("authorization", [name.lower() for name in fields])
            for secret in (self.way.token.encode(), b"Bearer", SCRIPT_WORDS):
                self.assertNotIn(secret, sent)
        for sent in self.way.behind.sent:
            self.assertNotIn(word.encode(), sent, "the proxy's password is for the proxy")

    def assert_refusal_is_clear(self, result):
        self.assertEqual(result.returncode, 4)
        self.assertEqual(result.stdout, "")
        said = result.stderr
        self.assertIn("Unable to connect to the server", said)
        self.assertIn(f"proxy http://127.0.0.1:{self.way.before.port} answered {self.way.proxy.refusal} to CONNECT ", said)
        for secret in (proxies.USER, "wr0ng", self.way.token):
            self.assertNotIn(secret, said)
        self.assertEqual(self.way.requests(), [])


class TinyproxyByProxyUrl(ProxyTest):
    """`proxy-url` of the kubeconfig: it holds for loopback, too."""

    proxy_class = proxies.Tinyproxy

    def test_lists_and_execs_go_through_it_and_the_report_is_whole(self):
        self.way.serve_as("127.0.0.1", f"proxy-url: {self.way.proxy_url()}")
        self.assert_ready(self.way.check())
        self.assert_all_through_proxy("127.0.0.1")

    def test_the_token_does_not_reach_it(self):
        self.way.serve_as("127.0.0.1", f"proxy-url: {self.way.proxy_url()}")
        self.assert_ready(self.way.check())
        self.assert_nothing_for_the_server_in_clear()

    def test_a_wrong_password_is_an_error_that_names_the_proxy_and_no_secret(self):
        self.way.serve_as("127.0.0.1", f"proxy-url: {self.way.proxy_url('wr0ng')}")
        self.assert_refusal_is_clear(self.way.check())


class SquidByEnvironment(ProxyTest):
    """HTTPS_PROXY, and a server whose name only the proxy can resolve."""

    proxy_class = proxies.Squid

    def setUp(self):
        super().setUp()
        self.way.serve_as(proxies.TEST_NAME, "tls-server-name: localhost")
        self.way.environment["HTTPS_PROXY"] = self.way.proxy_url()

    def test_lists_and_execs_go_through_it_and_the_report_is_whole(self):
        self.assert_ready(self.way.check())
        self.assert_all_through_proxy(proxies.TEST_NAME)

    def test_the_token_does_not_reach_it(self):
        self.assert_ready(self.way.check())
        self.assert_nothing_for_the_server_in_clear()

    def test_a_wrong_password_is_an_error_that_names_the_proxy_and_no_secret(self):
        self.way.environment["HTTPS_PROXY"] = self.way.proxy_url("wr0ng")
        self.assert_refusal_is_clear(self.way.check())

    def test_a_name_in_NO_PROXY_is_looked_up_here(self):
        self.way.environment["NO_PROXY"] = proxies.TEST_NAME
        result = self.way.check()
        self.assertEqual(result.returncode, 4)
        self.assertIn(f"lookup {proxies.TEST_NAME}: no such host", result.stderr)
        self.assertEqual(self.way.before.sent, [])

    def test_a_loopback_address_is_exempt(self):
        self.way.serve_as("127.0.0.1")
        self.assert_ready(self.way.check())
        self.assertEqual(self.way.before.sent, [])


def main():
    global BIN
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    result = program.result
    if result.wasSuccessful() and len(result.skipped) == result.testsRun:
        print("skipped: neither tinyproxy nor squid is installed")
        return SKIPPED
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
