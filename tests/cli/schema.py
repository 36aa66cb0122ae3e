#!/usr/bin/env python3
"""Every document that check and plan print satisfies its schema in docs/schema, and its YAML form
holds the same."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import yaml

from run import Cluster

SCENARIOS = ["disagg-ib", "tcp-fallback", "no-sm", "mixed-fabric", "no-tools", "no-shell", "agg-only",
             "crashloop", "disagg-efa", "disagg-gb200", "multinode-grove", "old-operator", "hostile"]
DOCUMENTS = {"check": "check-report", "plan": "plan"}


def without_timing(document):
    return {key: value for key, value in document.items() if key != "timing"}


def faults_of(scenario, binaries, schemas):
    with tempfile.TemporaryDirectory(prefix="di-cli-") as folder:
        work = pathlib.Path(folder)
        cluster = Cluster(binaries / "kubesim", f"--scenario {scenario}", work)
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "KUBECONFIG": str(cluster.kubeconfig)}
        try:
            for command, schema in DOCUMENTS.items():
                texts = [subprocess.run([binaries / "kubectl-dynamo_interconnect", command, "-n", "dynamo-demo",
                                         "-o", form], env=environment, capture_output=True, text=True,
                                        timeout=60).stdout for form in ("json", "yaml")]
                document = json.loads(texts[0])
                for error in jsonschema.Draft202012Validator(schemas[schema]).iter_errors(document):
                    yield f"{scenario}: {command}: {error.json_path}: {error.message[:300]}"
                if command == "check" and without_timing(yaml.safe_load(texts[1])) != without_timing(document):
                    yield f"{scenario}: {command}: the YAML form differs from the JSON form"
        finally:
            cluster.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--schemas", type=pathlib.Path, required=True)
    options = parser.parse_args()
    schemas = {name: json.loads((options.schemas / f"{name}.schema.json").read_text())
               for name in DOCUMENTS.values()}
    faults = [fault for scenario in SCENARIOS for fault in faults_of(scenario, options.bin.resolve(), schemas)]
    print("\n".join(faults) or f"{len(SCENARIOS)} scenarios, every document satisfies its schema")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
