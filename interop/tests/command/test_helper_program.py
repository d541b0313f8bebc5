"""Does `tripwire relay` run the program tripwire-relay beside it, or on the PATH?"""

import shutil
import subprocess

import pytest

from support.command import LONGEST, binary, environment

NAME = "providers/p/trips/t1"


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The command in a folder without its helper."""
    return shutil.copy(binary(), tmp_path_factory.mktemp("alone"))


def run(command, *arguments, path="/nonexistent"):
    done = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=LONGEST,
                          env=environment(PATH=path))
    return done.returncode, done.stdout, done.stderr


def helper(folder, name="tripwire-relay"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho {folder.name} \"$@\"\nexit 7\n")
    path.chmod(0o755)
    return path


def test_missing_helper_is_reported(alone):
    code, output, error = run(alone, "relay", "status")
    assert (code, output) == (1, "")
    assert error.startswith(
        "error: 'tripwire relay' needs the program tripwire-relay, which is not installed\n"
        "hint: install the package tripwire-fleet-relay, or run make install-relay in the source of tripwire\n")


@pytest.mark.parametrize("name", ["relay", "other"])
def test_helper_that_is_not_executable_is_named(alone, tmp_path, name):
    path = helper(tmp_path, f"tripwire-{name}")
    path.chmod(0o644)
    assert run(alone, name, path=str(tmp_path)) == (
        1, "", f"error: 'tripwire {name}' cannot run {path}: it is not executable\nhint: run: chmod +x {path}\n")


def test_helper_that_cannot_start_is_named(alone, tmp_path):
    path = helper(tmp_path)
    path.write_text("")
    assert run(alone, "relay", path=str(tmp_path)) == (
        1, "", f"error: 'tripwire relay' cannot run {path}: Exec format error\n")


def test_helper_further_on_the_path_is_run(alone, tmp_path):
    helper(tmp_path / "first").chmod(0o644)
    helper(tmp_path / "second")
    assert run(alone, "relay", path=f"{tmp_path / 'first'}:{tmp_path / 'second'}")[0] == 7


def test_helper_gets_the_arguments_and_gives_its_exit_code(alone, tmp_path):
    helper(tmp_path / "path")
    found = run(alone, "relay", "read", NAME, "a b", path=f"/nonexistent::{tmp_path / 'path'}")
    assert found == (7, f"path read {NAME} a b\n", "")


def test_helper_beside_the_command_comes_first(alone, tmp_path):
    command = shutil.copy(alone, tmp_path)
    helper(tmp_path)
    helper(tmp_path / "path")
    assert run(command, "relay", path=str(tmp_path / "path")) == (7, f"{tmp_path.name}\n", "")


def test_built_in_commands_win(alone, tmp_path):
    for name in "tripwire-get", "tripwire-log", "tripwire-map":
        helper(tmp_path / "path", name)
    code, output, _ = run(alone, "get", "--help", path=str(tmp_path / "path"))
    assert code == 0 and output.startswith("usage: tripwire get")


@pytest.mark.parametrize("word", ["relayy", "../relay", "-relay"])
def test_unknown_command_keeps_its_suggestion(alone, tmp_path, word):
    code, _, error = run(alone, word, path=str(tmp_path))
    assert code == 2 and error.startswith("error: unknown ")
