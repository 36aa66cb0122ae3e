#!/usr/bin/env python3
"""A whole check against the kubectl calls it replaces, on a real cluster, measured in one run.

The same seven execs a worker as tests/bench/bench.py, whose ratios on the simulator do not hold
here: each exec costs the container runtime tens of milliseconds of this machine's own time.
Prints JSON. usage: bench.py --bin DIR [--pods N]
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "bench"))

import build
from bench_probes import PARALLEL, PROBES, machine
from client import Plugin
from cluster import Cluster, say
from suite import NAMESPACE


def timed(function):
    started = time.monotonic()
    function()
    return time.monotonic() - started


def measure(cluster, pods, runs):
    cluster.deploy(cluster.scenario("disagg-ib", pods))
    plugin = Plugin(cluster.bin / "kubectl-dynamo_interconnect", cluster.admin)
    names = [pod["metadata"]["name"] for pod in cluster.admin.get("pods", "-n", NAMESPACE)["items"]
             if "worker" in pod["metadata"]["name"]]
    calls = [["exec", name, "-n", NAMESPACE, "-c", "main", "--", *probe]
             for name in names for probe in PROBES]

    def check():
        code, report, err = plugin.check()
        if code != 0 or report["coverage"]["probed"] != len(names):
            raise SystemExit(f"the check did not see everything: {err}")

    def sequential():
        for call in calls:
            cluster.admin.run(*call, check=False)

    def parallel():
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            list(pool.map(lambda call: cluster.admin.run(*call, check=False), calls))

    ours = statistics.median(timed(check) for _ in range(runs))
    side_by_side, one_by_one = timed(parallel), timed(sequential)
    return {"machine": machine(), "kubernetes": build.VERSION, "workers": len(names),
            "checkSeconds": round(ours, 2), "kubectlCalls": len(calls),
            "kubectlParallelSeconds": round(side_by_side, 2),
            "kubectlSequentialSeconds": round(one_by_one, 2),
            "timesFasterThanParallel": round(side_by_side / ours, 1),
            "timesFasterThanSequential": round(one_by_one / ours, 1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--pods", type=int, default=16)
    options = parser.parse_args()
    try:
        build.require_machine()
        programs = build.kubernetes(say)
    except build.Unavailable as reason:
        sys.exit(f"no cluster here: {reason}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dic-cluster-"))
    cluster = Cluster(folder, options.bin.resolve(), programs)
    try:
        cluster.start()
        print(json.dumps(measure(cluster, options.pods, runs=5), indent=2))
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
