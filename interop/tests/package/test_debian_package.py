"""Does the package of `make dist` work on a bare Debian 12 without Swift, and is it reproducible?"""

import os
import subprocess
import time

import pytest

from support.bare_system import BareSystem
from support.paths import INTEROP
from support.tmux import Terminal, shell

ROOT = INTEROP.parent
PACKAGE = "tripwire-fleet"
RELAY = "tripwire-fleet-relay"
GET = ["tripwire", "get", "providers/demo/trips/t1", "--replay", "/usr/share/tripwire/demo.binlog"]
# The maximum time in seconds from `apt-get install` to the trip, on a machine with a mirror.
LONGEST_INSTALLATION = 60

pytestmark = [pytest.mark.interop("debian 12"), pytest.mark.long, pytest.mark.packages]


@pytest.fixture(scope="module")
def package():
    (file,) = (ROOT / "dist").glob(f"{PACKAGE}_*.deb")
    return file


@pytest.fixture(scope="module")
def relay_package():
    (file,) = (ROOT / "dist").glob(f"{RELAY}_*.deb")
    return file


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    """A system with the programs that open manual pages and complete commands.

    It has the recommended ca-certificates, which apt keeps because other packages suggest them.
    """
    system = BareSystem(
        tmp_path_factory.mktemp("debian"), "man-db", "bash-completion", "ca-certificates")
    system.run("apt-get", "update")
    return system


@pytest.fixture(scope="module")
def installed(system, package):
    """The system with the package and what it recommends."""
    system.run("apt-get", "install", "-y", system.add(package))
    return system


@pytest.mark.parametrize("name", [PACKAGE, RELAY])
def test_package_is_clean_by_lintian(name):
    (package,) = (ROOT / "dist").glob(f"{name}_*.deb")
    done = subprocess.run(
        ["lintian", "--fail-on", "error,warning", "--allow-root", package], capture_output=True, text=True,
        timeout=300)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_checksums_are_right():
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=ROOT / "dist", check=True)


def test_removed_package_leaves_nothing(system, package):
    before = system.files()
    system.run("apt-get", "install", "-y", system.add(package))
    assert "usr/bin/tripwire" in system.files() - before
    system.run("tripwire", "--version")
    system.run("apt-get", "purge", "-y", "--autoremove", PACKAGE)
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


def test_relay_is_a_package_of_its_own(installed, package, relay_package):
    assert "usr/bin/tripwire-relay" not in installed.files()
    before = installed.files()
    installed.run("apt-get", "install", "-y", installed.add(relay_package))
    added = installed.files() - before
    assert {"usr/bin/tripwire-relay", "usr/lib/systemd/system/tripwire-relay.service"} <= added
    # The package does not enable the unit.
    assert not [path for path in added if path.startswith("etc/systemd")]
    assert installed.run("tripwire", "relay", "--version") == installed.run("tripwire", "--version")
    assert "--capacity\t" in installed.run("tripwire", "__complete", "relay", "work", "--capa")
    for page in ["tripwire-relay", "tripwire-relay-work"]:
        assert page.upper() in installed.run("man", "-P", "cat", page).splitlines()[0]
    version = installed.run("dpkg-query", "--show", "--showformat", "${Version}", PACKAGE)
    depends = installed.run("dpkg-query", "--show", "--showformat", "${Depends}", RELAY)
    assert f"{PACKAGE} (= {version})" in depends and "libnats" in depends
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
