"""The wheel for Python, with the program, libscaleaudio and the libraries of both, and its proof."""
import base64, hashlib, os, re, struct, subprocess, sys, tempfile, time, zipfile, zlib
from pathlib import Path

import roots, trials
from stage import ROOT, made_twice, run, set_times

METADATA = """Metadata-Version: 2.4
Name: scaleaudio
Version: {version}
Summary: Makes audio files longer or shorter, in bulk, with nothing lost
License-Expression: {license}
License-File: copyright
Keywords: audio,resampling,time-stretching,speed perturbation,batch
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Multimedia :: Sound/Audio :: Conversion
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: arrays
Requires-Dist: numpy; extra == 'arrays'
Requires-Dist: soundfile; extra == 'arrays'
Provides-Extra: peaks
Requires-Dist: numpy; extra == 'peaks'
Description-Content-Type: text/markdown

{description}"""

WHEEL = """Wheel-Version: 1.0
Generator: scripts/package
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


# 500 utterances, each of another length; and lines about what the example made of them.
CORPUS = """
import pathlib, numpy, soundfile
folder = pathlib.Path("/tmp/corpus")
folder.mkdir()
random = numpy.random.default_rng(3)
for number in range(500):
    soundfile.write(folder / f"{number}.flac", random.standard_normal(4000 + number) * 0.1, 16000)
    (folder / f"{number}.txt").write_text(f"word {number}")
"""
CHANGED = """
import json, soundfile
cuts = [json.loads(line) for line in open("/tmp/changed/cuts.jsonl")]
assert len(cuts) == 1500
for cut in cuts:
    number = int(cut["id"].split("-")[0])
    [(kind, value)] = cut["custom"].items()
    frames = soundfile.info(cut["recording"]["sources"][0]["source"]).frames
    assert frames == cut["recording"]["num_samples"] == int((4000 + number) * (1 if kind == "pitch" else 1 / value)), cut
    assert cut["supervisions"][0]["text"] == f"word {number}"
print(f"500 utterances augmented in workers make {len(cuts)} cuts with true lengths")
"""


def archive(tree, path, epoch):
    """Packs a folder into a wheel with a record of its files, each with the same time."""
    when = time.gmtime(max(epoch, 315532800))[:6]
    [info] = tree.glob("*.dist-info")
    record = info / "RECORD"
    files = sorted(file for file in tree.rglob("*") if file.is_file() and file != record)
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{file.relative_to(tree)},sha256={digest},{file.stat().st_size}\n")
    record.write_text("".join(lines) + f"{record.relative_to(tree)},,\n")
    # The record comes last, as the specification of wheels recommends.
    write_zip(path, when, (
        (str(file.relative_to(tree)), 0o100755 if file.stat().st_mode & 0o100 else 0o100644, file.read_bytes())
        for file in [*files, record]))
    with zipfile.ZipFile(path) as packed:
        if broken := packed.testzip():
            raise SystemExit(f"{path}: {broken} is not what was packed")


def write_zip(path, when, files):
    """Writes names, modes and contents of files, compressed by libdeflate, 4 % smaller than by zlib, which is all that zipfile takes."""
    import deflate

    moment = struct.pack("<2H", when[3] << 11 | when[4] << 5 | when[5] // 2, when[0] - 1980 << 9 | when[1] << 5 | when[2])
    place, directory = 0, []
    with open(path, "wb") as archive:
        for name, mode, content in files:
            packed = deflate.deflate_compress(content, 12)
            # Version 2.0, deflated; time, checksum, sizes, and the length of the name.
            common = struct.pack("<3H4s3L2H", 20, 0, 8, moment, zlib.crc32(content), len(packed), len(content), len(name), 0)
            # Made on Unix, so that modes count.
            directory.append(b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + common + struct.pack(
                "<3H2L", 0, 0, 0, mode << 16, place) + name.encode("ascii"))
            place += archive.write(b"PK\3\4" + common + name.encode("ascii") + packed)
        size = archive.write(b"".join(directory))
        archive.write(b"PK\5\6" + struct.pack("<4H2LH", 0, 0, len(directory), len(directory), size, place, 0))


def make(stage, folder):
    """Makes the wheel in a folder; returns its path."""
    import licenses

    platform = f"linux_{os.uname().machine}"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        info = tree / f"scaleaudio-{stage.version}.dist-info"
        data = tree / f"scaleaudio-{stage.version}.data/data"
        stage.install(data)
        module = tree / "scaleaudio"
        module.mkdir()
        sources = ROOT / "Python/scaleaudio"
        for source in sorted(sources.rglob("*")):
            if source.is_file() and source.suffix != ".pyc":
                copy = module / source.relative_to(sources)
                copy.parent.mkdir(exist_ok=True)
                copy.write_text(source.read_text().replace("@VERSION@", stage.version))
        (module / "lib").mkdir()
        (module / "lib" / stage.library.name).write_bytes(stage.library.read_bytes())
        (module / "bin").mkdir()
        (data / "bin/scaleaudio").rename(module / "bin/scaleaudio")
        (data / "bin").rmdir()
        info.mkdir()
        documents = data / "share/doc/scaleaudio"
        (info / "licenses").mkdir()
        (documents / "copyright").rename(info / "licenses/copyright")
        (info / "sboms").mkdir()
        (documents / "scaleaudio.spdx.json").rename(info / "sboms/scaleaudio.spdx.json")
        documents.rmdir()
        documents.parent.rmdir()
        (info / "METADATA").write_text(METADATA.format(
            version=stage.version, license=licenses.WHOLE, description=(ROOT / "docs/python.md").read_text()))
        (info / "WHEEL").write_text(WHEEL.format(platform=platform))
        (info / "entry_points.txt").write_text("[console_scripts]\nscaleaudio = scaleaudio.__main__:main\n")
        set_times(tree, stage.epoch)
        plain = Path(scratch, f"scaleaudio-{stage.version}-py3-none-{platform}.whl")
        archive(tree, plain, stage.epoch)
        # Brings the libraries, and finds the oldest C library that will do, which is the platform in the name.
        run(sys.executable, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", scratch + "/repaired", plain,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(stage.epoch)})
        [repaired] = Path(scratch, "repaired").glob("*.whl")
        unpacked = Path(scratch, "unpacked")
        with zipfile.ZipFile(repaired) as packed:
            for entry in packed.infolist():
                path = Path(packed.extract(entry, unpacked))
                if path.is_file():
                    path.chmod(entry.external_attr >> 16 & 0o777 or 0o644)
        # auditwheel's own list of contents has the time of the run.
        for path in unpacked.glob("*.dist-info/sboms/auditwheel*"):
            text = path.read_text()
            path.write_text(re.sub(r'"(timestamp|serialNumber)":\s*"[^"]*",?\s*', "", text))
        (unpacked / "scaleaudio/bin/scaleaudio").chmod(0o755)
        package = folder / repaired.name
        archive(unpacked, package, stage.epoch)
    return package


def glibc(package):
    """The greatest version of glibc that the programs and libraries of a wheel ask for, by their symbols."""
    versions = set()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(package) as packed:
        for name in packed.namelist():
            path = packed.extract(name, folder)
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    versions |= {(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "--private-headers", path))}
    return max(versions)


def augments(system):
    """Has the documentation's example augment a corpus, with nothing installed but the wheel and what it asks for."""
    system.run("/opt/python/bin/python3", "-c", CORPUS)
    system.run("/opt/python/bin/python3", "/root/docs/python/augment_corpus.py", "/tmp/corpus", "/tmp/changed")
    return system.run("/opt/python/bin/python3", "-c", CHANGED).strip()


def check(stage, package, systems):
    """Proves the wheel; yields what was proved."""
    yield made_twice(make, stage, package)
    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, ROOT / "Python/scaleaudio")
    yield "mypy --strict finds nothing in the module"
    text = " ".join(run(sys.executable, "-m", "auditwheel", "show", package).split())
    tag = re.search(r"manylinux_\d+_\d+_\w+", package.name)
    if not tag or f'"{tag[0]}"' not in text:
        raise SystemExit(f"{package}: auditwheel finds another platform: {text}")
    yield f"auditwheel finds it to be {tag[0]}"
    wanted = tuple(map(int, re.findall(r"\d+", tag[0])[:2]))
    if glibc(package) > wanted:
        raise SystemExit(f"{package}: asks for glibc {glibc(package)}, not {wanted}")
    yield f"no symbol of glibc in it is newer than {'.'.join(map(str, glibc(package)))}"
    for release in ("bookworm", "trixie"):
        with roots.system(release, systems) as system:
            system.run("apt-get", "update", "-qq")
            system.run("apt-get", "install", "-qq", "--no-install-recommends", "python3-venv")
            system.put(package, f"/root/{package.name}")
            system.put(ROOT / "Python/tests", "/root/Python/tests")
            system.put(ROOT / "docs/python", "/root/docs/python")
            # Folders of wheels that this machine's pip knows are not in that system.
            environment = {"PIP_FIND_LINKS": "", "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt"}
            system.run("python3", "-m", "venv", "/opt/python")
            pip = ("/opt/python/bin/python3", "-m", "pip", "--quiet", "--disable-pip-version-check")
            system.run(*pip, "install", "--no-index", f"/root/{package.name}", environment=environment)
            for line in trials.converts(stage, system, "/opt/python/bin/scaleaudio", without=True):
                yield f"{release}: {line}"
            system.run(*pip, "install", f"/root/{package.name}[arrays]", environment=environment)
            system.run(*pip, "check")
            yield f"{release}: {augments(system)}"
            system.run(*pip, "install", "pytest", environment=environment)
            done = system.run("/opt/python/bin/pytest", "-q", "/root/Python/tests")
            yield f"{release}: tests of the module: {done.strip().splitlines()[-1]}"
            system.run(*pip, "uninstall", "--yes", "scaleaudio")
            left = system.run("find", "/opt/python", "-name", "*scaleaudio*")
            if left.strip():
                raise SystemExit(f"{package}: removal leaves\n{left}")
    yield "removal leaves nothing behind"
