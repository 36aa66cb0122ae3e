#!/usr/bin/env python3
"""Runs one case of the command-line tests: the real binary against the test cluster.

A case is three files:
    <name>.cmd      line 1: arguments of kubesim, or "none" for no cluster
                    line 2: the expected exit code
                    rest:   a POSIX shell line; $BIN is the plugin, $KUBESIM_URL the server
    <name>.out.exp  expected stdout
    <name>.err.exp  expected stderr
Volatile parts are replaced first (see VOLATILE). UPDATE_GOLDEN=1 rewrites the two texts, reports
the case as failed, and is refused under CI.
"""
import argparse
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

# What differs from run to run: pattern, and what stands for it.
VOLATILE = [
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:PORT"),
    (re.compile(r"/tmp/di-cli-[^/\s'\"]+"), "/TMP"),
    (re.compile(r'("?(?:listMs|probeMs|totalMs)"?: )\d+'), r"\g<1>0"),
]


def normalise(text):
    for pattern, replacement in VOLATILE:
        text = pattern.sub(replacement, text)
    return text


class Cluster:
    """kubesim for the time of one case."""

    def __init__(self, binary, arguments, work):
        self.kubeconfig = work / "kubeconfig"
        words = arguments.split() if isinstance(arguments, str) else arguments
        command = [binary, *words, "--kubeconfig-out", str(self.kubeconfig)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith("kubesim: ready "):
            raise SystemExit(f"kubesim did not start: {' '.join(map(str, command))}")
        self.url = ready.split()[2]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=20)
        self.process.stdout.close()


def run_case(case, binaries, work):
    setup, expected_code, script = case.read_text().split("\n", 2)
    environment = {
        "PATH": f"{binaries}:/usr/bin:/bin",
        "HOME": str(work),
        "BIN": str(binaries / "kubectl-dynamo_interconnect"),
        "LC_ALL": "C.UTF-8",
    }
    cluster = None
    if setup != "none":
        cluster = Cluster(binaries / "kubesim", setup, work)
        environment.update(KUBECONFIG=str(cluster.kubeconfig), KUBESIM_URL=cluster.url)
    try:
        result = subprocess.run(["sh", "-c", script], env=environment, cwd=work, timeout=90,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
    finally:
        if cluster:
            cluster.stop()
    return int(expected_code), result


def compare(path, actual):
    expected = path.read_text() if path.exists() else ""
    if expected == actual:
        return True
    sys.stdout.writelines(difflib.unified_diff(
        expected.splitlines(True), actual.splitlines(True), str(path), "what the run printed"))
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("case", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="di-cli-") as work:
        code, result = run_case(options.case, options.bin.resolve(), pathlib.Path(work))
    texts = {options.case.with_suffix(".out.exp"): normalise(result.stdout),
             options.case.with_suffix(".err.exp"): normalise(result.stderr)}
    if os.environ.get("UPDATE_GOLDEN"):
        if os.environ.get("CI"):
            sys.exit("UPDATE_GOLDEN is for a developer's machine, not for CI")
        for path, text in texts.items():
            path.write_text(text)
        sys.exit(f"rewrote {options.case.stem}; exit code was {result.returncode}, expected {code}")
    good = [compare(path, text) for path, text in texts.items()]
    if result.returncode != code:
        print(f"exit code {result.returncode}, expected {code}\n{result.stderr}")
    sys.exit(0 if all(good) and result.returncode == code else 1)


if __name__ == "__main__":
    main()
