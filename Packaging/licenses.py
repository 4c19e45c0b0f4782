"""The license under which a package may be distributed, and the copyright of everything inside it."""
import functools, json, re, subprocess
from pathlib import Path

from stage import ROOT, run

OWN = "Apache-2.0"
# The program with the libraries that it is linked to.
WHOLE = "Apache-2.0 AND LGPL-2.1-or-later"
# An image, which also has Debian's FFmpeg.
IMAGE = "GPL-3.0-or-later"

# Short names of licenses in Debian's copyright files that SPDX spells otherwise.
SPDX = {
    "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause", "bsd-3-clause": "BSD-3-Clause",
    "expat": "MIT", "mit": "MIT", "zlib": "Zlib", "isc": "ISC",
}
GNU = re.compile(r"^(L?GPL)-?(\d(?:\.\d)?)(\+?)$", re.IGNORECASE)


def spdx(name):
    """The SPDX identifier of a short name in a Debian copyright file, or None if it is not known."""
    if match := GNU.match(name):
        version = match[2] if "." in match[2] else match[2] + ".0"
        return f"{match[1].upper()}-{version}-{'or-later' if match[3] else 'only'}"
    return SPDX.get(name.lower())


def of_library(library):
    """The license of the files of a library that have no other, by its Debian copyright file; None if unclear."""
    stanza = re.search(r"^Files: \*\n(?:.+\n)*?License: (.+)$", library.copyright, re.MULTILINE)
    if not stanza:
        return None
    # "A or B" and "A and B" stay what they are.
    parts = re.split(r"\s+(or|and)\s+", stanza[1].strip())
    names = [part.upper() if part in ("or", "and") else spdx(part) for part in parts]
    return " ".join(names) if all(names) else None


@functools.cache
def swift_packages():
    """Name, version and folder of each Swift package whose code is in the program."""
    state = ROOT / ".build/workspace-state.json"
    if not state.exists():
        run("swift", "package", "--package-path", ROOT, "resolve")
    graph = json.loads(run("swift", "package", "--package-path", ROOT, "show-dependencies", "--format", "json"))
    found = {}

    def collect(package):
        for child in package["dependencies"]:
            # The plugin for documentation runs beside the compiler and brings no code.
            if child["identity"] != "swift-docc-plugin":
                found[child["identity"]] = (child["version"], Path(child["path"]))
                collect(child)

    collect(graph)
    return [(name, version, folder) for name, (version, folder) in sorted(found.items())]


@functools.cache
def swift_version():
    """The version of the compiler, whose libraries are inside the program."""
    return re.search(r"Swift version (\S+)", run("swift", "--version"))[1]


def swift_texts():
    """Title and text for each license of Swift's own libraries and of the packages."""
    toolchain = json.loads(run("swift", "-print-target-info"))["paths"]["runtimeResourcePath"]
    license = Path(toolchain).parent.parent / "share/swift/LICENSE.txt"
    yield (f"Swift {swift_version()}: standard library, Foundation and Dispatch (Apache-2.0 WITH Swift-exception)",
           license.read_text() if license.exists() else "See https://swift.org/LICENSE.txt.")
    for name, version, folder in swift_packages():
        texts = [path.read_text() for path in sorted(folder.glob("LICENSE*")) + sorted(folder.glob("NOTICE*"))]
        yield f"{name} {version}", "\n".join(texts)


def copyright(stage):
    """The text that packages carry which are not Debian's own: what holds as a whole, then each part."""
    rule = "=" * 78
    parts = [(
        f"scaleaudio {stage.version}",
        f"""The program's own code is under the Apache License 2.0, whose text follows.

The libraries that it is linked to are under licenses of their own, of which the GNU Lesser
General Public License of libsndfile, libsoxr and TagLib demands the most: their texts follow
too, and the source of everything that builds this package is that of the versions named
here. FFmpeg's libraries are not in this package. The program loads those of your system
where it finds them; Debian builds them under the GNU General Public License.

{(ROOT / "LICENSE").read_text()}""")]
    parts += swift_texts()
    parts.append(("GNU Lesser General Public License, version 2.1",
                  Path("/usr/share/common-licenses/LGPL-2.1").read_text()))
    for library in {library.package: library for library in stage.libraries}.values():
        parts.append((f"{library.package} {library.version}, copies of which may be in this package", library.copyright))
    return "".join(f"{rule}\n{title}\n{rule}\n\n{text.strip()}\n\n" for title, text in parts)


def debian(stage):
    """Debian's copyright file of the program, in the machine-readable form."""
    def folded(text):
        return "".join(f" {line.rstrip()}\n" if line.strip() else " .\n" for line in text.strip().splitlines())

    stanzas = [f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: scaleaudio
Comment:
 The program is linked to libraries under the GNU Lesser General Public License, version 2.1
 or later, whose text is in /usr/share/common-licenses/LGPL-2.1. Where FFmpeg's libraries
 are installed, it loads them; Debian builds them under the GNU General Public License.
""", """Files: *
Copyright: the authors of scaleaudio
License: Apache-2.0
"""]
    for name, version, folder in swift_packages():
        holders = set()
        for path in [*folder.glob("NOTICE*"), *folder.glob("LICENSE*"), *sorted(folder.rglob("*.swift"))[:50]]:
            for match in re.finditer(r"Copyright (?:\(c\) )?(\d{4}.*)$", path.read_text(errors="replace"), re.MULTILINE):
                holders.add(match[1].strip().rstrip(".*/").strip())
        stanzas.append(f"Files: {name}/*\nCopyright:\n"
                       + folded("\n".join(sorted(holders) or ["Apple Inc. and the project's authors"]))
                       + f"License: Apache-2.0\nComment: version {version}, inside the program\n")
    stanzas.append("Files: swift/*\nCopyright: Apple Inc. and the Swift project authors\nLicense: Apache-2.0 with Swift exception\n"
                   f"Comment: libraries of Swift {swift_version()}, inside the program\n")
    stanzas.append("License: Apache-2.0\n On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n")
    stanzas.append("""License: Apache-2.0 with Swift exception
 The Apache License 2.0, whose text is in /usr/share/common-licenses/Apache-2.0, with this
 exception: as an exception, if you use this Software to compile your source code and
 portions of this Software are embedded into the binary product as a result, you may
 redistribute such product without providing attribution as would otherwise be required by
 Sections 4(a), 4(b) and 4(d) of the License.
""")
    return "\n".join(stanzas)
