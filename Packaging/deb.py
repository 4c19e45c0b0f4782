"""The package for this release of Debian or Ubuntu, and its proof."""
import email.utils, gzip, hashlib, os, re, shutil, subprocess, tempfile
from pathlib import Path

import licenses, roots, trials
from stage import ROOT, made_twice, run, set_times

DESCRIPTION = """Makes audio files longer or shorter, in bulk, with nothing lost
 scaleaudio changes the time of audio files, one or ten thousand, exact to the
 frame: by interpolation, by band-limited varispeed, or by stretching that keeps
 the pitch. Format, depth, channel layout, tags, pictures, chapters and marks
 are kept. It mirrors folders, resumes, reports in JSON, plots, plays, and
 serves a folder to a browser.
"""

# Reasons why lintian's complaints do not apply.
OVERRIDES = """# The program is linked to Swift's libraries, which Debian does not have.
scaleaudio: embedded-library *
# It was never uploaded, so no bug asks for it.
scaleaudio: initial-upload-closes-no-bugs *
"""

# Files that people look for besides the program, below the root.
INSTALLED = ["usr/share/man/man1/scaleaudio.1.gz", "usr/share/bash-completion/completions/scaleaudio",
             "usr/share/zsh/vendor-completions/_scaleaudio", "usr/share/fish/vendor_completions.d/scaleaudio.fish",
             "usr/share/doc/scaleaudio/changelog.gz", "usr/share/doc/scaleaudio/changelog.Debian.gz",
             "usr/share/doc/scaleaudio/copyright", "usr/share/doc/scaleaudio/scaleaudio.spdx.json.gz"]


def maintainer():
    """Who made the package, from the variables that Debian's tools use."""
    name = os.environ.get("DEBFULLNAME", "scaleaudio maintainers")
    return f"{name} <{os.environ.get('DEBEMAIL', 'maintainers@scaleaudio.example')}>"


def release():
    """Identifier, version and code name of this system."""
    values = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    return values["ID"], values["VERSION_ID"], values["VERSION_CODENAME"]


def pack(path, data, epoch):
    """Writes a file compressed by gzip, without name and time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(data)


def libraries_needed(tree):
    """The packages that the program depends on, by dpkg-shlibdeps."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder, "debian/control")
        control.parent.mkdir()
        control.write_text("Source: scaleaudio\n\nPackage: scaleaudio\nArchitecture: any\n")
        text = run("dpkg-shlibdeps", "-O", tree / "usr/bin/scaleaudio", cwd=folder)
    return re.search(r"^shlibs:Depends=(.*)$", text, re.MULTILINE)[1]


def make(stage, folder):
    """Makes the package in a folder; returns its path."""
    identity, number, _ = release()
    version = f"{stage.version}-1~{identity}{number}"
    architecture = run("dpkg", "--print-architecture").strip()
    package = folder / f"scaleaudio_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        stage.install(tree / "usr")
        share, documents = tree / "usr/share", tree / "usr/share/doc/scaleaudio"
        (share / "zsh/site-functions").rename(share / "zsh/vendor-completions")
        page = share / "man/man1/scaleaudio.1"
        pack(page.with_suffix(".1.gz"), page.read_bytes(), stage.epoch)
        page.unlink()
        # Debian has this text's parts in /usr/share/common-licenses.
        (documents / "copyright").write_text(licenses.debian(stage))
        list_of_contents = documents / "scaleaudio.spdx.json"
        pack(documents / "scaleaudio.spdx.json.gz", list_of_contents.read_bytes(), stage.epoch)
        list_of_contents.unlink()
        pack(documents / "changelog.gz", (ROOT / "CHANGELOG.md").read_bytes(), stage.epoch)
        pack(documents / "changelog.Debian.gz", (
            f"scaleaudio ({version}) unstable; urgency=medium\n\n  * Version {stage.version}.\n\n"
            f" -- {maintainer()}  {email.utils.formatdate(stage.epoch)}\n").encode(), stage.epoch)
        overrides = share / "lintian/overrides/scaleaudio"
        overrides.parent.mkdir(parents=True)
        overrides.write_text(OVERRIDES)
        files = sorted(path for path in tree.rglob("*") if path.is_file())
        control = tree / "DEBIAN"
        control.mkdir()
        (control / "md5sums").write_text("".join(
            f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files))
        recommended = sorted(set(stage.loaded_packages.values()))
        size = sum(-(-path.stat().st_size // 1024) for path in files) + len(list(tree.rglob("*")))
        (control / "control").write_text(f"""Package: scaleaudio
Version: {version}
Section: sound
Priority: optional
Architecture: {architecture}
Maintainer: {maintainer()}
Installed-Size: {size}
Depends: {libraries_needed(tree)}
Recommends: {', '.join(recommended)}
Description: {DESCRIPTION}""")
        set_times(tree, stage.epoch)
        package.unlink(missing_ok=True)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, package,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(stage.epoch)})
    return package


def check(stage, package, systems):
    """Proves the package; yields what was proved."""
    yield made_twice(make, stage, package)
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--info", package],
                          text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{package}: lintian complains\n{done.stdout}{done.stderr}")
    yield "lintian finds nothing"
    codename = release()[2]
    with roots.system(codename, systems) as system:
        system.put(package, "/root/scaleaudio.deb")
        system.run("apt-get", "update", "-qq")
        system.run("apt-get", "install", "-qq", "--no-install-recommends", "/root/scaleaudio.deb")
        installed = system.run("dpkg-query", "-W").count("\n")
        yield from trials.converts(stage, system, "scaleaudio", without=True)
        system.run("apt-get", "install", "-qq", "--fix-broken", *sorted(set(stage.loaded_packages.values())))
        yield from trials.converts(stage, system, "scaleaudio")
        yield from trials.pictures(system, "scaleaudio")
        for path in INSTALLED:
            if not system.path.joinpath(path).stat().st_size:
                raise SystemExit(f"{package}: /{path} is empty")
        yield "the manual, completions, changelog and copyright are installed"
        system.run("apt-get", "remove", "-qq", "--purge", "scaleaudio")
        left = system.run("sh", "-c", "find / -xdev -name '*scaleaudio*' -not -path '/root/*' -not -path '/proc/*' -not -path '/var/log/*'")
        if left.strip():
            raise SystemExit(f"{package}: removal leaves\n{left}")
        yield f"removal leaves nothing of {installed} packages' system behind"
