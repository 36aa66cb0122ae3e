#!/usr/bin/env python3
"""A whole `check` against a cluster that misbehaves: one row of FAULTS for each way to do so.

Whatever happens, each worker has exactly one outcome, nothing that was not seen is called healthy,
no exec is asked for more often than allowed, and the probe's script is in no report.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass

from run import Cluster

PREFIX = "qwen3-32b-vllmdecodeworker-be912eea-bn6pzb6d8g-"
ONE = PREFIX + "xc4sg"  # a decode worker of disagg-ib
WORKERS = 4
BIN = pathlib.Path()
SCRIPT_WORDS = "exec 4>&1 2>/dev/null"  # of the probe


@dataclass
class Fault:
    says: str  # the test's name: what the user can rely on
    faults: list
    code: int = 3
    lost: int = 0  # workers that are not probed
    reason: str = ""  # of those
    detail: str = ""  # a part of it
    execs: int = WORKERS  # requests that ask for an exec, at most
    stderr: str = ""  # a part of it
    arguments: tuple = ()


FAULTS = [
    Fault("a balancer's error page on the list is asked again", ["bad-gateway:2"], code=0),
    Fault("a busy server is asked again when it says so", ["too-many-requests:1"], code=0),
    Fault("a reset on the list is asked again once", ["connection-reset:1"], code=0),
    Fault("a list that is reset twice ends the run", ["connection-reset:2"], code=4, execs=0,
          stderr="Unable to connect to the server"),
    Fault("an internal error of the server is its own words", ["server-error:1"], code=4, execs=0,
          stderr="Error from server (InternalError): Internal error occurred: on demand"),
    Fault("a login page is named, and is no list of pods", ["html"], code=4, execs=0,
          stderr='"Please log in" (HTTP 200): a login portal or a proxy'),
    Fault("a slow list takes its time and nothing else", ["slow-list:1s"], code=0),
    Fault("a server that restarts in the middle is waited for", ["restart:2:2s"], code=0,
          execs=2 * WORKERS),
    Fault("a server that stays away costs the rows and not the run", ["restart:2:60s"], lost=4,
          reason="truncated", detail="Unable to connect to the server", execs=2 * WORKERS),
    Fault("an exec that is refused as too many is asked again once", ["exec-busy:2"], code=0,
          execs=WORKERS + 2),
    Fault("a server that stays busy is asked twice for each worker", ["exec-busy:99"], lost=4,
          reason="unreadable", detail="HTTP 429: Too many requests", execs=2 * WORKERS),
    Fault("a balancer without a server is asked twice for each worker", ["exec-refuse-upgrade:502"],
          lost=4, reason="unreadable", detail="HTTP 502: the upgrade was refused on demand",
          execs=2 * WORKERS),
    Fault("a gateway without WebSocket is named", ["exec-refuse-upgrade:405"], lost=4,
          reason="unreadable", detail="does not support exec streams (HTTP 405)"),
    Fault("a pod that was deleted since the list is not running", [f"exec-deleted:{ONE}"], lost=1,
          reason="not-running", detail="the pod is gone since it was listed"),
    Fault("a container that was restarted since the list is not running", [f"exec-restarted:{ONE}"],
          lost=1, reason="not-running", detail="container not found"),
    Fault("a container that is killed under the probe is truncated, not slow", [f"exec-dies:{ONE}"],
          lost=1, reason="truncated", detail="was killed (exit code 137)"),
    Fault("a runtime's failure is its cause, without the script", [f"exec-fails:{ONE}"], lost=1,
          reason="unreadable", detail="ttrpc: closed"),
    Fault("a failure before the upgrade is its cause, without the script", [f"exec-fails-early:{ONE}"], lost=1,
          reason="unreadable", detail="ttrpc: closed"),
    Fault("a failure before a v4 upgrade is its cause, without the script", [f"exec-fails-early:{ONE}", "no-v5"],
          lost=1, reason="unreadable", detail="ttrpc: closed"),
    Fault("a reset within the output is read once more", [f"exec-reset:{ONE}"], lost=1,
          reason="truncated", detail="closed before the exit status", execs=WORKERS + 1),
    Fault("an end within the output is read once more", [f"exec-truncate:{ONE}"], lost=1,
          reason="truncated", detail="closed before the exit status", execs=WORKERS + 1),
    Fault("a whole output without its exit status is no success", [f"exec-no-status:{ONE}"], lost=1,
          reason="truncated", detail="closed before the exit status", execs=WORKERS + 1),
    Fault("a tool that hangs in the kernel costs its pod a row", [f"exec-stall:{ONE}"], lost=1,
          reason="timed-out", detail="no answer within 3s", arguments=("--probe-timeout", "3s")),
    Fault("a worker that never answers costs a row, and is not asked twice", [f"exec-hang:{ONE}"],
          lost=1, reason="timed-out", detail="no answer within 3s",
          arguments=("--probe-timeout", "3s")),
    Fault("the whole run has an end, too", ["exec-hang"], lost=4, reason="timed-out",
          detail="the run's time was up (--timeout)", arguments=("--timeout", "2s")),
    Fault("an exec that is refused for one pod is a row of no permission",
          [f"forbidden:get:pods/exec={ONE}", "forbidden:create:selfsubjectaccessreviews"], lost=1, reason="no-permission",
          detail='cannot get resource "pods/exec"'),
    Fault("a refused review is no error: the real call decides",
          ["forbidden:create:selfsubjectaccessreviews"], code=0),
    Fault("graphs that may not be listed cost their rows only", ["forbidden:dynamographdeployments"],
          code=0),
    Fault("a server without v5 is spoken to in v4", ["no-v5"], code=0),
    Fault("a warning of the server is shown once", ["warning:use another API"], code=0,
          stderr="Warning: use another API"),
]


class FaultTest(unittest.TestCase):
    maxDiff = None

    def run_check(self, fault, work):
        log = work / "requests"
        cluster = Cluster(BIN / "kubesim", ["--scenario", "disagg-ib", "--exec", "replay",
                                            "--requests-log", str(log),
                                            *sum((["--fault", f] for f in fault.faults), [])], work)
        try:
            result = subprocess.run(
                [BIN / "kubectl-dynamo_interconnect", "check", "-n", "dynamo-demo", "-o", "json",
                 "--probe-timeout", "15s", *fault.arguments],
                env={"HOME": str(work), "PATH": os.environ["PATH"],
                     "KUBECONFIG": str(cluster.kubeconfig)},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90)
        finally:
            cluster.stop()
        requests = [json.loads(line) for line in log.read_text().splitlines()]
        return result, requests

    def check(self, fault):
        with tempfile.TemporaryDirectory(prefix="di-cli-") as folder:
            result, requests = self.run_check(fault, pathlib.Path(folder))
        everything = result.stdout + result.stderr
        self.assertEqual(result.returncode, fault.code, f"{fault.faults}\n{result.stderr}")
        self.assertIn(fault.stderr, result.stderr)
        self.assertEqual(result.stderr.count("Warning:"), fault.stderr.count("Warning:"))
        self.assertFalse(SCRIPT_WORDS in everything, "the script is in the report")
        execs = [r for r in requests if r.get("subresource") == "exec"]
        self.assertLessEqual(len(execs), fault.execs)
        if fault.code != 4:
            self.check_report(fault, json.loads(result.stdout))

    def check_report(self, fault, report):
        coverage = report["coverage"]
        unseen = [pod["pod"] for pod in coverage["notProbed"]]
        self.assertEqual(coverage["found"], WORKERS)
        self.assertEqual(coverage["probed"] + len(unseen), WORKERS, "one outcome for each worker")
        self.assertEqual(len(set(unseen)), len(unseen))
        self.assertEqual(len(unseen), fault.lost)
        for pod in coverage["notProbed"]:
            self.assertEqual(pod["reason"], fault.reason)
            self.assertIn(fault.detail, pod["detail"])
        state = report["readiness"]["state"]
        self.assertEqual(state, "inconclusive" if fault.lost else "ready")
        for row in report["checks"]:
            ends = {row["subject"]["name"], *row["subject"]["name"].split(" -> ")}
            if row["name"] == "exec" and ends & set(unseen):
                self.assertEqual((row["status"], row["reason"]), ("skipped", fault.reason))


def add(fault):
    setattr(FaultTest, "test_" + fault.says.replace(" ", "_"),
            lambda self, fault=fault: self.check(fault))


for entry in FAULTS:
    add(entry)


def main():
    global BIN
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
