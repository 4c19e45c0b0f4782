"""Clean systems to try packages in: a release of Debian or Ubuntu with nothing but its package manager."""
import contextlib, os, shutil, subprocess
from pathlib import Path

from stage import run

# Address of each release, and options of its source. Debian's own keys do not sign Ubuntu.
RELEASES = {
    "bookworm": ("http://deb.debian.org/debian", "main", ""),
    "trixie": ("http://deb.debian.org/debian", "main", ""),
    "noble": ("http://archive.ubuntu.com/ubuntu", "main universe", "[trusted=yes] "),
}


def base(release, folder):
    """The untouched system of a release in a folder; made when it is missing."""
    place = Path(folder, release)
    if place.joinpath("complete").exists():
        return place / "root"
    address, components, options = RELEASES[release]
    subprocess.run(["rm", "-rf", "--one-file-system", place], check=True)
    place.mkdir(parents=True)
    run("unshare", "--mount", "mmdebstrap", "--quiet", "--variant=minbase", "--aptopt=Acquire::Retries \"3\"",
        "--include=ca-certificates,apt", release, place / "root", "-",
        input=f"deb {options}{address} {release} {components}\n")
    root = place / "root"
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    subprocess.run(["cp", "-r", "/usr/local/share/ca-certificates/.", root / "usr/local/share/ca-certificates/"], check=False)
    run("chroot", root, "update-ca-certificates")
    place.joinpath("complete").touch()
    return root


class Root:
    """A copy of a clean system, which commands run in."""

    def __init__(self, path):
        self.path = Path(path)

    def run(self, *command, user=None, home="/root", fails=False, environment=()):
        """Runs a program in the system, and returns what it prints; with `fails`, its status too, whatever it is."""
        variables = {
            name: value for name, value in os.environ.items()
            if name.lower().endswith("_proxy") or name.startswith("PIP_")}
        variables |= {"HOME": home, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                      "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        variables |= dict(environment)
        inside = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
             'root=$1; shift; mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"; exec chroot "$root" "$@"',
             "sh", str(self.path), *inside, *map(str, command)],
            env=variables, text=True, capture_output=True, stdin=subprocess.DEVNULL, errors="replace")
        if fails:
            return done.returncode, done.stdout + done.stderr
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode} in {self.path}\n{done.stdout}{done.stderr}")
        return done.stdout

    def put(self, source, to):
        """Copies a file or a folder from outside."""
        target = self.path / str(to).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        run("cp", "-r", source, target)


@contextlib.contextmanager
def system(release, folder):
    """A copy of a clean system, removed at the end."""
    path = Path(folder, f"try-{release}-{os.getpid()}")
    run("cp", "-a", base(release, folder), path)
    try:
        yield Root(path)
    finally:
        run("rm", "-rf", "--one-file-system", path)
