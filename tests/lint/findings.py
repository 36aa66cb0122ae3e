#!/usr/bin/env python3
"""Fails when docs/findings.md is not what `explain --list -o markdown` prints. UPDATE_GOLDEN=1 rewrites
it, reports the test as failed, and is refused under CI."""
import os
import pathlib
import subprocess
import sys

binary, root = sys.argv[1], pathlib.Path(sys.argv[2])
page = root / "docs/findings.md"
printed = subprocess.run([binary, "explain", "--list", "-o", "markdown"], capture_output=True, text=True, check=True).stdout
if os.environ.get("UPDATE_GOLDEN") == "1":
    if os.environ.get("CI"):
        sys.exit("UPDATE_GOLDEN is for people, not for CI")
    page.write_text(printed)
    sys.exit("rewrote docs/findings.md")
if not page.exists() or page.read_text() != printed:
    sys.exit("docs/findings.md is not what `explain --list -o markdown` prints; UPDATE_GOLDEN=1 rewrites it")
print("docs/findings.md is what explain prints")
