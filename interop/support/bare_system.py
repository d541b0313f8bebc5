"""A bare Debian in a folder, made by debootstrap, whose programs run in a chroot. It needs root."""

import pathlib
import shutil
import subprocess

MIRROR = "http://deb.debian.org/debian"
# Changed by apt and dpkg for any package: caches, logs, lists.
NOT_COMPARED = ("var/cache", "var/log", "var/lib/apt", "var/lib/dpkg", "proc", "tmp")
LONGEST_BUILD = 7200


# The version of GCC's library in each release.
GCC = {"bookworm": 12, "trixie": 14}


def toolchain():
    """The folder of the Swift toolchain of this machine."""
    return pathlib.Path(shutil.which("swift")).resolve().parents[2]


def toolchain_needs(release="bookworm"):
    """The packages that the toolchain needs, as in the image docker.io/library/swift."""
    return ["binutils", "ca-certificates", "git", "libc6-dev", "libcurl4-openssl-dev", "libedit2", "libncurses6",
            "libsqlite3-0", f"libstdc++-{GCC[release]}-dev", "libxml2"]


class BareSystem:
    def __init__(self, folder, *packages, release="bookworm"):
        """Installs the minimal system and `packages`."""
        self.root = folder
        # debootstrap rejects an empty list.
        include = [f"--include={','.join(packages)}"] if packages else []
        subprocess.run(
            ["debootstrap", "--variant=minbase", *include, release, folder, MIRROR],
            check=True, stdout=subprocess.DEVNULL)

    def add(self, file):
        """Copies a file into /tmp and returns its path there."""
        shutil.copy(file, self.root / "tmp")
        return f"/tmp/{file.name}"

    def command(self, *arguments):
        """Returns the command that runs a program with /proc, in a namespace of its own."""
        script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "TERM=xterm",
                     "DEBIAN_FRONTEND=noninteractive"]
        return ["env", "-i", *variables, "unshare", "--mount", "sh", "-c", script, str(self.root), *arguments]

    def run(self, *arguments):
        """Runs a program to its end and returns its output."""
        return self._run(self.command(*arguments), 600)

    def build(self, *arguments):
        """Runs a program with the toolchain of this machine to its end."""
        folder = toolchain()
        script = 'mkdir -p "$0$1" && mount --bind "$1" "$0$1" && shift && exec "$@"'
        program = self.command("env", f"PATH={folder}/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin", *arguments)
        self._run(["unshare", "--mount", "sh", "-c", script, str(self.root), str(folder), *program], LONGEST_BUILD)

    def _run(self, command, timeout):
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        assert done.returncode == 0, f"{command}: {done.stdout[-9999:]}{done.stderr[-9999:]}"
        return done.stdout

    def files(self):
        """Returns the paths of all files and folders that are compared."""
        paths = (path.relative_to(self.root) for path in self.root.rglob("*"))
        return {str(path) for path in paths if not str(path).startswith(NOT_COMPARED)}
