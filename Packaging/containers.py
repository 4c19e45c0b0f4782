"""The proof of the container image: by the specification's schemas, by other programs that read it, and by running it
as a locked-down cluster would."""
import contextlib, gzip, hashlib, json, os, re, signal, subprocess, tempfile, time
from pathlib import Path

import trials
from stage import ROOT, run

# From Debian's golang-github-opencontainers-image-spec-dev.
SCHEMAS = Path("/usr/share/gocode/src/github.com/opencontainers/image-spec/schema")
USER, MEMORY = 65534, 256 << 20


def validator(name):
    """A validator of one of the specification's schemas."""
    import jsonschema, referencing
    from referencing.jsonschema import DRAFT4

    def plain(value):
        # The identifiers inside name addresses that nobody serves, by which references would be resolved.
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items()
                    if key != "$schema" and not (key == "id" and isinstance(part, str))}
        return [plain(part) for part in value] if isinstance(value, list) else value

    if not SCHEMAS.is_dir():
        raise SystemExit(f"{SCHEMAS}: missing; scripts/setup --package installs it")
    texts = {path.name: plain(json.loads(path.read_text())) for path in SCHEMAS.glob("*.json")}
    registry = referencing.Registry().with_resources(
        [(f"https://schemas.example/{key}", DRAFT4.create_resource(text)) for key, text in texts.items()])
    return jsonschema.Draft4Validator({"$ref": f"https://schemas.example/{name}"}, registry=registry)


def validate(package, layout):
    """Holds the layout to the schemas, and every blob to its digest. Yields what was proved."""
    def hold(path, schema):
        document = json.loads(path.read_text())
        for error in validator(schema).iter_errors(document):
            raise SystemExit(f"{package}: {path.name}, {error.json_path}: {error.message}")
        return document

    def blob(descriptor):
        path = layout / "blobs" / descriptor["digest"].replace(":", "/")
        data = path.read_bytes()
        if (f"sha256:{hashlib.sha256(data).hexdigest()}", len(data)) != (descriptor["digest"], descriptor["size"]):
            raise SystemExit(f"{package}: {path.name} does not have its digest and size")
        used.add(path.name)
        return path

    used = set()
    hold(layout / "oci-layout", "image-layout-schema.json")
    index = hold(layout / "index.json", "image-index-schema.json")
    manifest = hold(blob(index["manifests"][0]), "image-manifest-schema.json")
    config = hold(blob(manifest["config"]), "config-schema.json")
    for layer, identifier in zip(manifest["layers"], config["rootfs"]["diff_ids"], strict=True):
        if hashlib.sha256(gzip.decompress(blob(layer).read_bytes())).hexdigest() != identifier.split(":")[1]:
            raise SystemExit(f"{package}: layer {layer['digest']} does not have its diff_id")
    if left := {path.name for path in (layout / "blobs/sha256").iterdir()} - used:
        raise SystemExit(f"{package}: nothing refers to {left}")
    sizes = ", ".join(f"{layer['size'] / 1e6:.1f} MB" for layer in manifest["layers"])
    yield f"valid by the schemas of OCI's specification; digests and diff_ids are right; layers of {sizes}"
    with tempfile.TemporaryDirectory() as folder:
        for transport in ("oci-archive", "docker-archive"):
            run("skopeo", "--insecure-policy", "copy", "--quiet", f"{transport}:{package}", f"dir:{folder}/{transport}")
            found = json.loads(run("skopeo", "inspect", "--config", f"dir:{folder}/{transport}"))
            if found["config"] != config["config"] or found["rootfs"] != config["rootfs"]:
                raise SystemExit(f"{package}: skopeo reads another configuration as {transport}")
    yield "skopeo reads the same image from it as OCI's archive and as Docker's"


def inspect(package, root):
    """Holds what is in the image to its list of contents. Yields what was proved."""
    document = json.loads((root / "usr/share/doc/scaleaudio/scaleaudio.spdx.json").read_text())
    listed = {(entry["name"], entry["versionInfo"]) for entry in document["packages"]
              if entry["SPDXID"].startswith("SPDXRef-deb-")}
    present = set()
    for path in (root / "var/lib/dpkg/status.d").iterdir():
        present.add((path.name, re.search(r"^Version: (.*)$", path.read_text(), re.MULTILINE)[1]))
        if not (root / "usr/share/doc" / path.name / "copyright").resolve().is_file():
            raise SystemExit(f"{package}: no copyright file of {path.name}")
    if not present or listed != present:
        raise SystemExit(f"{package}: its list of contents and its packages differ in {sorted(listed ^ present)}")
    yield f"its SPDX document lists its {len(present)} packages, and each has its copyright file"

    libraries, programs, needs = set(), [], {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if ".so" in path.name:
            libraries.add(path.name)
        if path.is_symlink() or not path.is_file():
            continue
        if path.read_bytes()[:4] == b"\x7fELF":
            needs[name] = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", path))
        if path.stat().st_mode & 0o111 and ".so" not in path.name:
            programs.append(name)
        if path.stat().st_mode & 0o6022:
            raise SystemExit(f"{package}: {name} has mode {path.stat().st_mode & 0o7777:o}")
    missing = sorted({(name, need) for name, all in needs.items() for need in all if need not in libraries})
    if missing:
        raise SystemExit(f"{package}: libraries need others that it lacks: {missing}")
    if programs != ["usr/bin/scaleaudio"]:
        raise SystemExit(f"{package}: can be started: {programs}")
    yield f"every library that its {len(needs)} ELF files need is there; nothing but scaleaudio can be started"


class Runtime:
    """Runs the image as user 65534, without network, capabilities or a root that can be written to."""

    def __init__(self, bundle, folder):
        self.bundle, self.folder = Path(bundle), Path(folder)
        self.config = json.loads((self.bundle / "config.json").read_text())

    def command(self, arguments):
        """The command that runs the program with arguments."""
        raise NotImplementedError

    def end(self):
        """Removes what is left of a container that was killed."""

    def run(self, *arguments, status=0):
        """Runs the program, which must end with a status; returns what it prints."""
        done = subprocess.run(
            self.command(arguments), capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        if done.returncode != status:
            raise SystemExit(f"{self.name}: scaleaudio {' '.join(arguments)}: status {done.returncode}, not {status}\n"
                             f"{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def fault(self):
        """The reason why this runtime cannot run here, or None."""
        try:
            self.run("--version")
        except SystemExit as error:
            return str(error).strip().splitlines()[-1]


class Runc(Runtime):
    """The runtime of Docker and containerd."""

    name = "runc"

    def command(self, arguments):
        self.container = f"scaleaudio-{os.getpid()}-{time.monotonic_ns()}"
        config = json.loads(json.dumps(self.config))
        process = config["process"]
        process |= {"terminal": False, "args": [process["args"][0], *arguments], "noNewPrivileges": True,
                    "capabilities": {}}
        config["root"]["readonly"] = True
        config["mounts"].append(
            {"destination": "/work", "type": "bind", "source": str(self.folder), "options": ["bind", "rw"]})
        config["linux"].setdefault("resources", {})["memory"] = {"limit": MEMORY}
        (self.bundle / "config.json").write_text(json.dumps(config))
        return ["runc", "run", "--bundle", self.bundle, self.container]

    def end(self):
        subprocess.run(["runc", "delete", "--force", self.container], capture_output=True)


class Bubblewrap(Runtime):
    """Namespaces without root and without control groups."""

    name = "bwrap"

    def command(self, arguments):
        process = self.config["process"]
        environment = [part for entry in process["env"] for part in ("--setenv", *entry.split("=", 1))]
        return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups",
                "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
                "--uid", str(USER), "--gid", str(USER), "--ro-bind", self.bundle / "rootfs", "/", "--proc", "/proc",
                "--dev", "/dev", "--bind", self.folder, "/work", "--chdir", process["cwd"], "--clearenv", *environment,
                process["args"][0], *arguments]


def confinement(runtime):
    """The kernel's account of the program while it runs, and of its memory limit."""
    server = subprocess.Popen(runtime.command(["serve", "--read-only"]), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    try:
        process = started(server.pid)
        status = dict(re.findall(r"^(\w+):\s*(.*)$", (process / "status").read_text(), re.MULTILINE))
        if int(status["CapEff"], 16) or int(status["CapPrm"], 16) or status["NoNewPrivs"] != "1":
            raise SystemExit(f"{runtime.name}: the program has privileges: {status}")
        if status["Uid"].split() != [str(USER)] * 4:
            raise SystemExit(f"{runtime.name}: the program runs as {status['Uid']}")
        networks = re.findall(r"^\s*(\w+):", (process / "net/dev").read_text(), re.MULTILINE)
        if networks != ["lo"]:
            raise SystemExit(f"{runtime.name}: the program has networks: {networks}")
        mounts = [line.split() for line in (process / "mountinfo").read_text().splitlines()]
        if "ro" not in next(line[5] for line in reversed(mounts) if line[4] == "/").split(","):
            raise SystemExit(f"{runtime.name}: the root is not read-only")
        limits = [path.read_text().strip() for line in (process / "cgroup").read_text().splitlines()
                  for path in (Path(f"/sys/fs/cgroup/memory{line.split(':')[2]}/memory.limit_in_bytes"),
                               Path(f"/sys/fs/cgroup{line.split(':')[2]}/memory.max"))
                  if path.exists() and line.split(":")[1] in ("memory", "")]
        memory = f"{MEMORY >> 20} MiB of memory" if str(MEMORY) in limits else "no memory limit"
        return (f"as uid {status['Uid'].split()[0]}, no capabilities, no new privileges, read-only root, only lo, "
                f"{memory}")
    finally:
        for child in descendants(server.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
        runtime.end()


def descendants(pid):
    """The processes that a process started, and theirs."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return children + [found for child in children for found in descendants(child)]


def started(pid):
    """The folder in /proc of the program below a process, once it runs."""
    for _ in range(300):
        for child in descendants(pid):
            with contextlib.suppress(OSError):
                process = Path("/proc", str(child))
                if (process / "comm").read_text().strip() == "scaleaudio" and (process / "fd/3").is_symlink():
                    time.sleep(0.5)
                    return process
        time.sleep(0.1)
    raise SystemExit("the program did not start in 30 seconds")


def converts(stage, runtime):
    """Has the program convert, draw and fail in a container. Yields what was proved."""
    if stage.version not in (text := runtime.run("--version")):
        raise SystemExit(f"{runtime.name}: --version prints {text!r}, not {stage.version}")
    if "convert" not in runtime.run("--help"):
        raise SystemExit(f"{runtime.name}: --help does not name convert")
    frames, wanted = trials.expected(stage)
    factor = str(trials.FACTOR)
    runtime.run("-f", factor, "in.flac", "-o", "out.flac")
    length = int(run("metaflac", "--show-total-samples", runtime.folder / "out.flac"))
    if length != wanted:
        raise SystemExit(f"{runtime.name}: {frames} frames became {length}, not {wanted}")
    runtime.run("-f", factor, "in.flac", "-o", "out.m4a")
    if (length := json.loads(runtime.run("info", "--json", "out.m4a"))["inputFrames"]) != wanted:
        raise SystemExit(f"{runtime.name}: out.m4a has {length} frames, not {wanted}")
    # A name that is not ASCII.
    (runtime.folder / "in.flac").rename(runtime.folder / "שלום.flac")
    said = runtime.run("plot", "שלום.flac", "-o", "in.png", "--overwrite")
    picture = (runtime.folder / "in.png").read_bytes()
    if not picture.startswith(b"\x89PNG") or re.search("error|warning", said, re.IGNORECASE):
        raise SystemExit(f"{runtime.name}: plot prints {said!r}")
    (runtime.folder / "שלום.flac").rename(runtime.folder / "in.flac")
    if (runtime.folder / "out.flac").stat().st_uid != USER:
        raise SystemExit(f"{runtime.name}: out.flac does not belong to {USER}")
    yield f"{frames} frames of FLAC become {wanted} in FLAC and in AAC; plot draws a PNG file; files belong to {USER}"
    if "missing.flac" not in runtime.run("-f", factor, "missing.flac", status=66):
        raise SystemExit(f"{runtime.name}: the error does not name missing.flac")
    (runtime.folder / "broken.flac").write_bytes(b"fLaC" + bytes(1000))
    runtime.run("-f", factor, "broken.flac", "-o", "never.flac", status=1)
    runtime.run("-f", factor, "in.flac", "-o", "/out.flac", status=1)
    yield "a missing file ends with 66, a damaged one and an output outside /work with 1"
    yield confinement(runtime)


def check(stage, package, systems):
    """Proves the image; yields what was proved."""
    with tempfile.TemporaryDirectory(dir=systems) as folder:
        layout, bundle, work = Path(folder, "layout"), Path(folder, "bundle"), Path(folder, "work")
        layout.mkdir()
        run("tar", "-xf", package, "-C", layout)
        yield from validate(package, layout)
        run("umoci", "unpack", "--image", f"{layout}:{stage.version}", bundle)
        yield from inspect(package, bundle / "rootfs")
        ran = []
        for path in (folder, bundle):
            os.chmod(path, 0o755)
        for kind in (Runc, Bubblewrap):
            run("rm", "-rf", work)
            work.mkdir()
            (work / "in.flac").write_bytes((ROOT / "Samples" / trials.SOURCE).read_bytes())
            os.chown(work, USER, USER)
            runtime = kind(bundle, work)
            if fault := runtime.fault():
                yield f"{runtime.name}: not tried, because it cannot run here: {fault}"
                continue
            ran.append(runtime.name)
            for line in converts(stage, runtime):
                yield f"{runtime.name}: {line}"
        if not ran:
            raise SystemExit(f"{package}: neither runc nor bwrap can run here, so that it was not tried")
