"""Are the help, the version and usage errors correct?"""

import json
import re

import pytest

from support.command import assert_failed, tripwire

OPTIONS = [
    "--endpoint", "--plaintext", "--cacert", "--insecure-skip-verify", "--authority", "--header",
    "--token-file", "--timeout", "--view", "--route-format", "--max-message-size", "-o",
    "--error-format", "-v", "--replay", "--help",
]


def test_help_lists_every_option_and_the_exit_codes():
    result = tripwire("get", "--help")
    assert (result.code, result.stderr) == (0, "")
    for option in OPTIONS:
        assert option in result.stdout
    for code in ["64", "68", "78", "130"]:
        assert re.search(rf"\b{code}\b", result.stdout), code


def test_top_level_help_lists_the_commands():
    result = tripwire("--help")
    assert (result.code, result.stderr) == (0, "")
    assert "get" in result.stdout and "replay" in result.stdout


@pytest.mark.parametrize("command", ["", "get", "follow", "map", "search", "doctor", "relay", "relay work"])
def test_first_example_needs_no_token_option(command):
    """Most users have credentials on their machine."""
    for form in "-h", "--help":
        result = tripwire(*command.split(), form)
        examples = re.search(r"^Examples:\n((?:  .*\n)+)", result.stdout, re.MULTILINE)[1]
        lines = [line for line in examples.splitlines() if line.startswith("  tripwire ")]
        options = ["--token", "--credentials", "--access-token", "--sign-as"]
        assert command in lines[0] and not any(option in lines[0] for option in options), lines[0]


def test_help_has_priority_over_errors():
    assert tripwire("get", "--help", "--no-such-option").code == 0


# `make check-release` checks the commit, which only a release contains.
VERSION = (r"tripwire \d+\.\d+\.\d+( \([0-9a-f]+(-dirty)?, \d{4}-\d\d-\d\d\))?\n"
           r"nghttp2 \d+\.\d+\.\d+, OpenSSL \d+\.\d+\.\d+\n")


@pytest.mark.parametrize("arguments", [["--version"], ["get", "--version"], ["version"]])
def test_version_names_the_libraries(arguments):
    result = tripwire(*arguments)
    assert (result.code, result.stderr) == (0, "")
    assert re.fullmatch(VERSION, result.stdout)


def test_version_as_json():
    result = tripwire("version", "-o", "json")
    assert (result.code, result.stderr) == (0, "")
    # A release also has its commit and the date.
    keys = [key for key in json.loads(result.stdout) if key not in ("commit", "commitDate")]
    assert keys == ["version", "nghttp2", "openssl"]


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
    assert (
        "Commands: get, search, follow, map, relay, create, update, delete, report-billable, call, list,"
        " describe, emulate, drive, replay, log, token, config, doctor, completion, version."
        in " ".join(result.stderr.split()))
    assert max(map(len, result.stderr.splitlines())) <= 80


def test_options_may_precede_the_name(server):
    result = tripwire("get", "--plaintext", "--endpoint", server.address, "providers/p/trips/t1")
    assert result.code == 0, result.stderr
