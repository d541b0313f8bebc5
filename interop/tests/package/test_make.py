"""Does make install the right packages on a bare machine? A fake apt-get records its arguments."""

import os
import shutil
import subprocess
import sys

import pytest

from support.paths import INTEROP

ROOT = INTEROP.parent
# The commands of a bare system.
BASE = ["awk", "cat", "chmod", "env", "getconf", "grep", "head", "id", "make", "mktemp", "rm", "sed",
        "sh", "sort", "tee", "true", "uname"]
# Like apt-get: writes to a pseudo-terminal and in the user's language, unless configured otherwise.
APT_GET = r"""
end='\r\n'; case $* in *Dpkg::Use-Pty=0*) end='\n' ;; esac
if [ "$LC_ALL" != C ]; then printf "zlib1g-dev:amd64 (1:1.2.13) wird eingerichtet ...$end"
else
  printf "Unpacking zlib1g-dev:amd64 (1:1.2.13) ...$end"
  printf "Setting up zlib1g-dev:amd64 (1:1.2.13) ...$end"
fi
"""


@pytest.fixture
def machine(tmp_path):
    """A machine without packages; `run` makes a target there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in BASE:
        (folder / name).symlink_to(shutil.which(name))
    return Machine(folder)


class Machine:
    def __init__(self, folder):
        self.folder = folder
        self.policy = folder / "policy-rc.d"
        self.calls = folder / "calls"
        self.calls.write_text("")
        self.program("swift", 'echo "Swift version 6.2.1 (swift-6.2.1-RELEASE)"')
        self.program("apt-get", f'{self.policy}; echo "$*; policy $?" >>{self.calls}; '
                                f"{APT_GET}")
        for name in ["sudo", "update-rc.d"]:
            self.program(name, f'echo "{name} $*" >>{self.calls}; [ {name} != sudo ] || exec "$@"')
        # The helper exits with 1 unless dpkg calls it.
        self.program("deb-systemd-helper", f'[ -n "$DPKG_MAINTSCRIPT_PACKAGE" ] || exit 1; '
                                           f'echo "deb-systemd-helper $*" >>{self.calls}')
        self.program("dpkg", "printf '%s\\n' /etc/init.d/zebra /lib/systemd/system/zebra.service")

    def program(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, target, *variables):
        return subprocess.run(
            ["make", "-C", ROOT, target, *variables], text=True, capture_output=True, timeout=60,
            env={"PATH": str(self.folder), "POLICY": str(self.policy), "HOME": os.environ["HOME"]})


def test_build_of_the_command_needs_no_protoc_and_no_peers(machine):
    done = machine.run("deps")
    assert done.returncode == 0, done.stderr
    assert (
        "installing with apt-get: pkg-config libnghttp2-dev libssl-dev zlib1g-dev libevent-dev"
        " libsqlite3-dev libcurl4-openssl-dev libexpat1-dev\n" in done.stdout)
    assert "  installed zlib1g-dev:amd64 1:1.2.13\n" in done.stdout


def test_documentation_needs_python(machine):
    machine.program("pkg-config", "exit 0")
    assert machine.run("deps-docs").returncode == 0
    assert " python3; policy 101" in machine.calls.read_text()
    text = (ROOT / "Makefile").read_text()
    assert "\ndocs: deps-docs " in text


def test_recommended_packages_and_services_are_not_installed(machine):
    assert machine.run("deps").returncode == 0
    update, install, *rest = [
        line for line in machine.calls.read_text().splitlines() if not line.startswith("sudo")]
    assert update.startswith("update")
    assert install.startswith("install -y --no-install-recommends ")
    # The policy forbids services only during the installation.
    assert install.endswith("; policy 101") and not machine.policy.exists()
    assert rest == ["update-rc.d zebra disable", "deb-systemd-helper disable zebra.service"]


def test_tinyproxy_is_installed_without_a_mail_server():
    text = (ROOT / "Makefile").read_text()
    assert "tinyproxy,tinyproxy-bin)" in text


def test_package_failure_is_shown(machine):
    machine.program("apt-get", '[ $1 = update ] || { echo "E: no such package"; exit 100; }')
    done = machine.run("deps")
    assert done.returncode != 0 and "E: no such package" in done.stderr
    assert not machine.policy.exists()


@pytest.mark.parametrize("script, words", [
    (None, "swift is not installed: tripwire needs Swift 6.2 or later"),
    # A bare Debian 12 lacks libraries that the toolchain loads.
    ('echo "swift: libncurses.so.6: cannot open shared object file" >&2; exit 127',
     "swift does not run: swift: libncurses.so.6: cannot open shared object file"),
    ('echo "Apple Swift version 5.10 (swift-5.10)"',
     "swift is version 5.10: tripwire needs Swift 6.2 or later"),
])
@pytest.mark.parametrize("target", ["demo", "test", "install"])
def test_swift_is_checked_before_packages_are_installed(machine, script, words, target):
    if script is None:
        (machine.folder / "swift").unlink()
    else:
        machine.program("swift", script)
    done = machine.run(target)
    assert done.returncode != 0
    assert f"error: {words}\nhint: install it from https://www.swift.org/install\n" in done.stderr
    assert machine.calls.read_text() == ""


@pytest.mark.parametrize("version", ["6.2", "6.10", "7.0-dev"])
def test_newer_swift_versions_are_accepted(machine, version):
    machine.program("swift", f'echo "Swift version {version} (a-b)"')
    assert machine.run("check-swift").returncode == 0


@pytest.mark.parametrize("shell, words", [
    ("zsh", 'fpath=("{prefix}/share/zsh/site-functions" $fpath)'),
    ("fish", None),
])
def test_install_prints_missing_parts(shell, words, tmp_path):
    def notes(prefix, path):
        return subprocess.run(
            ["sh", ROOT / "packaging/after_install.sh", prefix], text=True, capture_output=True, timeout=60,
            check=True, env={"PATH": path, "SHELL": f"/bin/{shell}"}).stdout

    prefix = str(tmp_path)
    away, found = notes(prefix, "/usr/bin:/bin"), notes(prefix, f"/usr/bin:/bin:{prefix}/bin")
    assert away == f"""{prefix}/bin is not on PATH. Add this line to the profile of your shell:
  export PATH="{prefix}/bin:$PATH"
{found}"""
    assert found == "" if words is None else words.format(prefix=prefix) in found
    assert notes("/usr/local", "/usr/bin:/bin:/usr/local/bin") == ""


@pytest.mark.parametrize("other", [None, "share/man/man1/other.1", "bin/other"])
def test_uninstall_leaves_no_empty_folder(other, tmp_path):
    prefix = tmp_path / "prefix"
    for path in ["bin/tripwire", "share/man/man1/tripwire.1", "share/zsh/site-functions/_tripwire",
                 "share/tripwire/demo.binlog", "share/bash-completion/completions/tripwire",
                 "share/fish/vendor_completions.d/tripwire.fish", "lib/systemd/system/tripwire-relay.service",
                 "lib/systemd/system/tripwire-relay@.service", *[other] * (other is not None)]:
        (prefix / path).parent.mkdir(parents=True, exist_ok=True)
        (prefix / path).touch()
    subprocess.run(["make", "-s", "-C", ROOT, "uninstall", f"PREFIX={prefix}"], check=True, timeout=60)
    assert [path for path in prefix.rglob("*") if path.is_file()] == ([prefix / other] if other else [])
    assert prefix.exists() == (other is not None)
    assert not (prefix / "share/zsh").exists() and not (prefix / "lib").exists()


@pytest.mark.parametrize("protoc", [["protoc"], [sys.executable, "-m", "grpc_tools.protoc"]], ids=["debian", "newest"])
def test_installed_protos_are_compiled_with_one_folder(protoc, tmp_path):
    subprocess.run(["make", "-s", "-C", ROOT, "install-protos", f"PREFIX={tmp_path}"], check=True, timeout=60)
    protos = tmp_path / "share/tripwire/protos"
    files = {str(path.relative_to(protos)) for path in protos.rglob("*.proto")}
    assert {f"tripwire/relay/v1/{name}.proto" for name in ("poll_request", "resource_state", "trip_state")} <= files
    assert "google/maps/fleetengine/v1/trip_api.proto" in files
    subprocess.run([*protoc, f"-I{protos}", f"--python_out={tmp_path}", *files], check=True, timeout=60)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_units_are_valid(tmp_path):
    for name in "tripwire-relay.service", "tripwire-relay@.service":
        unit = (ROOT / "packaging" / name).read_text().replace("@PREFIX@/bin/tripwire-relay", "/bin/true")
        path = tmp_path / name.replace("@", "@a")
        path.write_text(unit)
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", path], text=True, capture_output=True, timeout=60)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
