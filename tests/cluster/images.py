"""Images as tarballs, without a registry: docker-archive, one layer, the same bytes every time."""
import hashlib
import io
import json
import os
import pathlib
import subprocess
import tarfile

LIBRARIES = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SHELLS = ("sh", "ash", "hush")


class Layer:
    """A file system as a tar archive: {path: (kind, content, mode)}."""

    def __init__(self):
        self.entries = {}

    def file(self, path, content, mode=0o755):
        self.entries[path.lstrip("/")] = (tarfile.REGTYPE, content, mode)

    def link(self, path, target):
        self.entries.setdefault(path.lstrip("/"), (tarfile.SYMTYPE, target, 0o777))

    def folder(self, path, mode=0o755):
        self.entries.setdefault(path.lstrip("/"), (tarfile.DIRTYPE, b"", mode))

    def copy(self, source, target=None):
        self.file(target or source, pathlib.Path(source).resolve().read_bytes())

    def tree(self, source, target):
        """Everything under a folder."""
        for path, folders, files in os.walk(source):
            place = os.path.join(target, os.path.relpath(path, source))
            self.folder(os.path.normpath(place))
            for name in sorted(folders + files):
                one = pathlib.Path(path, name)
                inside = os.path.normpath(os.path.join(place, name))
                if one.is_symlink():
                    self.link(inside, os.readlink(one))
                elif one.is_fifo():
                    self.entries[inside.lstrip("/")] = (tarfile.FIFOTYPE, b"", 0o666)
                elif one.is_file():
                    self.file(inside, one.read_bytes(), one.stat().st_mode & 0o777)

    def parents(self):
        for path in list(self.entries):
            for parent in list(pathlib.PurePath(path).parents)[:-1]:
                self.folder(str(parent))

    def tar(self):
        self.parents()
        output = io.BytesIO()
        with tarfile.open(fileobj=output, mode="w") as archive:
            for path, (kind, content, mode) in sorted(self.entries.items()):
                entry = tarfile.TarInfo(path)
                entry.type, entry.mode = kind, mode
                if kind != tarfile.REGTYPE:
                    entry.linkname = content if kind == tarfile.SYMTYPE else ""
                    archive.addfile(entry)
                else:
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
        return output.getvalue()


def write_image(path, name, layer, configuration=None):
    """The tarball of an image that consists of one layer."""
    content = layer.tar()
    config = json.dumps({
        "architecture": "amd64", "os": "linux",
        "config": {"Env": [f"PATH={PATH}"], **(configuration or {})},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(content).hexdigest()]},
    }).encode()
    config_name = hashlib.sha256(config).hexdigest() + ".json"
    manifest = json.dumps([{"Config": config_name, "RepoTags": [name], "Layers": ["layer.tar"]}])
    with tarfile.open(path, "w") as archive:
        for file, data in [(config_name, config), ("layer.tar", content),
                           ("manifest.json", manifest.encode())]:
            entry = tarfile.TarInfo(file)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def pause_image(path, name, programs):
    layer = Layer()
    layer.copy(programs["pause"], "/pause")
    return write_image(path, name, layer, {"Entrypoint": ["/pause"]})


def add_shell(layer, kind):
    """The same programs as the simulator gives a tree: see its README."""
    if kind == "none":
        return
    for library in LIBRARIES:
        layer.copy(library)
    layer.copy("/bin/dash", "/bin/sh")
    if kind == "sh-only":
        return
    layer.copy("/bin/busybox")
    if kind == "busybox":
        layer.copy("/bin/busybox", "/bin/sh")
    applets = subprocess.run(["/bin/busybox", "--list"], check=True, capture_output=True, text=True)
    for applet in applets.stdout.split():
        if applet not in SHELLS:
            layer.link(f"/bin/{applet}", "busybox")


def kind_of_shell(root):
    """The `shell:` line of a tree's .kubesim file."""
    settings = pathlib.Path(root, ".kubesim")
    for line in settings.read_text().splitlines() if settings.exists() else []:
        key, _, value = line.partition(":")
        if key == "shell":
            return value.strip()
    return "full"


def map_missing_libraries(layer, root, place):
    """What the engine has mapped and the tree does not hold: an empty file is enough to map."""
    for maps in pathlib.Path(root, "proc").glob("*/maps"):
        for line in maps.read_text(errors="replace").split("\n"):
            begin = line.find("/")
            path = f"{place}{line[begin:]}"
            if begin >= 0 and path.lstrip("/") not in layer.entries:
                layer.file(path, b"", 0o644)


def worker_image(path, name, roots, programs):
    """All trees of a scenario as one image: which of them a container shows is said by its
    environment (see standin/launch.c), so that both roles run the same image."""
    layer = Layer()
    add_shell(layer, kind_of_shell(roots[0]) if roots else "full")
    layer.file("/bin/python3", programs["launch"].read_bytes(), 0o4755)
    layer.copy(programs["engine"], "/scenario/engine")
    layer.folder("/tmp", 0o1777)
    for root in roots:
        place = f"/scenario/{root.name}"
        layer.tree(root, place)
        map_missing_libraries(layer, root, place)
        layer.folder(f"{place}/tmp", 0o1777)
        for inside in os.listdir(root):
            if (root / inside).is_dir():
                layer.folder(f"/{inside}")
    return write_image(path, name, layer)
