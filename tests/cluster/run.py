#!/usr/bin/env python3
"""The tests against a real Kubernetes. usage: run.py --bin DIR [unittest arguments]

Exit code 77: the machine cannot have the cluster, in one line why; nothing was tested.
"""
import argparse
import fcntl
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

import build
import suite
from cluster import Cluster, say
from machine import Machine, another_node

SKIPPED = 77
MODULES = ["test_scenarios", "test_exec", "test_access"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    options, rest = parser.parse_known_args()
    try:
        build.require_machine()
        programs = build.kubernetes(say)
    except build.Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    with open(build.cache().parent / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two nodes would end each other's pods
        if reason := another_node():
            sys.exit(f"error: {reason}")
        sys.exit(0 if run(options.bin.resolve(), rest, programs) else 1)


def run(bin_folder, arguments, programs):
    before = Machine()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dic-cluster-"))
    started = time.monotonic()
    cluster = Cluster(folder, bin_folder, programs)
    try:
        cluster.start()
        say(f"the cluster is up after {time.monotonic() - started:.0f} s")
        suite.CLUSTER = cluster
        result = unittest.main(module=None, argv=[sys.argv[0], *(arguments or MODULES)], exit=False,
                               verbosity=2).result
        good = result.wasSuccessful() and result.testsRun > 0
        if not good:
            keep_logs(folder)
    except BaseException:
        keep_logs(folder)
        raise
    finally:
        cluster.stop()
    left = before.differences(Machine())
    print("\n".join(["the machine is as before"] if not left else ["left behind:", *left]))
    say(f"done after {time.monotonic() - started:.0f} s")
    return good and not left


def keep_logs(folder):
    place = pathlib.Path(tempfile.gettempdir()) / "dic-cluster-logs"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for log in folder.glob("*.log"):
        shutil.copy(log, place)
    say(f"the servers' logs are in {place}")


if __name__ == "__main__":
    main()
