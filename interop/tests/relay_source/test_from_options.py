"""Does --from refuse options for calls, and name the package of the missing program?"""

import shutil
import subprocess

import pytest

from support.command import LONGEST, assert_failed, environment, tripwire
from peers.relay.messages import NAME, URL


def run(folder, *arguments, path="/nonexistent", command="tripwire"):
    done = subprocess.run(
        [folder / command, *arguments], capture_output=True, text=True, timeout=LONGEST,
        env=environment(PATH=str(path)))
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["follow", "map"])
def test_missing_program_names_its_package(alone, command):
    code, _, error = run(alone, command, NAME, "--from", URL)
    assert code == 1
    assert error == (
        "error: --from needs the program tripwire-relay, which is not installed\n"
        "hint: install the package tripwire-fleet-relay, or run make install-relay in the source of tripwire\n")


def test_program_that_is_not_executable_is_named(alone, tmp_path):
    path = tmp_path / "tripwire-relay"
    path.write_text("")
    assert run(alone, "follow", NAME, "--from", URL, path=tmp_path) == (
        1, "", f"error: --from cannot run {path}: it is not executable\nhint: run: chmod +x {path}\n")


def test_program_beside_the_command_comes_first(alone, beside, tmp_path):
    shutil.copy(alone / "tripwire", tmp_path)
    program = tmp_path / "tripwire-relay"
    program.write_text("#!/bin/sh\necho first >&2\nexit 7\n")
    program.chmod(0o755)
    code, _, error = run(tmp_path, "follow", NAME, "--from", URL, path=beside)
    assert code == 7 and error.startswith("first\n")


@pytest.mark.parametrize("command", ["follow", "map"])
@pytest.mark.parametrize("options", [
    ["--interval", "1s"], ["--token-file", "-"], ["--credentials", "x"], ["--token-command", "x"],
    ["--token-for-all"], ["--endpoint", "a:1"], ["--plaintext"], ["--cacert", "x"], ["--cert", "x"],
    ["--insecure-skip-verify"], ["--replay", "x"], ["--record", "x"], ["--record-size", "1MiB"],
    ["--timeout", "1s"], ["--timing", "json"], ["-H", "a: b"], ["--view", "sdk"], ["--proxy", "none"],
    ["--route-format", "encoded-polyline"], ["--max-message-size", "1MiB"],
], ids=lambda options: options[0])
def test_options_for_calls_are_refused(command, options):
    name = {"-H": "--header"}.get(options[0], options[0])
    result = tripwire(command, NAME, "--from", URL, *options)
    assert_failed(result, 2, error=f"{name} cannot be used with --from", hint=f"remove {name}")


@pytest.mark.parametrize("option", ["creds", "ca", "cert", "key"])
def test_options_for_nats_require_from(option):
    result = tripwire("follow", NAME, f"--nats-{option}", "x")
    assert_failed(result, 2, error=f"--nats-{option} requires --from")


@pytest.mark.parametrize("url", ["", "127.0.0.1", "http://user:hush-hush@h", "nats://", "nats://a,b", "nats://a/b",
                                 "nats://::1:4222", "nats://hush hush"])
def test_wrong_address_is_reported_without_its_password(url):
    result = tripwire("follow", NAME, "--from", url)
    assert_failed(result, 2, "--from", "expected nats://HOST[:PORT] or tls://HOST[:PORT]")
    assert "hush" not in result.stderr


@pytest.mark.parametrize("port", ["65536", "0", "x", ""])
def test_wrong_port_is_reported(port):
    result = tripwire("follow", NAME, "--from", f"nats://user:hush-hush@h:{port}")
    assert_failed(result, 2, "--from …: expected a port from 1 to 65535 after the host")
    assert "hush" not in result.stderr


def test_profiles_and_variables_for_calls_are_ignored(alone, tmp_path):
    config = tmp_path / "tripwire" / "config.json"
    config.parent.mkdir()
    config.write_text(
        '{"profiles": {"default": {"endpoint": "example.com:1", "plaintext": "true",'
        ' "token-file": "/none", "interval": "1s"}}}')
    done = subprocess.run(
        [alone / "tripwire", "follow", NAME, "--from", URL], capture_output=True, text=True,
        timeout=LONGEST, env=environment(
            PATH="/nonexistent", XDG_CONFIG_HOME=str(tmp_path), TRIPWIRE_ENDPOINT="example.com:1",
            TRIPWIRE_TOKEN="x"))
    assert done.stderr.startswith("error: --from needs the program tripwire-relay"), done.stderr


def test_profiles_do_not_select_the_relay(tmp_path):
    result = tripwire("config", "set", "from", URL, XDG_CONFIG_HOME=str(tmp_path))
    assert_failed(result, 2, "from", hint="--from")
