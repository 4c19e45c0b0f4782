"""The package of libscaleaudio for this release of Debian or Ubuntu, and its proof."""
import email.utils, hashlib, os, re, subprocess, tempfile
from pathlib import Path

import licenses, roots
from deb import maintainer, pack, release
from stage import ROOT, made_twice, run, set_times

TEXT = """ libscaleaudio changes the time of samples in memory, exact to the frame: by
 interpolation, by band-limited resampling, or by stretching that keeps the
 pitch. It is the engine of the program scaleaudio."""

OVERRIDES = """# The library is linked to Swift's libraries, which Debian does not have.
{name}: embedded-library *
# It was never uploaded, so no bug asks for it.
{name}: initial-upload-closes-no-bugs *
# All functions came with the first version.
{name}: no-symbols-control-file *
"""


def name(stage):
    """The package's name, with the number of the interface."""
    return f"libscaleaudio{stage.library.name.rpartition('.')[2]}"


def version(stage):
    """The version of both packages of the library."""
    identity, number, _ = release()
    return f"{stage.version}-1~{identity}{number}"


def folder_of_libraries():
    """The folder of libraries of this architecture, below the root."""
    return f"usr/lib/{run('dpkg-architecture', '-q', 'DEB_HOST_MULTIARCH').strip()}"


def built(stage, folder, name, section, depends, summary, files, extra=""):
    """Builds a package of files: contents by path below the root, links as strings. Returns its path."""
    architecture = run("dpkg", "--print-architecture").strip()
    package = folder / f"{name}_{version(stage)}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        for place, content in files.items():
            path = tree / place
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                path.symlink_to(content)
            else:
                path.write_bytes(content)
        documents = tree / "usr/share/doc" / name
        documents.mkdir(parents=True)
        (documents / "copyright").write_text(licenses.debian(stage))
        pack(documents / "changelog.gz", (ROOT / "CHANGELOG.md").read_bytes(), stage.epoch)
        pack(documents / "changelog.Debian.gz", (
            f"scaleaudio ({version(stage)}) unstable; urgency=medium\n\n  * Version {stage.version}.\n\n"
            f" -- {maintainer()}  {email.utils.formatdate(stage.epoch)}\n").encode(), stage.epoch)
        overrides = tree / "usr/share/lintian/overrides" / name
        overrides.parent.mkdir(parents=True)
        overrides.write_text(OVERRIDES.format(name=name))
        control = tree / "DEBIAN"
        control.mkdir()
        installed = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink() and control not in path.parents)
        (control / "md5sums").write_text("".join(
            f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in installed))
        size = sum(-(-path.stat().st_size // 1024) for path in installed) + len(list(tree.rglob("*")))
        (control / "control").write_text(f"""Package: {name}
Source: scaleaudio
Version: {version(stage)}
Section: {section}
Priority: optional
Architecture: {architecture}
Multi-Arch: same
Maintainer: {maintainer()}
Installed-Size: {size}
Depends: {depends}
Description: {summary}
{TEXT}
""")
        if extra:
            (control / "triggers").write_text(extra)
            (control / "shlibs").write_text(f"libscaleaudio {name.removeprefix('libscaleaudio')} {name} (>= {stage.version})\n")
        set_times(tree, stage.epoch)
        package.unlink(missing_ok=True)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, package,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(stage.epoch)})
    return package


def libraries_needed(library):
    """The packages that the library depends on, by dpkg-shlibdeps."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder, "debian/control")
        control.parent.mkdir()
        control.write_text("Source: scaleaudio\n\nPackage: libscaleaudio\nArchitecture: any\n")
        text = run("dpkg-shlibdeps", "-O", library, cwd=folder)
    return re.search(r"^shlibs:Depends=(.*)$", text, re.MULTILINE)[1]


def make(stage, folder):
    """Makes the package in a folder; returns its path."""
    library = stage.library.resolve()
    return built(
        stage, folder, name(stage), "libs", libraries_needed(library), "Makes samples in memory longer or shorter",
        {f"{folder_of_libraries()}/{library.name}": library.read_bytes()}, extra="activate-noawait ldconfig\n")


def lint(package):
    """Fails where lintian finds an error or a warning."""
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--info", package], text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{package}: lintian complains\n{done.stdout}{done.stderr}")
    return "lintian finds nothing"


def check(stage, package, systems):
    """Proves the package; yields what was proved."""
    yield made_twice(make, stage, package)
    yield lint(package)
    with roots.system(release()[2], systems) as system:
        system.put(package, "/root/lib.deb")
        system.run("apt-get", "update", "-qq")
        system.run("apt-get", "install", "-qq", "--no-install-recommends", "/root/lib.deb")
        if stage.library.name not in system.run("/sbin/ldconfig", "-p"):
            raise SystemExit(f"{package}: the loader does not find {stage.library.name}")
        system.run("apt-get", "remove", "-qq", "--purge", name(stage))
    yield "the loader finds the library"
