"""A bare Debian 12 in a folder, made by debootstrap, whose programs run in a chroot. It needs root."""

import shutil
import subprocess

MIRROR = "http://deb.debian.org/debian"
# Changed by apt and dpkg for any package: caches, logs, lists.
NOT_COMPARED = ("var/cache", "var/log", "var/lib/apt", "var/lib/dpkg", "proc", "tmp")


class BareSystem:
    def __init__(self, folder, *packages):
        """Installs the minimal system and `packages`."""
        self.root = folder
        # debootstrap rejects an empty list.
        include = [f"--include={','.join(packages)}"] if packages else []
        subprocess.run(
            ["debootstrap", "--variant=minbase", *include, "bookworm", folder, MIRROR],
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
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def files(self):
        """Returns the paths of all files and folders that are compared."""
        paths = (path.relative_to(self.root) for path in self.root.rglob("*"))
        return {str(path) for path in paths if not str(path).startswith(NOT_COMPARED)}
