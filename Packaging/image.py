"""The OCI image, made without an engine, and its proof."""
import datetime, gzip, hashlib, io, json, os, subprocess, tarfile, tempfile
from pathlib import Path

import deb, licenses, roots, trials
from stage import ROOT, run

USER = 65534
# What the image brings of what the program loads when it is needed; a container has no sound devices.
LOADED = ("libavformat", "libcairo", "libfontconfig", "libfribidi")
FONTS = "fonts-dejavu-core"
EXCLUDED = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*", "/usr/share/lintian/*", "/usr/share/doc/*")


def system(stage, folder):
    """Makes the file system of the image as a tar archive in a folder; returns its path."""
    package = deb.make(stage, folder)
    _, _, codename = deb.release()
    address, components, _ = roots.RELEASES[codename]
    needed = [part.split(" ")[0] for part in run("dpkg-deb", "--field", package, "Depends").strip().split(", ")]
    cache = run("/sbin/ldconfig", "-p")
    needed += [deb.package_of_library(stage.loaded[stem], cache) for stem in LOADED] + [FONTS]
    archive = folder / "root.tar"
    run("unshare", "--mount", "mmdebstrap", "--quiet", "--variant=essential", "--aptopt=Acquire::Retries \"3\"",
        f"--include={','.join(needed)}",
        *(f"--dpkgopt=path-exclude={pattern}" for pattern in EXCLUDED),
        "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        "--dpkgopt=path-include=/usr/share/doc/scaleaudio/*",
        f"--customize-hook=upload {package} /scaleaudio.deb",
        '--customize-hook=chroot "$1" dpkg --install /scaleaudio.deb >/dev/null',
        '--customize-hook=rm "$1/scaleaudio.deb"; mkdir -m 1777 "$1/work"',
        # What differs from run to run, and what an image needs no more.
        '--customize-hook=find "$1/var/log" "$1/var/cache" -type f -delete; rm -f "$1"/var/lib/dpkg/*-old "$1"/etc/*-',
        codename, archive, "-", input=f"deb {address} {codename} {components}\n",
        env=os.environ | {"SOURCE_DATE_EPOCH": str(stage.epoch)})
    return archive


def make(stage, folder):
    """Makes the image in a folder, as one archive in the OCI layout; returns its path."""
    machine = run("dpkg", "--print-architecture").strip()
    package = folder / f"scaleaudio-{stage.version}-oci.tar"
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    with tempfile.TemporaryDirectory() as scratch:
        tree = system(stage, Path(scratch)).read_bytes()
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as layer:
        layer.write(tree)
    created = datetime.datetime.fromtimestamp(stage.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = "org.opencontainers.image"
    labels = {
        f"{name}.title": "scaleaudio", f"{name}.version": stage.version, f"{name}.revision": stage.revision,
        f"{name}.description": "Makes audio files longer or shorter, in bulk, with nothing lost",
        f"{name}.licenses": licenses.WHOLE, f"{name}.created": created,
    }
    config = {
        "created": created, "architecture": machine, "os": "linux",
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/scaleaudio"], "Cmd": ["--help"], "WorkingDir": "/work",
            "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"],
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(tree).hexdigest()}"]},
        "history": [{"created": created, "created_by": "scripts/package oci"}],
    }
    manifest = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode(), "config.v1+json"),
        "layers": [blob(packed.getvalue(), "layer.v1.tar+gzip")], "annotations": labels,
    }
    described = blob(json.dumps(manifest).encode(), "manifest.v1+json")
    index = {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [described | {
            "platform": {"architecture": machine, "os": "linux"},
            "annotations": {f"{name}.ref.name": stage.version}}],
    }
    files = {"oci-layout": json.dumps({"imageLayoutVersion": "1.0.0"}).encode(), "index.json": json.dumps(index).encode()}
    files |= {f"blobs/sha256/{digest}": data for digest, data in sorted(blobs.items())}
    with tarfile.open(package, "w", format=tarfile.PAX_FORMAT) as archive:
        for path in ("blobs", "blobs/sha256", *files):
            entry = tarfile.TarInfo(path)
            entry.mtime = stage.epoch
            if path in files:
                entry.size = len(files[path])
                archive.addfile(entry, io.BytesIO(files[path]))
            else:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
    return package


class Container:
    """The unpacked image, run by runc: read-only, as its own user, without network and capabilities."""

    def __init__(self, bundle, work):
        self.bundle = bundle
        self.path = work
        self.config = json.loads((bundle / "config.json").read_text())

    def run(self, *command, fails=False, user=None):
        """Runs a program of the image; the first word of a `scaleaudio` command is the image's entry point."""
        config = json.loads(json.dumps(self.config))
        process = config["process"]
        process["terminal"] = False
        entry = process["args"][:1]
        process["args"] = entry + list(map(str, command[1:])) if command[0] == "scaleaudio" else list(map(str, command))
        process["capabilities"] = {}
        process["noNewPrivileges"] = True
        config["root"]["readonly"] = True
        config["mounts"].append({"destination": "/work", "type": "bind", "source": str(self.path), "options": ["bind", "rw"]})
        kinds = {space["type"] for space in config["linux"]["namespaces"]}
        config["linux"]["namespaces"] += [{"type": "network"}] if "network" not in kinds else []
        (self.bundle / "config.json").write_text(json.dumps(config))
        done = subprocess.run(["runc", "run", "--bundle", self.bundle, f"scaleaudio-{os.getpid()}"],
                              text=True, capture_output=True, stdin=subprocess.DEVNULL)
        if fails:
            return done.returncode, done.stdout + done.stderr
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode} in runc\n{done.stdout}{done.stderr}")
        return done.stdout


def check(stage, package, systems):
    """Proves the image; yields what was proved."""
    first = package.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        if make(stage, Path(folder)).read_bytes() != first:
            raise SystemExit(f"{package}: made a second time, it is another")
    yield "made twice, the same bytes"
    with tempfile.TemporaryDirectory(dir=systems) as folder:
        layout, bundle, work = (Path(folder, name) for name in ("layout", "bundle", "work"))
        work.mkdir()
        work.chmod(0o777)
        text = json.loads(run("skopeo", "inspect", f"oci-archive:{package}"))
        if text["Labels"]["org.opencontainers.image.version"] != stage.version:
            raise SystemExit(f"{package}: skopeo reads {text}")
        run("skopeo", "copy", "--insecure-policy", f"oci-archive:{package}", f"docker-archive:{folder}/docker.tar:scaleaudio:{stage.version}")
        yield "skopeo reads it, and writes it as an archive of Docker"
        layout.mkdir()
        run("tar", "-xf", package, "-C", layout)
        run("umoci", "unpack", "--image", f"{layout}:{stage.version}", bundle)
        container = Container(bundle, work)
        for name in (trials.SOURCE,):
            (work / "in.flac").write_bytes((ROOT / "Samples" / name).read_bytes())
        if container.run("id", "-u").strip() != str(USER):
            raise SystemExit(f"{package}: does not run as user {USER}")
        status, text = container.run("sh", "-c", "touch /usr/bin/x", fails=True)
        if status == 0 or "Read-only" not in text:
            raise SystemExit(f"{package}: its root can be written to: {text}")
        yield f"runc runs it with a read-only root as user {USER}, without network and capabilities"
        if stage.version not in container.run("scaleaudio", "--version"):
            raise SystemExit(f"{package}: another version than {stage.version}")
        frames, wanted = trials.expected(stage)
        for name in ("out.flac", "out.m4a"):
            container.run("scaleaudio", "-f", str(trials.FACTOR), "in.flac", "-o", name)
            length = json.loads(container.run("scaleaudio", "info", "--json", name))["inputFrames"]
            if length != wanted:
                raise SystemExit(f"{package}: {name} has {length} frames, not {wanted}")
        if int(run("metaflac", "--show-total-samples", work / "out.flac")) != wanted:
            raise SystemExit(f"{package}: metaflac finds other than {wanted} frames in its output")
        yield f"{frames} frames of FLAC become {wanted}, also as AAC in M4A"
        container.run("scaleaudio", "plot", "in.flac", "-o", "in.png")
        if not (work / "in.png").read_bytes().startswith(b"\x89PNG"):
            raise SystemExit(f"{package}: plot writes no PNG")
        yield "plot draws a PNG"
        status, text = container.run("scaleaudio", "-f", "2", "missing.flac", fails=True)
        if status != 66 or "missing.flac" not in text:
            raise SystemExit(f"{package}: a missing file ends with {status}: {text}")
        yield "a missing file ends with status 66"
        tree = bundle / "rootfs"
        without = [name for name in os.listdir(tree / "usr/share/doc")
                   if not (tree / "usr/share/doc" / name / "copyright").exists()]
        if without or not (tree / "usr/share/doc/scaleaudio/scaleaudio.spdx.json.gz").exists():
            raise SystemExit(f"{package}: no copyright file for {without}, or no list of contents")
        yield "every package in it has its copyright file"
