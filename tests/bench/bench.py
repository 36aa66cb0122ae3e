#!/usr/bin/env python3
"""Speed and memory of a whole check against the kubectl calls it replaces, measured in one run.

The yardstick is what people do by hand: six node probes and one NIXL probe in each worker, each one
`kubectl exec`. Both sides ask the same kubesim, which answers execs from memory (--exec replay), so
that the clients are measured and not the containers. Figures are medians; ratios hold on one machine
only, and the machine is named. Writes build/bench.json.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from bench_probes import PARALLEL, PROBES, machine

WORKERS = 64


def timed(function):
    start = time.monotonic()
    function()
    return time.monotonic() - start


class Bench:
    def __init__(self, binaries, work, workers):
        self.plugin = binaries / "kubectl-dynamo_interconnect"
        self.workers = workers
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(work),
                            "KUBECONFIG": str(work / "kubeconfig")}
        self.log = work / "requests.jsonl"
        self.kubesim = subprocess.Popen(
            [binaries / "kubesim", "--scenario", "disagg-ib", "--pods", str(workers), "--exec", "replay",
             "--kubeconfig-out", str(work / "kubeconfig"), "--requests-log", str(self.log)],
            stdout=subprocess.PIPE, text=True)
        if "ready" not in self.kubesim.stdout.readline():
            raise SystemExit("kubesim did not start")

    def stop(self):
        self.kubesim.send_signal(signal.SIGTERM)
        self.kubesim.wait(timeout=20)

    def run(self, command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)

    def check(self):
        result = self.run([self.plugin, "check", "-n", "dynamo-demo", "-o", "json"])
        if result.returncode != 0:
            raise SystemExit(f"check ended with {result.returncode}: {result.stderr.decode()}")
        return json.loads(result.stdout)

    def check_memory(self):
        """Peak resident memory of one check in MiB, from the kernel's account of the child."""
        pid = os.posix_spawn(self.plugin, [str(self.plugin), "check", "-n", "dynamo-demo", "-o", "json"],
                             self.environment, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
        _, _, usage = os.wait4(pid, 0)
        return usage.ru_maxrss / 1024

    def requests_of_one_check(self):
        before = len(self.log.read_text().splitlines())
        self.check()
        time.sleep(0.2)
        rows = [json.loads(line) for line in self.log.read_text().splitlines()[before:]]
        execs = sum(row.get("subresource") == "exec" for row in rows)
        lists = sum(row.get("verb") == "list" and row.get("resource") == "pods" for row in rows)
        return execs, lists

    def pods(self):
        listed = self.run(["kubectl", "-n", "dynamo-demo", "get", "pods", "-o", "name"]).stdout.decode()
        return [name for name in listed.split() if "frontend" not in name]

    def kubectl_calls(self):
        return [["kubectl", "-n", "dynamo-demo", "exec", pod, "-c", "main", "--", *probe]
                for pod in self.pods() for probe in PROBES]

    def kubectl_sequential(self, calls):
        for call in calls:
            self.run(call)

    def kubectl_parallel(self, calls):
        with concurrent.futures.ThreadPoolExecutor(PARALLEL) as pool:
            list(pool.map(self.run, calls))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with tempfile.TemporaryDirectory(prefix="di-bench-") as work:
        bench = Bench(options.binaries.resolve(), pathlib.Path(work), options.workers)
        try:
            figures = measure(bench, options.runs)
        finally:
            bench.stop()
    figures["machine"] = machine()
    figures["workers"] = options.workers
    pathlib.Path("build/bench.json").write_text(json.dumps(figures, indent=2) + "\n")
    json.dump(figures, sys.stdout, indent=2)
    print()


def measure(bench, runs):
    bench.check()  # fills the replay memory
    check = statistics.median(timed(bench.check) for _ in range(runs))
    version = statistics.median(timed(lambda: bench.run([bench.plugin, "version"])) for _ in range(runs))
    execs, lists = bench.requests_of_one_check()
    figures = {"checkSeconds": round(check, 4), "versionSeconds": round(version, 4),
               "peakMemoryMiB": round(bench.check_memory(), 1), "execs": execs, "podLists": lists}
    calls = bench.kubectl_calls()
    for call in calls[:len(PROBES)]:
        bench.run(call)
    parallel = timed(lambda: bench.kubectl_parallel(calls))
    sequential = timed(lambda: bench.kubectl_sequential(calls))
    check_again = statistics.median(timed(bench.check) for _ in range(runs))
    slowest_check = max(check, check_again)
    figures.update(kubectlCalls=len(calls), kubectlSequentialSeconds=round(sequential, 2),
                   kubectlParallelSeconds=round(parallel, 2),
                   fasterThanSequential=round(sequential / slowest_check, 1),
                   fasterThanParallel=round(parallel / slowest_check, 1))
    return figures


if __name__ == "__main__":
    main()
