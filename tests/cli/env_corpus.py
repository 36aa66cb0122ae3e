#!/usr/bin/env python3
"""One case of tests/data/corpus/env-open through the real binary: `env PATHS` in every format, compared with
what an expert says (its README tells how the cases are read). Prints the case's id and trap when it fails."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import jsonschema
import yaml

STATES = {"fail": {"blocked"}, "error": {"inconclusive", "blocked"}, "skipped": {"inconclusive"},
          "warn": {"degraded"}, "ok": {"ready"}}


def allowed(expected, key="status"):
    return {expected[key], *expected.get("also_acceptable", [])}


class Run:
    """The binary on a copy of the case's input, once for each format."""

    def __init__(self, binary, case, folder):
        self.outputs = {}
        for form in ("json", "table", "wide", "yaml"):
            result = subprocess.run([binary, "env", *case["paths"], "-o", form], cwd=folder, capture_output=True,
                                    text=True, timeout=60, env={"PATH": os.environ["PATH"], "HOME": str(folder)})
            self.outputs[form] = result
        self.code = self.outputs["json"].returncode
        self.stderr = self.outputs["json"].stderr
        text = self.outputs["json"].stdout
        self.report = json.loads(text) if text else {"components": [], "checks": [], "readiness": {"state": None}}
        self.rows = [row for row in self.report["checks"] if row["reason"] != "not-applicable"]

    def everything(self):
        return "".join(result.stdout + result.stderr for result in self.outputs.values())


def mentions(row, subject):
    """A variable, flag or configuration key, in the row's own words."""
    return subject in row["detail"] or row["facts"].get("variable") == subject \
        or subject in row["facts"].get("variables", [])


def is_about(row, component):
    return component in row["subject"]["name"].split(" -> ")


def same_file(given, expected):
    return given == expected or given.endswith("/" + expected)


def faults_of_component(expected, run):
    name = expected["name"]
    same = [one for one in run.report["components"] if one["name"] == name and same_file(one["file"], expected["file"])
            and (expected.get("partial") or (one["graph"] == expected["graph"] and one["role"] == expected["role"]))]
    if len(same) != 1:
        yield f"component {name} of {expected['graph']} as {expected['role']} in {expected['file']}: found {len(same)}"
        return
    found = same[0]
    if "container" in expected and found["container"] != expected["container"]:
        yield f"{name}: container {found['container']}, expected {expected['container']}"
    for variable, value in expected["vars"].items():
        yield from faults_of_variable(name, variable, value, found["vars"].get(variable))
    for variable in expected.get("missing_is_fine", []):
        if variable in found["vars"]:
            yield f"{name}: {variable} is not set, but listed"
        for row in run.rows:
            if row["status"] in ("warn", "fail") and row["facts"].get("variable") == variable and is_about(row, name) \
                    and row["subject"].get("graph") == expected["graph"] and row["name"] != "pair":
                yield f"{name}: {variable} is not set, but {row['status']}: {row['detail']}"


def faults_of_variable(name, variable, expected, found):
    if found is None:
        yield f"{name}: {variable} is not among the variables"
        return
    if found["value"] != expected["value"]:
        yield f"{name}: {variable} has the value {found['value']}, expected {expected['value']}"
    if expected.get("redacted") and not found["redacted"]:
        yield f"{name}: {variable} is not redacted"
    if found["source"] not in {expected["source"], *expected.get("also_source", [])}:
        yield f"{name}: {variable} comes from {found['source']}, expected {expected['source']}"
    if found["status"] not in allowed(expected):
        yield f"{name}: {variable} is {found['status']}, expected {sorted(allowed(expected))}"
    if found["status"] == expected["status"] and found["reason"] != expected.get("reason"):
        yield f"{name}: {variable} is skipped for {found['reason']}, expected {expected.get('reason')}"


def answers(row, finding):
    """The row says the finding, of one of its components or of their pair."""
    return mentions(row, finding["subject"]) and row["status"] in allowed(finding) \
        and any(is_about(row, component) for component in finding["components"])


def faults_of_findings(expect, run):
    findings = expect["findings"]
    failed = {(finding["graph"], finding["subject"]) for finding in findings
              if finding["status"] == "fail" and any(answers(row, finding) for row in run.rows)}
    for finding in findings:
        disagreement = len(finding["components"]) > 1 and (finding["graph"], finding["subject"]) in failed
        if not disagreement and "ok" not in allowed(finding) and not any(answers(row, finding) for row in run.rows):
            yield f"nothing says {finding['status']} of {finding['subject']} in {finding['components']}: {finding['why']}"
    for row in run.rows:
        listed = any(mentions(row, finding["subject"]) and any(is_about(row, one) for one in finding["components"])
                     for finding in findings) or \
            any(mentions(row, variable) and is_about(row, one["name"]) and row["status"] in allowed(value)
                for one in expect["components"] for variable, value in one["vars"].items())
        if row["status"] in ("warn", "fail") and not listed and not row["overriddenBy"]:
            yield f"false alarm: {row['status']} {row['code']} {row['subject']['name']}: {row['detail']}"


def faults_of_overall(expect, run):
    """A run that could not begin has no report, and its exit code says so."""
    also = expect.get("also_acceptable", {})
    overall = {expect["overall"], *also.get("overall", [])}
    states = set().union(*(STATES[one] for one in overall))
    if expect.get("overall_reason") == "not-applicable":
        states.add("not-applicable")
    if run.report["readiness"]["state"] not in states and not (expect["exit_code"] == 2 and run.code == 2):
        yield f"state {run.report['readiness']['state']}, expected one of {sorted(states)}"
    codes = {expect["exit_code"], *also.get("exit_code", [])}
    for form, result in run.outputs.items():
        if result.returncode not in codes:
            yield f"-o {form}: exit code {result.returncode}, expected {sorted(codes)}"


def faults_of_errors(expect, run):
    error = expect.get("error")
    if error and error.get("required", True):
        lines = [str(line) for line in (error.get("line"), *error.get("also_lines", [])) if line]
        named = [line for line in run.stderr.splitlines() if line.startswith("error:") and error["file"] in line]
        if not named:
            yield f"no error names {error['file']}"
        elif lines and not any(f"line {line}" in text for line in lines for text in named):
            yield f"no error names line {lines} of {error['file']}: {named}"
    for skipped in expect.get("skipped_files", []):
        if not skipped.get("optional") and skipped["file"] not in run.outputs["json"].stdout:
            yield f"{skipped['file']} is passed over in silence"
    for text in expect.get("must_say", []):
        if text not in run.outputs["table"].stdout + run.stderr:
            yield f"does not say {text}"


def faults_of_silence(expect, run):
    for text in expect.get("must_not_print", []):
        if text in run.everything():
            yield f"prints {text}"
    for alarm in expect.get("must_not_report", []):
        for row in run.rows:
            if mentions(row, alarm["subject"]) and row["status"] in alarm.get("status", ["warn", "fail"]) \
                    and same_file(row["facts"].get("file", ""), alarm.get("file", row["facts"].get("file", ""))):
                yield f"false alarm: {row['status']} {row['code']}: {row['detail']}"
    for decoy in expect.get("not_a_source", []):
        for component in run.report["components"]:
            found = component["vars"].get(decoy["subject"], {})
            if found.get("value") == decoy["value"] and same_file(found["file"], decoy["file"]):
                yield f"{component['name']}: {decoy['subject']}={decoy['value']} out of {decoy['file']}, {decoy['why']}"


def faults(expect, run):
    for component in expect["components"]:
        yield from faults_of_component(component, run)
    yield from faults_of_findings(expect, run)
    yield from faults_of_overall(expect, run)
    yield from faults_of_errors(expect, run)
    yield from faults_of_silence(expect, run)
    if run.outputs["yaml"].stdout:
        forms = [{key: value for key, value in document.items() if key != "timing"}
                 for document in (run.report, yaml.safe_load(run.outputs["yaml"].stdout))]
        if forms[0] != forms[1]:
            yield "the YAML form differs from the JSON form"


def faults_of_document(schema, run):
    if run.outputs["json"].stdout:
        for error in jsonschema.Draft202012Validator(schema).iter_errors(run.report):
            yield f"{error.json_path}: {error.message[:300]}"


def set_up(steps, folder):
    for step in steps:
        path = folder / step["path"]
        if step["op"] == "mkdir":
            path.mkdir(parents=True, exist_ok=True)
        elif step["op"] == "chmod":
            path.chmod(int(str(step["mode"]), 8))
        elif step["op"] == "symlink":
            path.symlink_to(step["target"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--schema", type=pathlib.Path, required=True)
    parser.add_argument("case", type=pathlib.Path)
    options = parser.parse_args()
    case = yaml.safe_load((options.case / "case.yaml").read_text())
    with tempfile.TemporaryDirectory(prefix="di-env-") as work:
        folder = pathlib.Path(work) / "case"
        shutil.copytree(options.case, folder, symlinks=True)
        set_up(case.get("setup", []), folder)
        run = Run(options.bin.resolve() / "kubectl-dynamo_interconnect", case, folder)
        found = [*faults(case["expect"], run), *faults_of_document(json.loads(options.schema.read_text()), run)]
    if found:
        print("\n".join([f"case {case['id']}: {case['trap']}", *found, run.stderr]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
