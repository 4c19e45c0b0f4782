"""The package with which programs in C are compiled against libscaleaudio, and its proof."""
import deblib, roots
from deb import release
from stage import ROOT, made_twice

# One call of the library, in the system where the package was installed.
PROGRAM = """#include <scaleaudio.h>
#include <stdio.h>
int main(void)
{
  float input[1000] = {0}, output[1500];
  scaleaudio_settings settings;
  scaleaudio_defaults(&settings, sizeof settings);
  settings.factor = 1.5;
  printf("%s %d %lld\\n", scaleaudio_version(), scaleaudio_abi() == SCALEAUDIO_ABI,
    (long long)scaleaudio_scale(&settings, input, 1000, output, 1500, 0, 0));
}
"""


def make(stage, folder):
    """Makes the package in a folder; returns its path."""
    libraries = deblib.folder_of_libraries()
    text = (f"prefix=/usr\nlibdir=${{prefix}}/{libraries.removeprefix('usr/')}\nincludedir=${{prefix}}/include\n\n"
            f"Name: scaleaudio\nDescription: Makes audio in memory longer or shorter, exact to the frame\n"
            f"Version: {stage.version}\nLibs: -L${{libdir}} -lscaleaudio\nCflags: -I${{includedir}}\n")
    return deblib.built(
        stage, folder, "libscaleaudio-dev", "libdevel", f"{deblib.name(stage)} (= {deblib.version(stage)})",
        "Makes samples in memory longer or shorter - development", {
            "usr/include/scaleaudio.h": (ROOT / "Sources/CLibraries/CScaleAudio/scaleaudio.h").read_bytes(),
            f"{libraries}/libscaleaudio.so": stage.library.name,
            f"{libraries}/pkgconfig/scaleaudio.pc": text.encode()})


def check(stage, package, systems):
    """Proves the package; yields what was proved."""
    yield made_twice(make, stage, package)
    yield deblib.lint(package)
    library = deblib.make(stage, package.parent)
    with roots.system(release()[2], systems) as system:
        system.put(package, "/root/dev.deb")
        system.put(library, "/root/lib.deb")
        system.run("apt-get", "update", "-qq")
        system.run("apt-get", "install", "-qq", "--no-install-recommends", "/root/lib.deb", "/root/dev.deb", "gcc", "libc6-dev", "pkg-config")
        (system.path / "root/program.c").write_text(PROGRAM)
        system.run("sh", "-ec", "cd /root && cc -Wall -Werror -o program program.c $(pkg-config --cflags --libs scaleaudio)")
        printed = system.run("/root/program").strip()
        if printed != f"{stage.version} 1 1500":
            raise SystemExit(f"{package}: a program compiled with it prints {printed!r}")
    yield "a program in C compiles with pkg-config, and runs"
