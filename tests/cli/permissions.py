#!/usr/bin/env python3
"""What a user may do decides what is asked and said, before anything is run: the real binary against the test
cluster, whose reviews and real calls are refused as roles would."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from run import Cluster

BIN = pathlib.Path()
NAMESPACE = "dynamo-demo"
DECODE = ["qwen3-32b-vllmdecodeworker-be912eea-bn6pzb6d8g-" + end for end in ("xc4sg", "zfgpx")]
PREFILL = ["qwen3-32b-vllmprefillworker-be912eea-vjc64cknwc-" + end for end in ("t9hb7", "vcv6n")]
PODS = DECODE + PREFILL
MISSING_LIST = """rules:
  - apiGroups:
      - ""
    resources:
      - pods
    verbs:
      - list
"""


def missing_exec(*verbs):
    return MISSING_LIST.replace("pods", "pods/exec").replace("      - list\n", "".join(f"      - {v}\n" for v in verbs))


class PermissionTest(unittest.TestCase):
    maxDiff = None

    def run_plugin(self, faults, *words, path=None):
        """(result, requests, seconds)"""
        with tempfile.TemporaryDirectory(prefix="di-cli-") as folder:
            work = pathlib.Path(folder)
            log = work / "requests"
            log.touch()
            cluster = Cluster(BIN / "kubesim", ["--scenario", "disagg-ib", "--exec", "replay", "--requests-log", str(log),
                                                *sum((["--fault", f] for f in faults), [])], work)
            started = time.monotonic()
            try:
                result = subprocess.run(
                    [BIN / "kubectl-dynamo_interconnect", *words], stdin=subprocess.DEVNULL,
                    env={"HOME": folder, "PATH": path or os.environ["PATH"], "KUBECONFIG": str(cluster.kubeconfig)},
                    capture_output=True, text=True, timeout=90)
                took = time.monotonic() - started
            finally:
                cluster.stop()
            return result, [json.loads(line) for line in log.read_text().splitlines()], took

    def execs(self, requests):
        return [row for row in requests if row.get("subresource") == "exec"]

    def entered(self, requests):
        return [row["path"].split("/")[-2] for row in self.execs(requests)]

    def assert_rows(self, result, lost):
        report = json.loads(result.stdout)
        unseen = {pod["pod"]: pod["reason"] for pod in report["coverage"]["notProbed"] if pod["reason"] != "filtered"}
        self.assertEqual(unseen, {pod: "no-permission" for pod in lost})

    def test_a_role_that_names_some_pods_probes_those_and_asks_for_no_other_exec(self):
        result, requests, _ = self.run_plugin([f"forbidden:pods/exec={pod}" for pod in DECODE], "check", "-o", "json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assert_rows(result, DECODE)
        self.assertEqual(sorted(self.entered(requests)), sorted(PREFILL))

    def test_a_role_that_names_a_pod_is_enough_for_that_pod(self):
        result, requests, _ = self.run_plugin([f"forbidden:pods/exec={pod}" for pod in PODS[1:]],
                                              "check", "-o", "json", "--pod", PODS[0])
        self.assert_rows(result, [])
        self.assertEqual(self.entered(requests), [PODS[0]])

    def test_exec_denied_for_all_pods_by_name_asks_for_no_exec(self):
        result, requests, _ = self.run_plugin(["forbidden:pods/exec"], "check", "-o", "json")
        self.assertEqual(result.returncode, 4)
        self.assert_rows(result, PODS)
        self.assertEqual(self.execs(requests), [])
        self.assertIn(missing_exec("get", "create"), result.stderr)

    def test_a_pod_that_was_named_is_the_only_one_asked_about_by_name(self):
        result, requests, _ = self.run_plugin(["forbidden:pods/exec"], "check", "-o", "json", "--pod", DECODE[0])
        self.assertEqual(result.returncode, 4)
        self.assertEqual(self.execs(requests), [])
        reviews = [row for row in requests if row.get("resource") == "selfsubjectaccessreviews"]
        self.assertEqual(len(reviews), 5 + 2, "each rule for all pods, then both verbs for the one pod")

    def test_a_refused_review_is_no_denial_and_the_real_refusal_names_the_rule(self):
        result, requests, _ = self.run_plugin(
            ["forbidden:create:selfsubjectaccessreviews", "forbidden:get:pods/exec"], "check", "-o", "json")
        self.assertEqual(result.returncode, 4)
        self.assert_rows(result, PODS)
        self.assertEqual(len(self.execs(requests)), len(PODS))
        self.assertIn(missing_exec("get"), result.stderr)
        self.assertIn("auth can-i get pods --subresource=exec", result.stderr)

    def test_lists_denied_are_said_as_a_rule_within_three_seconds_though_reviews_hang(self):
        result, _, took = self.run_plugin(["slow-review:30s", "forbidden:list:pods"], "check")
        self.assertEqual(result.returncode, 4)
        self.assertIn(MISSING_LIST, result.stderr)
        self.assertIn(f"kubectl dynamo-interconnect rbac -n {NAMESPACE} --user NAME | kubectl apply -f -", result.stderr)
        self.assertLess(took, 3)

    def test_reviews_that_hang_delay_a_check_by_less_than_three_seconds(self):
        result, requests, _ = self.run_plugin(["slow-review:30s"], "check")
        self.assertEqual(result.returncode, 0, result.stderr)
        listed = max(row["endMs"] for row in requests if row["verb"] == "list")
        self.assertLess(min(row["startMs"] for row in self.execs(requests)) - listed, 3000)

    def test_graphs_that_may_not_be_listed_are_a_row_that_says_so_and_how_to_ask(self):
        result, _, _ = self.run_plugin(["forbidden:dynamographdeployments"], "check", "-o", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [row for row in json.loads(result.stdout)["checks"] if row["name"] == "replicas"]
        self.assertEqual([(row["status"], row["reason"]) for row in rows], [("skipped", "no-permission")])
        self.assertIn("no permission to list DynamoGraphDeployments", rows[0]["detail"])
        self.assertEqual(rows[0]["next"]["argv"], ["kubectl", "-n", NAMESPACE, "auth", "can-i", "list",
                                                   "dynamographdeployments.nvidia.com"])

    def test_a_namespace_that_may_not_be_read_is_said_where_it_matters(self):
        result, _, _ = self.run_plugin(["forbidden:namespaces"], "check", "-n", "nowhere")
        self.assertEqual(result.returncode, 4)
        self.assertIn("or no such namespace", result.stderr)
        self.assertIn("no permission to get the namespace", result.stderr)
        here, _, _ = self.run_plugin(["forbidden:namespaces"], "check")
        self.assertEqual(here.returncode, 0, "it is read only when no worker is found")

    def test_rbac_check_names_a_namespace_that_is_not_there(self):
        result, _, _ = self.run_plugin([], "rbac", "--check", "-n", "nowhere")
        self.assertIn('note: namespace "nowhere" not found', result.stderr)
        here, _, _ = self.run_plugin([], "rbac", "--check", "-n", NAMESPACE)
        self.assertEqual((here.returncode, here.stderr), (0, ""))

    def test_rbac_check_does_not_know_when_reviews_are_refused(self):
        result, _, _ = self.run_plugin(["forbidden:create:selfsubjectaccessreviews"], "rbac", "--check", "-o", "json")
        self.assertEqual(result.returncode, 3)
        self.assertEqual({row["allowed"] for row in json.loads(result.stdout)["permissions"]}, {"unknown"})


def main():
    global BIN
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
