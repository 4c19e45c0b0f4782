"""The container image, made without a container engine.

It holds the program, the libraries that it is linked to and those that it loads, a font, and nothing that could be
started besides: no shell and no package manager. The first layer is this system's packages, as the archive has them;
the second is the program. No maintainer script runs, so nothing needs root.
"""
import contextlib, datetime, hashlib, io, json, os, re, subprocess, tarfile, tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import containers, licenses
from stage import ROOT, run

# One name in every engine, which is never looked for in a public registry.
NAME = "localhost/scaleaudio"
URL = os.environ.get("SCALEAUDIO_URL", "https://scaleaudio.example")
USER, FOLDER = 65534, "/work"

# Of what the program loads, what a container has a use for.
LOADED = ("libavformat", "libcairo", "libfontconfig", "libfribidi")
PACKAGES = ("base-files", "libc6", "libgcc-s1", "libstdc++6", "fonts-dejavu-core")
# Only programs and maintainer scripts use these.
LEFT_OUT = {"awk", "debconf", "fontconfig", "mawk", "shared-mime-info", "ucf"}
# The parts of a package that go into the image: libraries, what they read, and licenses.
KEPT = re.compile(
    r"usr/lib(32|64|x32)?/|etc/(fonts/|os-release$|debian_version$|lsb-release$|ssl/)"
    r"|usr/share/(common-licenses|fontconfig|fonts|libthai|xml/fontconfig)/"
    r"|usr/share/doc/[^/]+(/copyright)?$")
DROPPED = re.compile(r"usr/lib/(mime|systemd|python3|udev|debug)/|.*/glib-2\.0/|.*/gdk-pixbuf-query-loaders$")
# On Debian these are links into /usr, and some packages still name them.
MERGED = re.compile(r"^(bin|sbin|lib|lib32|lib64|libx32)(?=/|$)")

PASSWD = f"root:x:0:0:root:/root:/nonexistent\nnobody:x:{USER}:{USER}:nobody:/nonexistent:/nonexistent\n"
GROUP = f"root:x:0:\nnogroup:x:{USER}:\n"


@dataclass
class Entry:
    """A file, folder or link in a layer."""

    kind: bytes
    time: int
    mode: int = 0o644
    data: object = b""
    link: str = ""
    owner: int = 0


def wanted(stage):
    """The names of the packages that the program needs in a container."""
    loaded = {stage.loaded_packages[stem] for stem in LOADED}
    return sorted({library.package for library in stage.libraries} | set(PACKAGES) | loaded)


def download(names, scratch):
    """Brings packages and what they depend on from the archive, whatever is installed here; returns their files by
    name. Complete downloads are kept in .build."""
    cache = ROOT / ".build/image-packages"
    (cache / "partial").mkdir(parents=True, exist_ok=True)
    nothing = Path(scratch, "status")
    nothing.touch()
    command = ["apt-get", "--yes", "--quiet", "--no-install-recommends", "--download-only"] + [
        f"--option={option}" for option in (
            f"Dir::State::status={nothing}", f"Dir::Cache::archives={cache}", "Dir::Cache::pkgcache=",
            "Dir::Cache::srcpkgcache=", "Debug::NoLocking=1", "APT::Sandbox::User=root", "Acquire::Retries=3")]
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    plan = run(*command, "--simulate", "install", *names, env=environment)
    found = re.findall(r"^Inst (\S+) \((\S+) .*\[(\w+)\]\)", plan, re.MULTILINE)
    if not found:
        raise SystemExit(f"apt-get names no packages for {' '.join(names)}; run apt-get update\n{plan}")
    run(*command, "install", *names, env=environment)
    return {name: cache / f"{name}_{version.replace(':', '%3a')}_{machine}.deb" for name, version, machine in found}


def fields(package):
    """The control fields of a package."""
    text = run("dpkg-deb", "--field", package)
    return dict(re.findall(r"^([\w-]+): (.*(?:\n .*)*)", text, re.MULTILINE))


def closure(names, known):
    """The packages that others need by what they declare, without `LEFT_OUT`."""
    provided = {}
    for name, control in known.items():
        for virtual in re.findall(r"[a-z0-9][a-z0-9+.-]+", re.sub(r"\([^)]*\)", "", control.get("Provides", ""))):
            provided.setdefault(virtual, name)
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        needs = ", ".join(known[name][field] for field in ("Depends", "Pre-Depends") if field in known[name])
        for need in filter(None, map(str.strip, needs.split(","))):
            choices = [re.match(r"[a-z0-9+.-]+", choice.strip())[0] for choice in need.split("|")]
            if LEFT_OUT.intersection(choices):
                continue
            for choice in choices:
                if real := choice if choice in known else provided.get(choice):
                    waiting.append(real)
                    break
            else:
                raise SystemExit(f"{name} needs {need}, which apt-get did not bring")
    return sorted(found)


def system_layer(packages, scratch, archives):
    """The entries of the packages, with what their installation would have added."""
    entries, newest = {}, 0
    for name, (path, control) in packages.items():
        plain = Path(scratch, f"{name}.tar")
        with open(plain, "wb") as file:
            subprocess.run(["dpkg-deb", "--fsys-tarfile", path], stdout=file, check=True)
        archive = archives.enter_context(tarfile.open(plain))
        for member in archive:
            target = MERGED.sub(r"usr/\1", member.name.removeprefix("./"))
            newest = max(newest, int(member.mtime))
            if member.isdir() or not KEPT.match(target) or DROPPED.match(target):
                continue
            if member.issym():
                entries[target] = Entry(tarfile.SYMTYPE, int(member.mtime), 0o777, link=member.linkname)
            else:
                entries[target] = Entry(tarfile.REGTYPE, int(member.mtime), member.mode & 0o755,
                                        (archive, member))
        text = "".join(f"{field}: {value}\n" for field, value in control.items())
        # Scanners look here for the packages of an image that has no package manager.
        entries[f"var/lib/dpkg/status.d/{name}"] = Entry(tarfile.REGTYPE, newest, data=text.encode())
    for name, text in (("passwd", PASSWD), ("group", GROUP), ("nsswitch.conf", "hosts: files dns\n")):
        entries[f"etc/{name}"] = Entry(tarfile.REGTYPE, newest, data=text.encode())
    for name in sorted({name.split("/")[1] for name in entries if re.match(r"usr/lib\w*/", name)} | {"bin", "sbin"}):
        entries[name] = Entry(tarfile.SYMTYPE, newest, 0o777, link=f"usr/{name}")
        entries[f"usr/{name}"] = Entry(tarfile.DIRTYPE, newest, 0o755)
    slight = "usr/share/fontconfig/conf.avail/10-hinting-slight.conf"
    if slight in entries:
        # The default of the package's first question.
        entries["etc/fonts/conf.d/10-hinting-slight.conf"] = Entry(tarfile.SYMTYPE, newest, 0o777, link=f"/{slight}")
    for name, mode in (("dev", 0o755), ("proc", 0o555), ("run", 0o755), ("sys", 0o555),
                       ("tmp", 0o1777), ("var/tmp", 0o1777)):
        entries[name] = Entry(tarfile.DIRTYPE, newest, mode)
    entries[FOLDER.lstrip("/")] = Entry(tarfile.DIRTYPE, newest, 0o755, owner=USER)
    add_font_cache(entries, newest, scratch)
    return entries


def read(entry):
    """The data of an entry."""
    return entry.data if isinstance(entry.data, bytes) else entry.data[0].extractfile(entry.data[1]).read()


def add_font_cache(entries, newest, scratch):
    """Adds fontconfig's cache, which the program could not write below a root that is read-only."""
    tree = Path(scratch, "fonts")
    for name, entry in entries.items():
        if name.startswith(("etc/fonts/", "usr/share/fonts/")):
            target = entries[entry.link.lstrip("/")] if entry.link.startswith("/usr/share/fontconfig/") else entry
            if target.kind == tarfile.REGTYPE:
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_bytes(read(target))
                os.utime(tree / name, (entry.time, entry.time))
    (tree / "var/cache/fontconfig").mkdir(parents=True)
    # A cache is valid for the time of its folder, which is that of all folders in the layer.
    folders = [path for path in (tree / "usr/share/fonts").rglob("*") if path.is_dir()]
    for path in [tree / "usr/share/fonts", *folders]:
        os.utime(path, (newest, newest))
    run("fc-cache", "--sysroot", tree, "--system-only", env=os.environ | {"SOURCE_DATE_EPOCH": str(newest)})
    caches = list((tree / "var/cache/fontconfig").glob("*.cache-*"))
    if not caches:
        raise SystemExit("fc-cache wrote no cache of the fonts in the image")
    for path in caches:
        entries[f"var/cache/fontconfig/{path.name}"] = Entry(tarfile.REGTYPE, newest, data=path.read_bytes())


def contents(stage, packages):
    """The SPDX document of the image: that of the program, and the image's packages."""
    import sbom

    document = json.loads(sbom.document(stage))
    system = run("sh", "-c", ". /etc/os-release && echo $ID").strip()
    document["name"] += "-oci"
    document["packages"].append({
        "SPDXID": "SPDXRef-image", "name": f"{NAME}:{stage.version}", "versionInfo": stage.version,
        "primaryPackagePurpose": "CONTAINER", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "copyrightText": "NOASSERTION", "licenseConcluded": licenses.IMAGE, "licenseDeclared": "NOASSERTION"})
    contained = ["SPDXRef-scaleaudio"]
    for name, (path, control) in packages.items():
        identifier = "SPDXRef-deb-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        source = control.get("Source", name).split(" (")
        origin = source[1].rstrip(")") if len(source) > 1 else control["Version"]
        contained.append(identifier)
        document["packages"].append({
            "SPDXID": identifier, "name": name, "versionInfo": control["Version"],
            "supplier": f"Organization: {control['Maintainer'].split(' <')[0]}",
            "sourceInfo": f"built from source package {source[0]} {origin}",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "copyrightText": "NOASSERTION",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "comment": f"License: /usr/share/doc/{name}/copyright in the image.",
            "checksums": [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}],
            "externalRefs": [{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"pkg:deb/{system}/{quote(name)}@{quote(control['Version'], safe='')}"
                                    f"?arch={control['Architecture']}"}]})
    document["documentDescribes"] = ["SPDXRef-image"]
    document["relationships"][0]["relatedSpdxElement"] = "SPDXRef-image"
    document["relationships"] += [
        {"spdxElementId": "SPDXRef-image", "relationshipType": "CONTAINS", "relatedSpdxElement": part}
        for part in contained]
    digest = hashlib.sha256(json.dumps(document["packages"], sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = f"https://spdx.org/spdxdocs/{document['name']}-{digest[:32]}"
    return json.dumps(document, indent=1) + "\n"


def program_layer(stage, packages, scratch):
    """The entries of the program, its schemas and licenses."""
    tree = Path(scratch, "program")
    stage.install(tree / "usr")
    (tree / "usr/share/doc/scaleaudio/scaleaudio.spdx.json").write_text(contents(stage, packages))
    return {
        str(path.relative_to(tree)): Entry(
            tarfile.REGTYPE, stage.epoch, 0o755 if path.parent.name == "bin" else 0o644, path.read_bytes())
        for place in ("usr/bin", "usr/share/scaleaudio", "usr/share/doc") for path in (tree / place).rglob("*")
        if path.is_file()}


def write_layer(path, entries):
    """Writes a layer in the order of names, with the folders that its entries are in."""
    newest = max(entry.time for entry in entries.values())
    for name in list(entries):
        for parent in list(Path(name).parents)[:-1]:
            entries.setdefault(str(parent), Entry(tarfile.DIRTYPE, newest, 0o755))
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for name, entry in sorted(entries.items()):
            info = tarfile.TarInfo(name)
            info.type, info.mode, info.mtime, info.linkname = entry.kind, entry.mode, entry.time, entry.link
            info.uid = info.gid = entry.owner
            data = read(entry)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def blob(layout, data):
    """Stores data in a layout; returns digest and size, as descriptors have them."""
    digest = hashlib.sha256(data).hexdigest()
    (layout / "blobs/sha256" / digest).write_bytes(data)
    return {"digest": f"sha256:{digest}", "size": len(data)}


def read_blob(layout, descriptor):
    """The JSON that a descriptor leads to."""
    return json.loads((layout / "blobs" / descriptor["digest"].replace(":", "/")).read_text())


def configure(stage, layout, layers):
    """Lets umoci make the image of the layers, and names it as engines expect."""
    image = f"{layout}:{stage.version}"
    moment = datetime.datetime.fromtimestamp(stage.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    run("umoci", "init", "--layout", layout)
    run("umoci", "new", "--image", image)
    for layer, comment in layers:
        run("umoci", "raw", "add-layer", "--image", image, f"--history.created={moment}",
            "--history.author=scaleaudio", "--history.created_by=scripts/package oci",
            f"--history.comment={comment}", layer)
    labels = {
        "title": "scaleaudio", "description": "Makes audio files longer or shorter, exact to the sample",
        "version": stage.version, "licenses": licenses.IMAGE, "source": URL, "created": moment,
        "revision": stage.revision}
    run("umoci", "config", "--image", image, f"--created={moment}", "--no-history", f"--config.user={USER}:{USER}",
        f"--config.workingdir={FOLDER}", "--config.entrypoint=/usr/bin/scaleaudio", "--config.cmd=--help",
        "--config.env=PATH=/usr/bin", "--config.env=LC_ALL=C.UTF-8",
        *(f"--config.label=org.opencontainers.image.{name}={text}" for name, text in labels.items()))
    index = json.loads((layout / "index.json").read_text())
    manifest = read_blob(layout, index["manifests"][0])
    config = read_blob(layout, manifest["config"])
    # umoci leaves this out of manifests, and some registries ask for it.
    manifest["mediaType"] = index["manifests"][0]["mediaType"]
    name = f"{NAME}:{stage.version}"
    index["mediaType"] = "application/vnd.oci.image.index.v1+json"
    index["manifests"] = [{
        "mediaType": manifest["mediaType"], **blob(layout, json.dumps(manifest, sort_keys=True).encode()),
        "platform": {"architecture": config["architecture"], "os": config["os"]},
        "annotations": {"io.containerd.image.name": name, "org.opencontainers.image.ref.name": stage.version}}]
    (layout / "index.json").write_text(json.dumps(index, sort_keys=True))
    run("umoci", "gc", "--layout", layout)
    # For engines that do not know OCI layouts.
    (layout / "manifest.json").write_text(json.dumps([{
        "Config": "blobs/" + manifest["config"]["digest"].replace(":", "/"), "RepoTags": [name],
        "Layers": ["blobs/" + layer["digest"].replace(":", "/") for layer in manifest["layers"]]}]))


def make(stage, folder):
    """Makes the image in a folder; returns the path of its archive."""
    package = Path(folder, f"scaleaudio-{stage.version}-oci.tar")
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as archives:
        names = wanted(stage)
        files = download(names, scratch)
        known = {name: fields(path) for name, path in files.items()}
        packages = {name: (files[name], known[name]) for name in closure(names, known)}
        layout = Path(scratch, "layout")
        configure(stage, layout, [
            (write_layer(Path(scratch, "system.layer"), system_layer(packages, scratch, archives)),
             "packages of this release, with their libraries only"),
            (write_layer(Path(scratch, "program.layer"), program_layer(stage, packages, scratch)),
             f"scaleaudio {stage.version}")])
        entries = {
            str(path.relative_to(layout)): Entry(tarfile.REGTYPE, stage.epoch, data=path.read_bytes())
            for path in layout.rglob("*") if path.is_file()}
        write_layer(package, entries)
    return package


def check(stage, package, systems):
    """Proves the image; yields what was proved."""
    with tempfile.TemporaryDirectory() as folder:
        if make(stage, Path(folder)).read_bytes() != package.read_bytes():
            raise SystemExit(f"{package}: made a second time, it is another")
    yield "made twice, the same bytes"
    yield from containers.check(stage, package, systems)
