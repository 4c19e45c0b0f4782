"""The archive with its libraries, for people without root, and its proof."""
import os, re, subprocess, tarfile, tempfile
from pathlib import Path

import roots, trials
from stage import made_twice, run, set_times

TEXT = """# scaleaudio {version}

`bin/scaleaudio` runs from where this folder lies, without root. It brings the libraries that it is linked to and needs
only the system's C and C++ libraries: glibc {glibc} or later.

The program loads these when they are needed, and names what is missing: {loaded}.
It takes the system's, in the versions that it was built for: {system}.

- Completions: `share/bash-completion/completions`, `share/zsh/site-functions`, `share/fish/vendor_completions.d`.
- Manual: `man -l share/man/man1/scaleaudio.1`.
- Licenses: `share/doc/scaleaudio/copyright`. The program is under the Apache License 2.0, its libraries under licenses of
  their own, such as the LGPL.
"""


def newest_glibc(paths):
    """The newest version of the C library's symbols that programs or libraries need."""
    versions = {
        tuple(map(int, match.split("."))) for path in paths
        for match in re.findall(r"GLIBC_(\d+\.\d+)", run("objdump", "-T", path))}
    return ".".join(map(str, max(versions)))


def make(stage, folder):
    """Makes the archive in a folder; returns its path."""
    machine = os.uname().machine
    name = f"scaleaudio-{stage.version}-linux-{machine}"
    package = folder / f"{name}.tar.xz"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, name)
        stage.install(tree)
        program = tree / "bin/scaleaudio"
        (tree / "lib").mkdir()
        for library in stage.libraries:
            copy = tree / "lib" / library.name
            copy.write_bytes(library.path.read_bytes())
            run("strip", "--strip-unneeded", copy)
            run("patchelf", "--set-rpath", "$ORIGIN", copy)
        run("patchelf", "--set-rpath", "$ORIGIN/../lib", program)
        system = run("sh", "-c", ". /etc/os-release && echo $PRETTY_NAME").strip()
        (tree / "README.md").write_text(TEXT.format(
            version=stage.version, glibc=newest_glibc([program, *(tree / "lib").iterdir()]), system=system,
            loaded=", ".join(f"`{name}`" for name in sorted(stage.loaded.values()))))
        set_times(tree, stage.epoch)
        program.chmod(0o755)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".tar") as plain:
            with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path in [tree, *sorted(tree.rglob("*"))]:
                    entry = archive.gettarinfo(path, str(path.relative_to(scratch)))
                    entry.uid = entry.gid = 0
                    entry.uname = entry.gname = "root"
                    with open(path, "rb") if path.is_file() else open(os.devnull, "rb") as data:
                        archive.addfile(entry, data if path.is_file() else None)
            plain.flush()
            with open(package, "wb") as packed:
                # One thread, since the number of threads would be seen in the result.
                subprocess.run(["xz", "-9e", "--threads=1", "--stdout", plain.name], stdout=packed, check=True)
    return package


def check(stage, package, systems):
    """Proves the archive; yields what was proved."""
    yield made_twice(make, stage, package)
    for release in ("bookworm", "trixie", "noble"):
        with roots.system(release, systems) as system:
            # As somebody without root, in a folder whose name has a space.
            home = "/srv/some one"
            (system.path / home.lstrip("/")).mkdir()
            run("tar", "-xf", package, "-C", system.path / home.lstrip("/"), "--no-same-owner")
            system.run("chown", "-R", "4711:4711", home)
            program = f"{home}/{package.name.removesuffix('.tar.xz')}/bin/scaleaudio"
            for line in trials.converts(stage, system, program, user=4711, without=True):
                yield f"{release}, without root: {line}"
            used = system.run("ldd", program)
            if foreign := [line for line in used.splitlines() if "=> /" in line and home not in line
                           and not re.search(r"lib(c|m|stdc\+\+|gcc_s|dl|pthread|rt|resolv|util)\.so", line)]:
                raise SystemExit(f"{package}: in {release} it takes the system's {foreign}")
    yield "it takes its own libraries, and of the system only those of C and C++"
