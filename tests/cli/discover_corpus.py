#!/usr/bin/env python3
"""One case of tests/data/corpus/discover-open through the real binary: kubesim serves the case's
objects, `check` finds the workers, enters them, and reports. The README there says what each field
of `expect` means. Pods get empty containers, so the verdict is compared only as far as objects
decide it."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

from run import Cluster

FORMATS = ["json", "yaml", "table", "wide"]
WORSE = ["ready", "degraded", "inconclusive", "blocked"]  # each is worse than those before it
WORKER_FIELDS = ["node", "container", "role", "roleSource", "graph", "backend", "rank"]


def check(binary, args, form, environment):
    return subprocess.run([binary, "check", *args, "-o", form], env=environment, timeout=90,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def formats_for(expect):
    """What must never be printed is looked for in every format."""
    return FORMATS if expect.get("output_never_contains") else FORMATS[:1]


def key(entry):
    return entry["namespace"], entry["pod"]


def by_pod(entries):
    return {key(entry): entry for entry in entries}


def accepted(expected, field):
    also = expected.get("also", {})
    return [expected.get(field), *(also.get(field, []) if isinstance(also, dict) else [])]


def shown(finding, checks):
    return any(row["status"] == finding["status"] and
               any(part.lower() in row["detail"].lower() for part in finding["match"])
               for row in checks)


def worker_faults(expect, report):
    probed, left_out = by_pod(report["workers"]), by_pod(report["coverage"]["notProbed"])
    shared = set()
    for expected in expect["workers"]:
        name = key(expected)
        if name not in probed:
            reason = left_out.get(name, {}).get("reason")
            if reason not in accepted(expected, "not_probed"):
                yield f"{name} is not probed: {reason}"
            continue
        fields = WORKER_FIELDS + ["generation"] * ("generation" in expected)
        for field in fields:
            if probed[name][field] not in accepted(expected, field):
                yield f"{name}: {field} is {probed[name][field]}, not {accepted(expected, field)}"
        shared.add((name[0], expected["group"], probed[name]["group"]))
    ours, theirs = ({group[i] for group in shared} for i in (1, 2))
    if not len(shared) == len({group[:2] for group in shared}) or len(ours) != len(theirs):
        yield f"groups differ: {sorted(shared, key=str)}"


def left_out_faults(expect, report):
    probed, left_out = by_pod(report["workers"]), by_pod(report["coverage"]["notProbed"])
    for expected in expect["not_probed"]:
        name, actual = key(expected), left_out.get(key(expected))
        if actual is None:
            if expected["reason"] != "filtered" or name in probed:
                yield f"{name} is not among those left out"
            continue
        if actual["reason"] not in [expected["reason"], *expected.get("also", [])]:
            yield f"{name}: left out as {actual['reason']}, not {expected['reason']}"
        if (actual["role"], actual["graph"]) != (expected["role"], expected["graph"]):
            yield f"{name}: is {actual['role']} of {actual['graph']}"
        parts = expected["detail_contains"]
        if parts and not any(part in actual["detail"] for part in parts):
            yield f"{name}: the detail is {actual['detail']}"
    for ignored in expect.get("ignored", []):
        if key(ignored) in probed or key(ignored) in left_out:
            yield f"{key(ignored)} is no worker"


def judgement_faults(expect, report):
    for field in ("found", "probed"):
        if report["coverage"][field] != expect[field]:
            yield f"coverage.{field} is {report['coverage'][field]}, not {expect[field]}"
    disagg = any(graph["disagg"] for graph in report["graphs"])
    if disagg not in accepted(expect, "disagg"):
        yield f"disagg is {disagg}"
    graphs = {f"{graph['namespace']}/{graph['name']}": graph["disagg"] for graph in report["graphs"]}
    for name, split in expect.get("disagg_by_graph", {}).items():
        if graphs.get(name) is not split:
            yield f"{name}: disagg is {graphs.get(name)}"
    for finding in expect["findings"]:
        if not finding.get("optional") and not shown(finding, report["checks"]):
            yield f"no {finding['status']} row says {finding['match']}"
    for finding in expect.get("findings_never", []):
        if shown(finding, report["checks"]):
            yield f"a {finding['status']} row says {finding['match']}"
    pairs = {(pair["namespace"], end) for pair in report["pairs"]
             for end in [frozenset([pair["prefill"], pair["decode"]])]}
    for one, other in expect.get("pairs_never", []):
        (namespace, first), (_, second) = one.split("/"), other.split("/")
        if (namespace, frozenset([first, second])) in pairs:
            yield f"{one} and {other} are judged as a pair"


def state_faults(expect, report):
    state, best = report["readiness"]["state"], expect.get("verdict_at_best")
    if expect["verdict_state"] not in (state, "unknown-yet"):
        yield f"the state is {state}, not {expect['verdict_state']}"
    if best and WORSE.index(state) < WORSE.index(best):
        yield f"the state is {state}, at best {best}"


def faults(case, runs):
    expect, first = case["expect"], runs["json"]
    if expect["exit_code"] not in (None, first.returncode):
        yield f"exit code {first.returncode}, not {expect['exit_code']}"
    if len({run.returncode for run in runs.values()}) != 1:
        yield f"exit codes differ: {({form: run.returncode for form, run in runs.items()})}"
    for part in expect.get("error_contains", []):
        if part.lower() not in first.stderr.lower():
            yield f"stderr lacks {part!r}"
    for raw in expect.get("output_never_contains", []):
        yield from (f"{form} holds {raw!r}" for form, run in runs.items()
                    if raw in run.stdout or raw in run.stderr)
    if expect["verdict_state"] is None:
        if first.stdout:
            yield "there is a report"
        return
    report = json.loads(first.stdout)
    for question in (worker_faults, left_out_faults, judgement_faults, state_faults):
        yield from question(expect, report)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    binaries = options.bin.resolve()
    case = yaml.safe_load((options.folder / "case.yaml").read_text())
    with tempfile.TemporaryDirectory(prefix="di-cli-") as folder:
        work = pathlib.Path(folder)
        cluster = Cluster(binaries / "kubesim", f"--scenario {options.folder}", work)
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
                       "KUBECONFIG": str(cluster.kubeconfig)}
        try:
            runs = {form: check(binaries / "kubectl-dynamo_interconnect", case["args"], form, environment)
                    for form in formats_for(case["expect"])}
        finally:
            cluster.stop()
    found = list(faults(case, runs))
    if found:
        print(f"{case['id']}\ntrap: {case['trap']}\n" + "\n".join(found))
        print(runs["json"].stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
