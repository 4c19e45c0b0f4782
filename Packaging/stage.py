"""The program as it is installed: from one release binary, with manual, completions, schemas and licenses."""
import functools, os, re, shutil, subprocess, tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The libraries of every system: the C and C++ libraries, and the loader.
SYSTEM = re.compile(r"^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libgcc_s|libstdc\+\+)\.so")

# Libraries that the program loads only when they are needed, with what each brings.
LOADED = {
    "libavformat": "formats of FFmpeg: AAC, ALAC, WMA, and many that are only read",
    "libcairo": "plot",
    "libfontconfig": "names of fonts for plot",
    "libfribidi": "Hebrew and Arabic in pictures",
    "libpulse": "play, through PulseAudio or PipeWire",
    "libasound": "play, through ALSA",
    "libsystemd": "media keys for play",
}


def run(*command, **options):
    """Runs a program; returns its output, or fails with what it printed."""
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


@dataclass(frozen=True, order=True)
class Library:
    """A shared library, and the package of this system that it comes from."""

    name: str
    path: Path
    package: str
    version: str
    linked: bool

    @property
    def copyright(self):
        """The copyright file of its package."""
        return Path("/usr/share/doc", self.package, "copyright").read_text(errors="replace")


@functools.cache
def package_of(path):
    """The Debian package that a file belongs to, and its version."""
    path = Path(path)
    for place in (path, path.resolve(), Path(str(path).replace("/usr/lib/", "/lib/")),
                  Path("/usr" + str(path.resolve()))):
        done = subprocess.run(["dpkg-query", "--search", str(place)], text=True, capture_output=True)
        if done.returncode == 0:
            name = done.stdout.split(":")[0]
            version = run("dpkg-query", "--show", "--showformat=${Version}\n", name).split("\n")[0]
            return name, version
    raise SystemExit(f"{path}: belongs to no package; the libraries must be those of this system")


def shared_libraries(path):
    """Name and path of each shared library that a program needs, also through others."""
    found = {}
    for line in run("ldd", path).splitlines():
        if match := re.match(r"\s*(\S+) => (/\S+)", line):
            found[match[1]] = match[2]
    return found


class Stage:
    """One release binary, and what is installed with it; and libscaleaudio, from the folder that `scripts/library` makes."""

    def __init__(self, binary, folder=ROOT / ".build/library"):
        self.binary = Path(binary).resolve()
        if not self.binary.is_file():
            raise SystemExit(f"{self.binary}: no such program; scripts/scaleaudio --version builds it")
        self.folder = Path(folder)
        text = run(self.binary, "--version")
        self.version = re.search(r"\d+\.\d+\.\d+", text)[0]
        self.revision = run("git", "-C", ROOT, "rev-parse", "HEAD").strip()
        # The time stamp of all files of a package, so that the same commit makes the same package.
        self.epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "-C", ROOT, "log", "-1", "--format=%ct"))

    @functools.cached_property
    def library(self):
        """The shared library libscaleaudio, under the name by which programs load it."""
        found = list(self.folder.glob("libscaleaudio.so.[0-9]"))
        if len(found) != 1:
            raise SystemExit(f"{self.folder}: has {len(found)} files libscaleaudio.so.N, not one; scripts/library makes it in .build/library")
        return found[0]

    @functools.cached_property
    def libraries(self):
        """The libraries that the program is linked to, without those of every system."""
        linked = {
            match[1] for match in re.finditer(r"NEEDED\s+(\S+)", run("objdump", "-p", self.binary))}
        libraries = sorted(
            Library(name, Path(path), *package_of(path), name in linked)
            for name, path in shared_libraries(self.binary).items() if not SYSTEM.match(name))
        if any(library.name.startswith("librubberband") for library in libraries):
            raise SystemExit(f"{self.binary}: is linked to Rubber Band, so a package would be under the GPL; "
                             "build it without the trait RubberBand")
        return libraries

    @functools.cached_property
    def loaded(self):
        """The file name of each library in `LOADED`, as the program loads it."""
        strings = run("strings", "-n", "6", self.binary)
        names = {}
        for stem in LOADED:
            match = re.search(rf"^{stem}\.so\.\d+$", strings, re.MULTILINE)
            if not match:
                raise SystemExit(f"{self.binary}: does not load {stem}; packages need a build with all traits")
            names[stem] = match[0]
        return names

    @functools.cached_property
    def loaded_packages(self):
        """The package of each library in `LOADED` on this system, which the loader's cache holds."""
        cache = run("/sbin/ldconfig", "-p")
        packages = {}
        for stem, name in self.loaded.items():
            match = re.search(rf"^\s+{re.escape(name)} .* => (\S+)$", cache, re.MULTILINE)
            if not match:
                raise SystemExit(f"{name}: not installed, so its package is not known; run scripts/setup")
            packages[stem] = package_of(match[1])[0]
        return packages

    @functools.cached_property
    def pages(self):
        """The folder of the manual and completions, which must be those of this program."""
        folder = ROOT / "Tests/CommandTests/Snapshots"
        for shell, name in (("bash", "scaleaudio.bash"), ("zsh", "_scaleaudio"), ("fish", "scaleaudio.fish")):
            if run(self.binary, "--generate-completion-script", shell) != (folder / name).read_text():
                raise SystemExit(f"{folder / name}: not what {self.binary} prints; run scripts/snapshots")
        if run(self.binary, "--generate-manual") != (folder / "scaleaudio.1").read_text():
            raise SystemExit(f"{folder}/scaleaudio.1: not what {self.binary} prints; run scripts/snapshots")
        return folder

    def install(self, prefix, licenses="share/doc/scaleaudio"):
        """Copies everything below a folder, as `scripts/install` does, with licenses and a list of contents."""
        import sbom

        prefix = Path(prefix)
        pages = self.pages

        def put(source, to, mode=0o644):
            target = prefix / to
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(mode)

        put(self.binary, "bin/scaleaudio", 0o755)
        run("strip", "--strip-all", "--remove-section=.comment", prefix / "bin/scaleaudio")
        put(pages / "scaleaudio.1", "share/man/man1/scaleaudio.1")
        for schema in sorted(ROOT.glob("Sources/scaleaudio-cli/Commands/*/*.schema.json")):
            put(schema, f"share/scaleaudio/{schema.name}")
        put(pages / "scaleaudio.bash", "share/bash-completion/completions/scaleaudio")
        put(pages / "_scaleaudio", "share/zsh/site-functions/_scaleaudio")
        put(pages / "scaleaudio.fish", "share/fish/vendor_completions.d/scaleaudio.fish")
        folder = prefix / licenses
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "copyright").write_text(self.copyright())
        (folder / "scaleaudio.spdx.json").write_text(sbom.document(self))

    def copyright(self):
        """The license of the program as a whole, and the copyright of all that is inside it."""
        import licenses

        return licenses.copyright(self)


def set_times(folder, epoch):
    """Gives everything in a folder the same time, and modes that do not depend on the umask."""
    for path in [folder, *sorted(Path(folder).rglob("*"))]:
        if not path.is_symlink():
            executable = path.is_dir() or os.access(path, os.X_OK) and path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def made_twice(make, stage, package):
    """Makes a package again and compares the bytes; returns what was proved."""
    with tempfile.TemporaryDirectory() as folder:
        if make(stage, Path(folder)).read_bytes() != package.read_bytes():
            raise SystemExit(f"{package}: made a second time, it is another")
    return "made twice, the same bytes"
