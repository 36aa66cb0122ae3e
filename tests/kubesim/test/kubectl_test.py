#!/usr/bin/env python3
"""Stock kubectl is the judge: what it does against a real API server works against kubesim.

usage: kubectl_test.py KUBESIM
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

import cluster

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import stock_kubectl  # noqa: E402

KUBECTL, VERSION = stock_kubectl.find()
KUBESIM = None


class KubectlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = cluster.Cluster(KUBESIM)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def kubectl(self, *arguments, stdin=b"", check=True):
        done = subprocess.run(
            [KUBECTL, *arguments],
            input=stdin,
            capture_output=True,
            timeout=60,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.cluster.folder),
                "KUBECONFIG": str(self.cluster.kubeconfig),
            },
        )
        if check:
            self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done

    def names(self, *arguments):
        return self.kubectl(*arguments, "-o", "name").stdout.decode().split()

    def refused(self, *arguments):
        done = self.kubectl(*arguments, check=False)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr.decode()

    def test_pods_come_as_a_table(self):
        table = self.kubectl("get", "pods").stdout.decode().splitlines()
        self.assertEqual(table[0].split(), ["NAME", "READY", "STATUS", "RESTARTS", "AGE"])
        rows = {row.split()[0]: row.split() for row in table[1:]}
        self.assertEqual(rows["decode-0"][1:4], ["1/1", "Running", "0"])
        self.assertEqual(rows["crash-0"][1:4], ["0/1", "CrashLoopBackOff", "3"])
        self.assertEqual(rows["pending-0"][2], "ContainerCreating")
        self.assertNotIn("other-0", rows)

    def test_wide_tables_have_ip_and_node(self):
        wide = self.kubectl("get", "pod", "decode-0", "-o", "wide").stdout.decode()
        self.assertIn("NODE", wide)
        self.assertIn("gpu-2", wide)
        self.assertIn("10.0.0.7", wide)

    def test_all_namespaces(self):
        table = self.kubectl("get", "pods", "-A").stdout.decode()
        self.assertIn("NAMESPACE", table)
        self.assertRegex(table, r"(?m)^other +other-0 ")

    def test_selectors(self):
        self.assertEqual(self.names("get", "pods", "-l", "role=decode"), ["pod/decode-0"])
        self.assertEqual(
            self.names("get", "pods", "-l", "role in (decode,prefill),role!=decode"),
            ["pod/bare-0", "pod/prefill-0"],
        )
        self.assertEqual(
            self.names("get", "pods", "--field-selector", "spec.nodeName=gpu-2"), ["pod/decode-0"]
        )
        self.assertIn(
            "field label not supported: foo", self.refused("get", "pods", "--field-selector", "foo=1")
        )

    def test_pages_join_to_the_whole_list(self):
        whole = self.names("get", "pods", "-A")
        self.assertEqual(self.names("get", "pods", "-A", "--chunk-size", "2"), whole)
        self.assertEqual(len(whole), len(cluster.PODS))

    def test_objects_as_json(self):
        pods = json.loads(self.kubectl("get", "pods", "-o", "json").stdout)
        self.assertIn("decode-0", [item["metadata"]["name"] for item in pods["items"]])
        one = json.loads(self.kubectl("get", "pod", "decode-0", "-o", "json").stdout)
        self.assertEqual((one["kind"], one["apiVersion"]), ("Pod", "v1"))
        self.assertEqual(one["spec"]["containers"][0]["env"], cluster.ENV)

    def test_nodes_namespaces_and_events(self):
        self.assertIn("v1.34.2", self.kubectl("get", "nodes").stdout.decode())
        self.assertEqual(
            self.names("get", "namespaces"),
            ["namespace/default", "namespace/dynamo-demo", "namespace/other"],
        )
        self.assertIn("No resources found", self.kubectl("get", "events").stderr.decode())

    def test_graphs_in_both_versions(self):
        self.assertIn("chat", self.kubectl("get", "dynamographdeployments").stdout.decode())
        beta = json.loads(self.kubectl("get", "dgd", "chat", "-o", "json").stdout)
        self.assertEqual(beta["apiVersion"], "nvidia.com/v1beta1")
        alpha = json.loads(
            self.kubectl(
                "get", "dynamographdeployments.v1alpha1.nvidia.com", "chat", "-o", "json"
            ).stdout
        )
        self.assertEqual(
            alpha["spec"]["services"]["Decode"],
            {"replicas": 1, "componentType": "worker", "subComponentType": "decode"},
        )

    def test_missing_objects(self):
        self.assertIn('pods "nobody" not found', self.refused("get", "pod", "nobody"))
        self.assertIn("the server doesn't have a resource type", self.refused("get", "secrets"))

    def test_reviews(self):
        self.assertEqual(self.kubectl("auth", "can-i", "create", "pods/exec").stdout, b"yes\n")
        self.assertIn("kubesim", self.kubectl("auth", "whoami").stdout.decode())
        self.assertIn("jane", self.kubectl("auth", "whoami", "--as", "jane").stdout.decode())

    def test_logs(self):
        self.assertEqual(self.kubectl("logs", "decode-0").stdout.decode(), cluster.LOG)
        self.assertEqual(self.kubectl("logs", "decode-0", "--tail", "1").stdout, b"three\n")
        self.assertIn("waiting to start", self.refused("logs", "pending-0"))
        self.assertIn("previous terminated container", self.refused("logs", "-p", "decode-0"))

    def test_exec_keeps_the_streams_apart_and_hands_on_the_exit_code(self):
        done = self.kubectl(
            "exec", "decode-0", "--", "sh", "-c", "echo out; echo err >&2; exit 7", check=False
        )
        self.assertEqual(done.stdout, b"out\n")
        self.assertEqual(
            done.stderr.decode().splitlines(), ["err", "command terminated with exit code 7"]
        )
        self.assertEqual(done.returncode, 7)

    def test_exec_has_the_environment_of_the_spec_and_nothing_else(self):
        done = self.kubectl("exec", "decode-0", "--", "env")
        self.assertEqual(
            sorted(done.stdout.decode().splitlines()),
            [
                "HOSTNAME=decode-0",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "PLAIN=a b",
                "POD_IP=10.0.0.7",
                "WHERE=10.0.0.7:80 $(POD_IP) $(NOBODY)",
            ],
        )

    def test_exec_sees_its_tree_only(self):
        show = "ls; cat /etc/mark; echo x > /dev/infiniband/uverbs0 && echo opened; ls -d /lib64/*"
        worker = self.kubectl("exec", "decode-0", "--", "sh", "-c", show, check=False).stdout.decode()
        self.assertIn("the tree brought this", worker)
        self.assertIn("opened", worker)
        own = self.kubectl("exec", "own-0", "--", "cat", "/etc/mark").stdout
        self.assertEqual(own, b"own tree\n")

    def test_shells_and_users_of_trees(self):
        self.assertEqual(
            self.kubectl("exec", "user-0", "--", "sh", "-c", "echo $0 here; ls", check=False).returncode,
            127,
        )
        self.assertIn("uid=0", self.kubectl("exec", "busy-0", "--", "sh", "-c", "id").stdout.decode())
        missing = self.refused("exec", "bare-0", "--", "sh", "-c", "true")
        self.assertIn('exec: "sh": executable file not found in $PATH', missing)

    def test_exec_takes_stdin_to_its_end(self):
        data = random.Random(1).randbytes(5_000_000)
        done = self.kubectl("exec", "-i", "decode-0", "--", "cat", stdin=data)
        self.assertTrue(done.stdout == data, "stdin and stdout differ")

    def test_large_output_is_complete(self):
        done = self.kubectl("exec", "decode-0", "--", "sh", "-c", "yes 0123456789 | head -c 5000000")
        self.assertTrue(done.stdout == (b"0123456789\n" * 500_000)[:5_000_000], "output differs")

    def test_exec_refusals(self):
        self.assertIn('pods "nobody" not found', self.refused("exec", "nobody", "--", "true"))
        self.assertIn(
            "container nope is not valid for pod decode-0",
            self.refused("exec", "decode-0", "-c", "nope", "--", "true"),
        )
        self.assertIn(
            'unable to upgrade connection: container not found ("main")',
            self.refused("exec", "crash-0", "--", "true"),
        )
        self.assertIn(
            "pod pending-0 does not have a host assigned",
            self.refused("exec", "pending-0", "--", "true"),
        )


def main():
    if KUBECTL is None:
        print(f"skipped: {VERSION}")
        return cluster.SKIPPED
    print(f"kubectl {VERSION} at {KUBECTL}")
    with cluster.Cluster(KUBESIM) as running:
        if not running.can_exec:
            print("skipped:", running.errors())
            return cluster.SKIPPED
    return 0 if unittest.main(argv=[sys.argv[0]], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    KUBESIM = sys.argv[1]
    sys.exit(main())
