#!/usr/bin/env python3
"""Lays out the seeds of the fuzz targets: a folder for each target, a file for each seed.

They are made of tests/data/corpus (captured tool output, API objects) and of inputs/<target>, which
holds what the corpora lack and every input that once broke a promise."""
import argparse
import json
import pathlib
import shutil

# target -> probes of tests/data/corpus/open whose captured output it reads
PROBES = {
    "ibstat": ["ib-link"],
    "ibv_devinfo": ["ibv-devinfo", "ibv-devinfo-list"],
    "sysfs": ["ib-sysfs"],
    "topology": ["gpu-topology"],
    "nvml": ["gpu-topology"],
    "nvlink": ["nvlink-status"],
    "fabric": ["gpu-fabric"],
    "ucx_info": ["ucx-devices", "ucx-version"],
    "modules": ["gpudirect-modules"],
    "listing": ["ib-devices", "gdrcopy"],
    "memlock": ["memlock"],
    "nixl": ["nixl-tools", "nixl-plugins"],
    "environment": ["env"],
}

NONCE = "5f1d0c7ab2e94c3d"  # as in nonce.hpp

# section of the probe script -> the probe of the corpus whose output it holds, or the input
SECTIONS = {
    "host": "host_facts/host", "nodes": "ib-devices", "rdma": "ib-sysfs", "net": "host_facts/net",
    "engine": "engine_process/engine", "environ": "env", "session": "env", "nixl": "nixl_section/found",
    "ibstat": "ib-link", "ibv_devinfo": "ibv-devinfo", "ucx_info": "ucx-version", "topo": "gpu-topology",
    "nvlink": "nvlink-status", "fabric": "gpu-fabric",
}


class Captured:
    """One captured run of a tool: a folder with stdout, stderr and rc."""

    def __init__(self, folder):
        self.out, self.err = ((folder / name).read_bytes() for name in ("stdout", "stderr"))
        self.rc = int((folder / "rc").read_text())

    def seed(self):
        """As tool_input.hpp takes it apart."""
        return self.out + b"\0" + self.err + b"\0" + bytes([self.rc & 255])


def single_cases(corpus):
    """(probe, Captured) of every case of one probe and every probe of every pod."""
    rows = [line.split("\t") for line in (corpus / "INDEX.tsv").read_text().splitlines()]
    for row in rows:
        if row[1] != "multi":
            yield row[1], row[0], Captured(corpus / row[0])
    for pod in sorted(corpus.glob("multi/*/pods/*")):
        for probe in sorted(pod.iterdir()):
            yield probe.name, "-".join(probe.parts[-4::2] + (pod.name,)), Captured(probe)


def section_text(name, source, captured, inputs):
    if "/" in source:
        return (inputs / source).read_bytes()
    if name == "nodes":
        names = captured.out.decode().split()
        return b"+/dev/infiniband\n" + b"".join(b"/dev/infiniband/%s:open\n" % n.encode() for n in names)
    sign = b"+/sys/class/infiniband\n" if name == "rdma" else b""
    return sign + captured.out + captured.err


def probe_output(probes, inputs):
    """What the probe script would print in a pod with these captured tools."""
    text = b""
    for name, source in SECTIONS.items():
        captured = probes.get(source)
        if captured or "/" in source:
            code = captured.rc if captured else 0
            text += b"\n%s<%s\n%s\n%s>%s %d\n" % (
                NONCE.encode(), name.encode(), section_text(name, source, captured, inputs),
                NONCE.encode(), name.encode(), code)
    return text + b"\n%s.\n" % NONCE.encode()


def containers(corpus):
    for path in sorted(corpus.glob("*/objects/pods.json")):
        for pod in json.loads(path.read_text())["items"]:
            for container in pod["spec"]["containers"]:
                yield container


class Seeds:
    """Writes seeds; a text that a target has already is left out."""

    def __init__(self, out):
        self.out, self.known = out, set()

    def add(self, target, name, text):
        if (target, text) not in self.known:
            self.known.add((target, text))
            folder = self.out / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text)


def add_tools(seeds, corpus, inputs):
    cases = list(single_cases(corpus))
    for probe, name, captured in cases:
        for target, probes in PROBES.items():
            if probe in probes:
                seeds.add(target, f"{probe}-{name}", captured.seed())
        seeds.add("tools", f"{probe}-{name}", captured.seed())
        if captured.rc:
            seeds.add("tool_text", f"{probe}-{name}", captured.seed())
        if probe == "env":
            for number, line in enumerate(captured.out.splitlines()):
                seeds.add("ucx_settings", f"{name}-{number}", line.partition(b"=")[2])
    pods = {path: {probe.name: Captured(probe) for probe in path.iterdir()}
            for path in sorted(corpus.glob("multi/*/pods/*"))}
    ones = {probe: captured for probe, _, captured in cases}
    for path, probes in pods.items():
        for target in ("observe", "sections"):
            name = f"{path.parts[-3]}-{path.name}"
            seeds.add(target, name, probe_output(probes, inputs))
            seeds.add(target, f"{name}-all-tools", probe_output({**ones, **probes}, inputs))


def add_objects(seeds, corpus):
    for path in sorted(corpus.glob("*/objects/*.json")):
        seeds.add("kube_decode", f"{path.parts[-3]}-{path.name}", path.read_bytes())
    for number, container in enumerate(containers(corpus)):
        command, args = container.get("command", []), container.get("args", [])
        words = "\n".join(command) + "\n\n" + "\n".join(args)
        seeds.add("command_line", f"container-{number}", words.encode())
        for word in command + args:
            if " " in word:
                seeds.add("shell_words", f"container-{number}", word.encode())


def add_manifests(seeds, corpus):
    for path in sorted(corpus.glob("discover-open/*/objects/*.json")):
        seeds.add("recipe", f"{path.parts[-3]}-{path.name}", path.read_bytes())
    for path in sorted(corpus.glob("env-open/**/*")):
        if path.is_file():
            name = "-".join(path.relative_to(corpus / "env-open").parts)
            seeds.add("recipe", name, path.read_bytes())


def main():
    parser = argparse.ArgumentParser()
    for name in ("data", "inputs", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    seeds = Seeds(options.out)
    add_tools(seeds, options.data / "corpus/open", options.inputs)
    add_objects(seeds, options.data / "corpus/discover-open")
    add_manifests(seeds, options.data / "corpus")
    for path in sorted(options.inputs.glob("*/*")):
        seeds.add(path.parent.name, path.name, path.read_bytes())
    (options.out / "made").touch()


if __name__ == "__main__":
    main()
