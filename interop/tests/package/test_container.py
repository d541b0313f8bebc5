"""Does the image of the Containerfile build, and run the command without root?

Base images made with debootstrap stand in for those of a registry, and the toolchain of this machine is mounted.
"""

import pathlib
import shutil
import subprocess

import pytest

from support.bare_system import BareSystem, toolchain, toolchain_needs
from support.paths import INTEROP

pytestmark = [pytest.mark.interop("container"), pytest.mark.long, pytest.mark.container]


@pytest.fixture(scope="module")
def buildah(tmp_path_factory):
    """Runs buildah with a store of its own; returns the output."""
    store = tmp_path_factory.mktemp("images")

    def run(*arguments):
        done = subprocess.run(
            ["buildah", "--root", store / "root", "--runroot", store / "run", "--storage-driver", "vfs", *arguments],
            capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout.strip()

    yield run
    run("rm", "--all")


def import_system(buildah, folder, name, *packages, path="/usr/bin"):
    """Makes an image of a bare system."""
    BareSystem(folder, *packages)
    subprocess.run(["sh", "-c", 'rm -rf "$0"/dev/* "$0"/var/cache/apt/archives/*.deb', folder], check=True)
    container = buildah("from", "scratch")
    buildah("add", container, folder, "/")
    buildah("config", "--env", f"PATH={path}:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--rm", container, name)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def container(buildah, tmp_path_factory):
    """A container of the image that the Containerfile makes of the last commit."""
    folder = tmp_path_factory.mktemp("base")
    swift = toolchain()
    import_system(buildah, folder / "build", "localhost/swift", *toolchain_needs(), path=f"{swift}/usr/bin")
    import_system(buildah, folder / "runtime", "localhost/debian")
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", INTEROP.parent, clone], check=True)
    buildah(
        "build", "--isolation", "chroot", "--network", "host", "--volume", f"{swift}:{swift}:ro",
        "--build-arg", "SWIFT=localhost/swift", "--build-arg", "DEBIAN=localhost/debian", "--tag", "tripwire", clone)
    return buildah("from", "tripwire")


def test_image_runs_the_command_without_root(buildah, container):
    def run(*arguments):
        return buildah("run", "--isolation", "chroot", container, "--", *arguments)

    assert run("id", "-un") == "nobody"
    output = run(
        "tripwire", "get", "providers/demo/trips/t1", "--replay", "/usr/share/tripwire/demo.binlog", "-o", "text")
    assert "enroute to pickup" in output
    assert run("tripwire", "map", "--version").startswith("tripwire ")


def test_runtime_image_has_neither_swift_nor_sources(buildah, container):
    mounted = pathlib.Path(buildah("mount", container))
    try:
        # Debian has a directory /usr/share/gcc, and buildah leaves the mount point of the toolchain.
        names = {path.name for path in mounted.rglob("*") if not path.is_dir()}
        assert "tripwire" in names
        assert names & {"swift", "swiftc", "Package.swift", "libswiftCore.so", "gcc"} == set()
    finally:
        buildah("umount", container)


def test_image_starts_with_the_command(buildah, container):
    assert buildah("inspect", "--format", "{{.OCIv1.Config.Entrypoint}}", container) == "[tripwire]"
