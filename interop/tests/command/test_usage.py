"""Are help, version and mistakes of usage as one expects them?"""

import re

import pytest

from support.command import assert_failed, tripwire

OPTIONS = [
    "--endpoint", "--plaintext", "--cacert", "--insecure-skip-verify", "--authority", "--header",
    "--token-file", "--timeout", "--view", "--route-format", "--max-message-size", "-o",
    "--error-format", "-v", "--replay", "--help",
]


def test_help_names_every_option_and_exit_code():
    result = tripwire("get", "--help")
    assert (result.code, result.stderr) == (0, "")
    for option in OPTIONS:
        assert option in result.stdout
    for code in ["64", "68", "78", "130"]:
        assert re.search(rf"\b{code}\b", result.stdout), code


def test_help_of_the_command_itself_is_there():
    result = tripwire("--help")
    assert (result.code, result.stderr) == (0, "")
    assert "get" in result.stdout and "replay" in result.stdout


def test_help_has_priority_over_errors():
    assert tripwire("get", "--help", "--no-such-option").code == 0


def test_the_version_is_one_line():
    result = tripwire("--version")
    assert (result.code, result.stderr) == (0, "")
    assert re.fullmatch(r"tripwire \d+\.\d+\.\d+\S*\n", result.stdout)


@pytest.mark.parametrize("arguments", [
    ["fetch"], ["get", "--no-such-option"], ["get", "providers/p/trips/t1", "-o", "yaml"],
    ["get", "providers/p/trips/t1", "--error-format", "xml"],
    ["get", "providers/p/trips/t1", "--view", "all"],
    ["get", "providers/p/trips/t1", "--timeout"], ["replay"],
])
def test_usage_error_exits_with_2(arguments):
    assert_failed(tripwire(*arguments), 2)


def test_missing_command_lists_the_commands():
    result = tripwire()
    assert (result.code, result.stdout) == (2, "")
    assert "Commands: get, follow, call, list, describe, replay, log, token." in result.stderr


def test_options_may_stand_before_the_name(server):
    result = tripwire("get", "--plaintext", "--endpoint", server.address, "providers/p/trips/t1")
    assert result.code == 0, result.stderr
