#!/usr/bin/env python3
"""Fails when the run that the README opens with is not what the tool prints today."""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
run = (root / "tests/cli/cases/check-tcp-fallback.out.exp").read_text().rstrip("\n")
readme = (root / "README.md").read_text()
if run not in readme:
    sys.exit("README.md does not show tests/cli/cases/check-tcp-fallback.out.exp as it is")
missing = [words for words in ("./dev demo", "./dev test") if words not in readme]
if missing:
    sys.exit(f"README.md does not name {', '.join(missing)}")
print("the README shows a real run")
