"""Do the packages of `make dist` work on bare Debian releases without Swift, and are they reproducible?"""

import os
import platform
import subprocess
import time

import pytest

from support.bare_system import BareSystem, toolchain_needs
from support.paths import INTEROP
from support.tmux import Terminal, shell

ROOT = INTEROP.parent
PACKAGE = "tripwire-fleet"
RELAY = "tripwire-fleet-relay"
GET = ["tripwire", "get", "providers/demo/trips/t1", "--replay", "/usr/share/tripwire/demo.binlog"]
# The maximum time in seconds from `apt-get install` to the trip, on a machine with a mirror.
LONGEST_INSTALLATION = 60

# The releases, and the package of libnats in each.
RELEASES = {"bookworm": "libnats3.4", "trixie": "libnats3.10"}

pytestmark = [pytest.mark.interop("debian"), pytest.mark.long, pytest.mark.packages]


@pytest.fixture(scope="module", params=RELEASES)
def release(request):
    return request.param


@pytest.fixture(scope="module")
def dist(release, tmp_path_factory):
    """The folder with the packages for a release: that of this machine, or of a build of the last commit there."""
    if platform.freedesktop_os_release()["VERSION_CODENAME"] == release:
        return ROOT / "dist"
    system = BareSystem(tmp_path_factory.mktemp("build"), "make", *toolchain_needs(release), release=release)
    subprocess.run(["git", "clone", "--quiet", ROOT, system.root / "tripwire"], check=True)
    system.build("make", "-C", "/tripwire", "deps-relay", "dist")
    return system.root / "tripwire" / "dist"


@pytest.fixture(scope="module")
def package(dist):
    (file,) = dist.glob(f"{PACKAGE}_*.deb")
    return file


@pytest.fixture(scope="module")
def relay_package(dist):
    (file,) = dist.glob(f"{RELAY}_*.deb")
    return file


@pytest.fixture(scope="module")
def system(release, tmp_path_factory):
    """A system with the programs that open manual pages and complete commands.

    It has the recommended ca-certificates, which apt keeps because other packages suggest them.
    """
    system = BareSystem(
        tmp_path_factory.mktemp("debian"), "man-db", "bash-completion", "ca-certificates", release=release)
    system.run("apt-get", "update")
    return system


@pytest.fixture(scope="module")
def installed(system, package):
    """The system with the package and what it recommends."""
    system.run("apt-get", "install", "-y", system.add(package))
    return system


def test_package_is_clean_by_lintian(package, relay_package):
    for file in package, relay_package:
        done = subprocess.run(
            ["lintian", "--fail-on", "error,warning", "--allow-root", file], capture_output=True, text=True,
            timeout=300)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_checksums_are_right(dist):
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True)


def test_removed_package_leaves_nothing(system, package):
    # Otherwise a library stays because libc6 recommends it.
    purge = ["apt-get", "purge", "-y", "--autoremove", "-o", "APT::AutoRemove::RecommendsImportant=false",
             "-o", "APT::AutoRemove::SuggestsImportant=false"]
    # debootstrap leaves packages that nothing needs.
    system.run(*purge)
    before = system.files()
    system.run("apt-get", "install", "-y", system.add(package))
    assert "usr/bin/tripwire" in system.files() - before
    system.run("tripwire", "--version")
    system.run(*purge, PACKAGE)
    assert system.files() ^ before == set()
    assert PACKAGE not in system.run("dpkg-query", "--show")


def test_trip_is_shown_within_a_minute_of_installation(system, package, note):
    file = system.add(package)
    begin = time.monotonic()
    system.run("apt-get", "install", "-y", file)
    output = system.run(*GET, "-o", "text")
    seconds = time.monotonic() - begin
    assert "enroute to pickup" in output
    note(f"{seconds:.1f} s")
    assert seconds < LONGEST_INSTALLATION


def test_manual_page_opens(installed):
    for page in ["tripwire", "tripwire-get", "tripwire-map"]:
        output = installed.run("man", "-P", "cat", page)
        assert page.upper() in output.splitlines()[0]


def test_bash_completes_the_command(installed):
    # The settings that a new user gets.
    bash = installed.command("bash", "--rcfile", "/etc/skel/.bashrc", "-i")
    with Terminal(shell(*bash), columns=160) as terminal:
        terminal.wait(lambda rows: rows[-1].rstrip().endswith("#"))
        terminal.type("-l", "tripwire get --plain")
        terminal.type("Tab")
        terminal.wait(lambda rows: rows[-1].rstrip().endswith("# tripwire get --plaintext"))


def test_map_page_is_written_with_the_recommended_leaflet(installed):
    installed.run(
        "tripwire", "log", "/usr/share/tripwire/trip.binlog", "--map", "/tmp/trip.html")
    assert "leaflet" in (installed.root / "tmp" / "trip.html").read_text()
    assert installed.run("tripwire", "map", "--version").startswith("tripwire ")


def test_protos_are_compiled_with_one_folder(installed, tmp_path):
    protos = installed.root / "usr/share/tripwire/protos"
    subprocess.run(
        ["protoc", "-I", protos, f"--descriptor_set_out={tmp_path / 'relay.protoset'}",
         *(protos / "tripwire/relay/v1").iterdir()], check=True)


def test_relay_is_a_package_of_its_own(release, installed, relay_package):
    assert "usr/bin/tripwire-relay" not in installed.files()
    before = installed.files()
    installed.run("apt-get", "install", "-y", installed.add(relay_package))
    added = installed.files() - before
    assert "usr/bin/tripwire-relay" in added
    units = {f"usr/lib/systemd/system/{name}.service" for name in ("tripwire-relay", "tripwire-relay@")}
    assert units == {path for path in added if path.startswith(("etc/systemd", "usr/lib/systemd"))}
    assert installed.run("tripwire", "relay", "--version") == installed.run("tripwire", "--version")
    assert "--capacity\t" in installed.run("tripwire", "__complete", "relay", "work", "--capa")
    for page in ["tripwire-relay", "tripwire-relay-work"]:
        assert page.upper() in installed.run("man", "-P", "cat", page).splitlines()[0]
    version = installed.run("dpkg-query", "--show", "--showformat", "${Version}", PACKAGE)
    depends = installed.run("dpkg-query", "--show", "--showformat", "${Depends}", RELAY)
    assert f"{PACKAGE} (= {version})" in depends and f"{RELEASES[release]} (" in depends
    # systemd recommends libraries, which apt would keep when the packages are removed.
    installed.run("apt-get", "install", "-y", "--no-install-recommends", "systemd")
    installed.run("systemd-analyze", "verify", "tripwire-relay.service", "tripwire-relay@a.service")
    installed.run("apt-get", "purge", "-y", "--autoremove", RELAY)
    assert "usr/bin/tripwire-relay" not in installed.files()


def test_second_build_is_equal(tmp_path):
    """Another folder, time zone, language and umask make the same bytes."""
    status = ["git", "status", "--porcelain"]
    assert subprocess.run(status, cwd=ROOT, capture_output=True, text=True).stdout == "", "commit first"
    clone = tmp_path / "another-folder"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    subprocess.run(
        ["make", "-C", clone, "dist"], check=True, umask=0o077,
        env=os.environ | {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8"})
    first, second = (folder / "dist" / "SHA256SUMS" for folder in (ROOT, clone))
    assert first.read_text() == second.read_text()
