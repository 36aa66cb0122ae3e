#!/usr/bin/env python3
"""The read-only promise: a server saw no request of check and plan beyond the table of
lib/kube/permissions.hpp, one list of pods, one exec for each worker, and no planted secret came out."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from run import Cluster

SECRETS = ["hf_planted", "planted"]


def promised(table):
    """{(verb, resource, subresource)} of the constexpr table."""
    rows = re.findall(r'Permission\{Use::\w+,\s*"(\w+)",\s*"[^"]*",\s*"(\w+)",\s*"(\w*)"', table)
    if len(rows) < 5:
        raise SystemExit("the table of permissions could not be read")
    return set(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    options = parser.parse_args()
    allowed = promised(options.table.read_text())
    faults = []
    for scenario, workers in [("tcp-fallback", 4), ("hostile", 4), ("no-tools", 4)]:
        with tempfile.TemporaryDirectory(prefix="di-cli-") as folder:
            work = pathlib.Path(folder)
            log = work / "requests.jsonl"
            cluster = Cluster(options.bin.resolve() / "kubesim",
                              f"--scenario {scenario} --requests-log {log}", work)
            environment = {"HOME": folder, "PATH": os.environ["PATH"],
                           "KUBECONFIG": str(cluster.kubeconfig)}
            output = ""
            try:
                for words in (["plan"], ["check", "-o", "json"], ["check", "-o", "wide"]):
                    result = subprocess.run(
                        [options.bin.resolve() / "kubectl-dynamo_interconnect", *words, "-n", "dynamo-demo"],
                        env=environment, capture_output=True, text=True, timeout=60)
                    output += result.stdout + result.stderr
            finally:
                cluster.stop()
            rows = [json.loads(line) for line in log.read_text().splitlines()]
        seen = {(row["verb"], row["resource"], row.get("subresource") or "")
                for row in rows if row.get("resource")}
        faults += [f"{scenario}: not promised: {request}" for request in sorted(seen - allowed)]
        execs = sum(row.get("subresource") == "exec" for row in rows)
        lists = sum(row["verb"] == "list" and row.get("resource") == "pods" for row in rows)
        if (execs, lists) != (2 * workers, 3):
            faults.append(f"{scenario}: {execs} execs and {lists} lists of pods in one plan and two checks")
        faults += [f"{scenario}: {secret} came out" for secret in SECRETS if secret in output]
    print("\n".join(faults) or "only promised requests, and no secret")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
