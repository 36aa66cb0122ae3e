#!/usr/bin/env python3
"""Fails when files outgrow their budgets, or when text does not belong into the project."""
import pathlib
import re
import statistics
import sys

HEADER_HARD = 250
HEADER_MEDIAN = 80
SOURCE_HARD = 400

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")

# Catch takes a test name that starts with a dash for one of its own options: the test never runs.
NEVER_RUN = re.compile(r'TEST_CASE\("-')


def faults(root):
    """Lines of the form `file: what is wrong`."""
    ours = [p for place in ("lib", "plugin") for p in sorted((root / place).glob("**/*.[ch]pp"))]
    heights = []
    for path in ours:
        text = path.read_text()
        height = len(text.splitlines())
        name = path.relative_to(root)
        if path.suffix == ".hpp":
            heights.append(height)
            if height > HEADER_HARD:
                yield f"{name}: {height} lines, a header has at most {HEADER_HARD}"
            if "#pragma once" not in text:
                yield f"{name}: no #pragma once"
            if not text.startswith("//"):
                yield f"{name}: a header says first what it is for"
        elif height > SOURCE_HARD:
            yield f"{name}: {height} lines, a source file has at most {SOURCE_HARD}"
    if heights and statistics.median(heights) > HEADER_MEDIAN:
        yield f"headers: median {statistics.median(heights)} lines, at most {HEADER_MEDIAN}"
    for path in [*ours, *sorted((root / "tests").glob("**/*.[ch]pp"))]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if UNFINISHED.search(line):
                yield f"{path.relative_to(root)}:{number}: unfinished: {line.strip()}"
            if NEVER_RUN.search(line):
                yield f"{path.relative_to(root)}:{number}: a test name must not start with a dash"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every file keeps its budget")
    sys.exit(1 if found else 0)
