#!/usr/bin/env python3
"""Stock kubectl starts the plugin under its name, and refuses flags in front of it.

usage: plugin_name_test.py PLUGIN
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import stock_kubectl as stock  # noqa: E402

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def main():
    plugin = pathlib.Path(sys.argv[1]).resolve()
    kubectl, version = stock.find()
    if not kubectl:
        print(f"skipped: {version}")
        return SKIPPED
    environment = {"PATH": f"{plugin.parent}:{os.environ['PATH']}", "HOME": "/nonexistent"}

    def run(*words):
        return subprocess.run([kubectl, *words], env=environment, capture_output=True, text=True, timeout=60)

    behind = run("dynamo-interconnect", "version")
    before = run("-n", "x", "dynamo-interconnect", "version")
    print(f"kubectl {version}\n{behind.stdout}{behind.stderr}{before.stderr}")
    started = behind.returncode == 0 and "dynamo" in behind.stdout
    refused = before.returncode != 0 and "flags cannot be placed before plugin name" in before.stderr
    return 0 if started and refused else 1


if __name__ == "__main__":
    sys.exit(main())
