"""Fetches the packages of packages.txt, and keeps the audio files in them."""
import hashlib, io, json, os, re, subprocess, sys, tarfile, urllib.request, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXTENSIONS = set("""3g2 3ga 3gp 3gpp aa aa3 aac aax ac3 adts adx aif aifc aiff alac amr ape asf ast at3 au avi avr awb bwf
caf dff divx dsf dts dv eac3 ec3 f4a f4v fap flac flv gsm htk iff ircam kar m1v m2a m2ts m4a m4b m4p m4r m4v mka mkv mlp
mov mp1 mp2 mp3 mp4 mpa mpc mpeg mpg mpp mts mxf nist nut oga ogg ogm ogv ogx oma opus paf pvf qt ra ram rf64 rm rmvb sd2
sds sf shn snd spx tak thd tta ts voc vob vqf w64 wav wave weba webm wma wmv wv wve xi""".split())
# A corpus of tests has few files as large as this; what is larger is a film.
MOST_BYTES = 64 << 20


class Fetched:
    """What became of one package."""

    def __init__(self, name):
        self.name, self.files, self.problem = name, 0, None


def packages():
    with open(os.path.join(HERE, "packages.txt")) as lines:
        return [line.split() for line in lines if line.strip() and not line.startswith("#")]


class Debian:
    """Downloads packages with the machine's own sources, to which it adds their source packages."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        self.config = os.path.join(folder, "apt.conf")
        with open(self.config, "w") as file:
            file.write(f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{folder}/parts";\n'
                       f'Dir::State::lists "{folder}/lists";\nDir::Cache "{folder}/cache";\n'
                       'APT::Sandbox::User "root";\n')
        self._add_sources()
        self.run("apt-get", "-q", "update")

    def _add_sources(self):
        for place, name in (("/etc/apt/sources.list.d/debian.sources", "debian.sources"),
                            ("/etc/apt/sources.list", "debian.list")):
            try:
                with open(place) as file:
                    text = file.read()
            except FileNotFoundError:
                continue
            text = re.sub(r"(?m)^Types:.*$", "Types: deb deb-src", text)
            text += re.sub(r"(?m)^deb ", "deb-src ", "".join(
                line for line in text.splitlines(True) if line.startswith("deb ")))
            with open(os.path.join(self.folder, "parts", name), "w") as file:
                file.write(text)

    def run(self, *command, folder=None):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                              env=os.environ | {"APT_CONFIG": self.config})
        if done.returncode != 0:
            raise RuntimeError((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
        return done.stdout

    def package(self, name, into):
        self.run("apt-get", "-q", "download", name, folder=into)
        return [os.path.join(into, entry) for entry in os.listdir(into) if entry.endswith(".deb")]

    def source(self, name, into):
        self.run("apt-get", "-q", "source", "--download-only", "--only-source", "--tar-only", name, folder=into)
        return [os.path.join(into, entry) for entry in os.listdir(into) if ".orig" in entry and ".tar." in entry
                and not entry.endswith(".asc")]


def from_pypi(name, into):
    """Downloads the newest source archive of a Python package, and checks it."""
    request = urllib.request.Request(f"https://pypi.org/simple/{name}/",
                                     headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        archives = [file for file in json.load(answer)["files"]
                    if file["filename"].endswith((".tar.gz", ".tar.bz2")) and not file.get("yanked")]
    if not archives:
        raise RuntimeError("PyPI has no source archive")
    newest = max(archives, key=lambda file: file.get("upload-time", ""))
    with urllib.request.urlopen(newest["url"], timeout=600) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != newest["hashes"]["sha256"]:
        raise RuntimeError(f"{newest['filename']} is not what PyPI says")
    place = os.path.join(into, newest["filename"])
    with open(place, "wb") as file:
        file.write(data)
    return [place]


def fetch(folder, wanted=None):
    """Fetches what is not there yet; returns what became of each package."""
    debian, results = None, []
    for kind, name in packages():
        if wanted and name not in wanted:
            continue
        result = Fetched(name)
        results.append(result)
        place = os.path.join(folder, "files", name)
        done = os.path.join(folder, "done", name)
        if not os.path.exists(done):
            try:
                if kind != "pypi":
                    debian = debian or Debian(os.path.join(folder, "apt"))
                download(debian, kind, name, os.path.join(folder, "downloads", name), place)
                os.makedirs(os.path.dirname(done), exist_ok=True)
                open(done, "w").close()
            except (RuntimeError, tarfile.TarError, OSError, KeyError, ValueError) as error:
                result.problem = str(error)
        result.files = sum(len(names) for _, _, names in os.walk(place))
        print(f"{name}: {result.problem or f'{result.files} files'}", file=sys.stderr, flush=True)
    return results


def download(debian, kind, name, downloads, place):
    os.makedirs(downloads, exist_ok=True)
    if kind == "pypi":
        archives = from_pypi(name, downloads)
    else:
        archives = debian.package(name, downloads) if kind == "deb" else debian.source(name, downloads)
    for archive in archives:
        if archive.endswith(".deb"):
            with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as tar:
                keep(tar.stdout, place)
        else:
            decoder = {"xz": "xz", "gz": "gzip", "bz2": "bzip2", "zst": "zstd"}[archive.rsplit(".", 1)[1]]
            with subprocess.Popen([decoder, "-dc", archive], stdout=subprocess.PIPE) as tar:
                keep(tar.stdout, place)
    for entry in os.listdir(downloads):
        os.remove(os.path.join(downloads, entry))


def keep(stream, place):
    """Writes the audio files of an archive below `place`, and those in zip archives within it."""
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            if not member.isfile() or member.size > MOST_BYTES:
                continue
            if extension(member.name) in EXTENSIONS:
                write(place, member.name, archive.extractfile(member).read())
            elif extension(member.name) in ("zip",):
                keep_zipped(archive.extractfile(member).read(), member.name, place)


def keep_zipped(data, name, place):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if extension(entry.filename) in EXTENSIONS and entry.file_size <= MOST_BYTES:
                    write(place, f"{name}/{entry.filename}", archive.read(entry))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        pass


def extension(name):
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""


def write(place, name, data):
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    path = os.path.join(place, *parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def files(folder, wanted=None):
    """The fetched files, each content once, in the order of their names."""
    seen, found = set(), []
    for base, folders, names in os.walk(os.path.join(folder, "files")):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(base, name)
            package = os.path.relpath(path, os.path.join(folder, "files")).split(os.sep)[0]
            if wanted and package not in wanted:
                continue
            with open(path, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").digest()
            if digest not in seen:
                seen.add(digest)
                found.append(path)
    return found
