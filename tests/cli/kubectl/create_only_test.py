#!/usr/bin/env python3
"""A role that grants create on pods/exec and not get: the way in is `kubectl exec`, which POSTs.

A stand-in in front of kubectl notes what it is given, then becomes stock kubectl. kubesim does not speak SPDY, so
stock kubectl's exec ends in its refusal; what is shown is what reaches the server, and what does not.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path[1:1] = [str(HERE.parent), str(HERE.parents[1] / "support")]
import stock_kubectl as stock  # noqa: E402
from run import Cluster  # noqa: E402
from server import Proxy  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
BIN = pathlib.Path()
KUBECTL = ""
DECODE = ["qwen3-32b-vllmdecodeworker-be912eea-bn6pzb6d8g-" + end for end in ("xc4sg", "zfgpx")]
WORKERS = 4
SCRIPT_WORDS = "exec 4>&1 2>/dev/null"  # of the probe

# Notes argv, environment and kubeconfig, one file each a call.
STAND_IN = """#!/usr/bin/python3
import os, sys, pathlib
note = pathlib.Path(os.environ["HOME"], "notes", str(os.getpid()))
note.mkdir(parents=True)
(note / "argv").write_text("\\0".join(sys.argv))
(note / "environment").write_text("\\0".join(f"{k}={v}" for k, v in os.environ.items()))
if "--kubeconfig" in sys.argv:
    given = sys.argv[sys.argv.index("--kubeconfig") + 1]
    (note / "kubeconfig").write_text(pathlib.Path(given).read_text())
"""
FORWARD = """
if "--kubeconfig" in sys.argv:  # does the configuration work for other questions, too?
    import subprocess
    listed = subprocess.run([KUBECTL, "--kubeconfig", given, "get", "pods", "-o", "name"], capture_output=True,
                            text=True, pass_fds=[int(given.rsplit("/", 1)[1])])
    (note / "pods").write_text(listed.stdout + listed.stderr)
os.execv(KUBECTL, ["kubectl", *sys.argv[1:]])
"""


class CreateOnlyTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="di-cli-")
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        (self.work / "path").mkdir()
        stand_in = self.work / "path" / "kubectl"
        stand_in.write_text(STAND_IN + FORWARD.replace("KUBECTL", repr(KUBECTL)))
        stand_in.chmod(0o755)

    def start(self, *faults):
        log = self.work / "requests"
        self.cluster = Cluster(BIN / "kubesim", ["--scenario", "disagg-ib", "--exec", "replay", "--requests-log", str(log),
                                                 *sum((["--fault", f] for f in faults), [])], self.work)
        self.addCleanup(self.cluster.stop)
        self.log = log
        text = self.cluster.kubeconfig.read_text()
        self.token = re.search(r"token: (\S+)", text)[1]
        self.authority = re.search(r"certificate-authority-data: (\S+)", text)[1]

    def check(self, *flags):
        return subprocess.run(
            [BIN / "kubectl-dynamo_interconnect", "check", "-o", "json", *flags], stdin=subprocess.DEVNULL,
            env={"HOME": str(self.work), "PATH": f"{self.work}/path:{os.environ['PATH']}",
                 "KUBECONFIG": str(self.cluster.kubeconfig)},
            capture_output=True, text=True, timeout=90)

    def execs(self):
        """(method, pod) of what the server was asked."""
        rows = [json.loads(line) for line in self.log.read_text().splitlines()]
        return sorted((row["method"], row["path"].split("/")[-2]) for row in rows if row.get("subresource") == "exec")

    def notes(self, name, calls=WORKERS):
        found = [path.read_text() for path in sorted((self.work / "notes").glob(f"*/{name}"))]
        self.assertEqual(len(found), calls)
        return found

    def assert_script_is_not_shown(self, result):
        self.assertNotIn(SCRIPT_WORDS, result.stdout + result.stderr)

    def test_the_server_sees_one_POST_a_worker_and_no_GET_and_the_report_says_who_asked(self):
        self.start("forbidden:get:pods/exec")
        result = self.check()
        self.assertEqual([method for method, _ in self.execs()], ["POST"] * WORKERS)
        self.assertIn("note: 4 workers were entered by kubectl exec", result.stderr)
        self.assert_script_is_not_shown(result)
        for environment in self.notes("environment"):
            self.assertIn("KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false", environment.split("\0"))

    def test_where_get_is_denied_for_some_pods_only_those_are_entered_by_kubectl(self):
        self.start(*(f"forbidden:get:pods/exec={pod}" for pod in DECODE))
        result = self.check()
        entered = self.execs()
        self.assertEqual([pod for method, pod in entered if method == "POST"], DECODE)
        self.assertEqual(len([pod for method, pod in entered if method == "GET"]), WORKERS - len(DECODE))
        self.assertIn("note: 2 workers were entered by kubectl exec", result.stderr)
        self.assertEqual(json.loads(result.stdout)["coverage"]["probed"], WORKERS - len(DECODE))

    def test_flags_are_passed_on_as_they_were_given(self):
        self.start("forbidden:get:pods/exec")
        self.check("--context", "kubesim", "--as", "jane", "--as-group", "team", "--as-uid", "7",
                   "--as-user-extra", "scopes=view")
        for argv in self.notes("argv"):
            self.assertEqual(argv.split("\0")[1:11], ["--context", "kubesim", "--as", "jane", "--as-uid", "7",
                                                      "--as-group", "team", "--as-user-extra", "scopes=view"])

    def test_a_token_is_in_no_command_line_and_its_configuration_works_for_stock_kubectl(self):
        self.start("forbidden:get:pods/exec")
        text = self.cluster.kubeconfig.read_text()
        self.cluster.kubeconfig.write_text(text.replace(f"token: {self.token}", "token: of-somebody-else"))
        result = self.check("--token", self.token, "--as", "jane", "--as-group", "team")
        self.assertEqual([method for method, _ in self.execs()], ["POST"] * WORKERS, result.stderr)
        self.assertNotIn(self.token, result.stdout + result.stderr)
        for text in self.notes("argv") + self.notes("environment"):
            self.assertNotIn(self.token, text)
        for text in self.notes("kubeconfig"):
            given = json.loads(text)
            self.assertEqual(given["clusters"][0]["cluster"]["server"], self.cluster.url)
            self.assertEqual(base64.b64decode(given["clusters"][0]["cluster"]["certificate-authority-data"]),
                             base64.b64decode(self.authority))
            self.assertEqual(given["users"][0]["user"],
                             {"token": self.token, "as": "jane", "as-groups": ["team"]})
        for text in self.notes("pods"):
            self.assertIn(f"pod/{DECODE[0]}\n", text)

    def test_a_proxy_of_the_command_line_is_taken_by_kubectl_too(self):
        self.start("forbidden:get:pods/exec")
        proxy = Proxy("x")
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        url = f"http://me:s3cret@127.0.0.1:{proxy.server_port}"
        self.check("--proxy-url", url)
        ours = len(proxy.seen)
        self.assertEqual([method for method, _ in self.execs()], ["POST"] * WORKERS)
        for argv in self.notes("argv"):
            self.assertNotIn("s3cret", argv)
        for text in self.notes("kubeconfig"):
            self.assertEqual(json.loads(text)["clusters"][0]["cluster"]["proxy-url"], url)
        self.assertGreaterEqual(ours, 2 * WORKERS, "each kubectl came through it")

    def test_kubectls_words_are_shown_without_the_script_that_they_repeat(self):
        self.start("forbidden:get:pods/exec")
        (self.work / "path" / "kubectl").write_text(STAND_IN + """
said = " ".join(sys.argv[sys.argv.index("--") + 1:])
sys.exit(f"error: Internal error occurred: error executing command in container: command [{said}]: ttrpc: closed")
""")
        result = self.check()
        self.assertIn("ttrpc: closed", result.stdout)
        self.assert_script_is_not_shown(result)


def main():
    global BIN, KUBECTL
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    KUBECTL, version = stock.find()
    if not KUBECTL:
        print(f"skipped: {version}")
        return SKIPPED
    print(f"kubectl {version}")
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
