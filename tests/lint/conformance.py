#!/usr/bin/env python3
"""Fails when a numbered case of client-go's and kubectl's behaviour is neither the name of a test nor a
row of docs/deviations.md, or is claimed to be both.

A test claims the ids in its name; `KP1 (deviation)` claims to hold what we do instead.

usage: conformance.py ROOT BUILD_DIRECTORY
"""
import json
import pathlib
import re
import subprocess
import sys

# Kubeconfig parsing, client-go's loader, client config, validation, merged builder, overrides, exec plugins
# and rest/transport/net; the truth table of execs, the decoder of their Status, bugs reported by users.
GROUPS = {"KP": 21, "L": 15, "C": 16, "V": 10, "M": 5, "O": 1, "X": 10, "R": 5, "WS": 16, "ST": 9, "I": 30}
IDS = [f"{group}{number}" for group, count in GROUPS.items() for number in range(1, count + 1)]

CLAIM = re.compile(rf"\b((?:{'|'.join(GROUPS)})[1-9]\d?)\b( \(deviation\))?")


def claims(names):
    """(ids whose tests hold what kubectl does, ids whose tests hold what we do instead)."""
    found = [match for name in names for match in CLAIM.finditer(name)]
    return ({match[1] for match in found if not match[2]}, {match[1] for match in found if match[2]})


def listed(page):
    """The ids in the first column of the page's tables."""
    cells = re.findall(r"^\| ([^|]+?) \|", page, re.M)
    return {cell for cell in cells if CLAIM.fullmatch(cell)}


def faults(names, page):
    """Lines of the form `id: what is wrong`."""
    conforming, deviating = claims(names)
    rows = listed(page)
    for case in IDS:
        if case not in conforming | deviating | rows:
            yield f"{case}: neither the name of a test nor a row of docs/deviations.md"
        if case in rows and case in conforming:
            yield f"{case}: a row of docs/deviations.md, and a test that claims to conform"
        if case in deviating - rows:
            yield f"{case}: a test holds a deviation that is no row of docs/deviations.md"
    for case in sorted((conforming | deviating | rows) - set(IDS)):
        yield f"{case}: there is no such case"


def names_of(build):
    """The tests as ctest sees them."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
    return [test["name"] for test in json.loads(shown.stdout)["tests"]]


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = names_of(build)
    missing = [name for name in names if name.endswith("_NOT_BUILT")]
    if missing:
        sys.exit(f"not built, so its tests are not known: {', '.join(missing)}")
    found = list(faults(names, (root / "docs/deviations.md").read_text()))
    print("\n".join(found) or f"{len(IDS)} cases, each a named test or a listed deviation")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
