#!/usr/bin/env python3
"""Fails when a room includes what the house's plan does not allow (ARCHITECTURE.md shows the plan)."""
import pathlib
import re
import sys

# room -> rooms it may include, itself aside. Data walks one way, so there is no circle in here.
ALLOWED = {
    "base": set(),
    "model": {"base"},
    "kubeconfig": {"model", "base"},
    "net": {"model", "base"},
    "ws": {"model", "base"},
    "kube": {"net", "ws", "model", "base"},
    "discover": {"model", "base"},
    "recipe": {"discover", "model", "base"},
    "probe": {"model", "base"},
    "parse": {"model", "base"},
    "judge": {"model", "base"},
    "verdict": {"model", "base"},
    "render": {"model", "base"},
}

# third-party header prefix -> the rooms that may see it (fmt is everywhere).
OWNERS = {
    "curl/": {"net"},
    "yaml-cpp/": {"kubeconfig", "recipe"},
    "rapidjson/": {"kube", "render", "kubeconfig"},
    "wslay/": {"ws"},
    "openssl/": {"ws"},
    "CLI/": {"plugin"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def room_of(path, root):
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "lib" else "plugin"


def faults(root):
    """Lines of the form `file:line: what is wrong`."""
    for path in sorted([*root.glob("lib/**/*.[ch]pp"), *root.glob("plugin/**/*.[ch]pp")]):
        room = room_of(path, root)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match.group(2)
            first = target.split("/")[0]
            where = f"{path.relative_to(root)}:{number}"
            if match.group(1) == '"':
                if room != "plugin" and first != room and first not in ALLOWED.get(room, set()):
                    yield f"{where}: room {room} must not include {target}"
            for prefix, owners in OWNERS.items():
                if target.startswith(prefix) and room not in owners:
                    yield f"{where}: {target} belongs to {', '.join(sorted(owners))}"


if __name__ == "__main__":
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "the rooms include only what they may")
    sys.exit(1 if found else 0)
