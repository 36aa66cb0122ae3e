#!/usr/bin/env python3
"""One case of tests/data/corpus/open through the real binary: `judge PROBE` on what one tool printed, or
`judge --pods` on whole pods. The corpus' README says what each field of `expect` means: `also_acceptable`
counts, `facts` holds at least the keys of `details`, lists compare as sets, `note` is not compared, and
`reason: permission` is written no-permission here."""
import argparse
import json
import pathlib
import subprocess
import sys

import jsonschema
import yaml

SPELLINGS = {"permission": {"no-permission"}, "exec-failed": {"unreadable", "timed-out"},
             "killed": {"unreadable", "timed-out"}}
EXIT_CODES = {"ok": 0, "warn": 0, "fail": 1, "skipped": 3}


def frozen(value):
    return json.dumps(value, sort_keys=True)


def differences(expected, actual, where="facts"):
    """What of `expected` is not in `actual`."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            if key != "note":
                yield from differences(value, actual.get(key), f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list):
        if sorted(map(frozen, expected)) != sorted(map(frozen, actual)):
            yield f"{where}: expected the set {expected}, got {actual}"
    elif expected != actual and actual not in SPELLINGS.get(str(expected), ()):
        yield f"{where}: expected {expected}, got {actual}"


def statuses(expect):
    return [expect["status"], *(expect.get("also_acceptable") or [])]


def judge(binary, *arguments):
    run = subprocess.run([binary, "judge", *arguments, "-o", "json"], stdin=subprocess.DEVNULL,
                         env={}, capture_output=True, text=True, timeout=30)
    return json.loads(run.stdout), run


def faults_of_single(case, folder, document, run):
    expect = case["expect"]
    row, = document["checks"]
    if row["name"] != case["probe"]:
        yield f"the row is named {row['name']}"
    if row["status"] not in statuses(expect):
        yield f"{row['status']} instead of {expect['status']}: {row['detail']}"
    if (row["next"] is None) != (row["status"] == "ok"):
        yield f"status {row['status']} with next {row['next']}"
    expected_code = 0 if row["reason"] == "not-applicable" else EXIT_CODES[row["status"]]
    if run.returncode != expected_code:
        yield f"exit code {run.returncode}, expected {expected_code}"
    yield from differences(expect.get("details") or {}, row["facts"])


def faults_of_probes(expect, checks):
    shown = {(row["subject"]["name"], row["name"]): row for row in checks if row["subject"]["kind"] == "pod"}
    for pod, probes in expect["per_probe"].items():
        for probe, status in probes.items():
            row = shown.get((pod, probe))
            if row is None or row["status"] != status:
                yield f"{pod}/{probe}: {row and (row['status'], row['detail'])} instead of {status}"


def faults_of_pod(expect, document):
    row, = [row for row in document["checks"] if row["name"] == "pod"]
    if row["status"] not in statuses(expect):
        yield f"pod: {row['status']} instead of {expect['status']}: {row['detail']}"
    yield from differences(expect["details"], row["facts"])


def faults_of_pair(expect, document):
    pair, = document["pairs"]
    if pair["status"] not in statuses(expect):
        yield f"pair: {pair['status']} instead of {expect['status']}: {pair['detail']}"
    if pair["reason"] != expect["details"].get("reason"):
        yield f"pair: reason {pair['reason']}"
    yield from differences({k: v for k, v in expect["details"].items() if k != "reason"}, pair["facts"])


def faults_of_multi(case, folder, document, run):
    expect = case["expect"]
    yield from faults_of_probes(expect, document["checks"])
    yield from (faults_of_pod if case["kind"] == "pod" else faults_of_pair)(expect, document)
    if run.returncode not in {EXIT_CODES[status] for status in statuses(expect)}:
        yield f"exit code {run.returncode}"


def faults(case, folder, binary, schema):
    if case["probe"] == "multi":
        arguments, check = ["--pods", folder / "pods"], faults_of_multi
    else:
        arguments = [case["probe"], "--stdout", folder / "stdout", "--stderr", folder / "stderr",
                     "--rc", (folder / "rc").read_text().strip()]
        check = faults_of_single
    document, run = judge(binary, *arguments)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
        yield f"schema: {error.json_path}: {error.message[:300]}"
    yield from check(case, folder, document, run)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--schema", type=pathlib.Path, required=True)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    case = yaml.safe_load((options.folder / "case.yaml").read_text())
    found = list(faults(case, options.folder, options.bin.resolve() / "kubectl-dynamo_interconnect",
                        json.loads(options.schema.read_text())))
    if found:
        print(f"{case['id']} ({case['probe']})\ntrap: {case['trap']}")
        print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
