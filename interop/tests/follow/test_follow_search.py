"""Do `follow` and other commands take the names that `search -o name` prints?"""

import os
import subprocess

import pytest

from peers.fleet import Fleet
from support.command import LONGEST, assert_failed, at, start, tripwire
from support.following import Following

NAMES = [f"providers/p/trips/t{number}" for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def fleet():
    with Fleet(trips=3, deliveries=1) as fleet:
        yield fleet


def found(fleet, *what):
    result = tripwire("search", *what, "--provider", "p", "-o", "name", *at(fleet.address))
    assert (result.code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("kind, name", [
    (["trips"], NAMES[0]), (["vehicles"], "providers/p/vehicles/v1"), (["tasks"], "providers/p/tasks/d1-1"),
    (["delivery-vehicles"], "providers/p/deliveryVehicles/d1"),
])
def test_name_is_all_that_search_prints(fleet, kind, name):
    lines = found(fleet, *kind).splitlines()
    assert name in lines and all(line.startswith("providers/p/") and " " not in line for line in lines)


def test_names_of_matches_are_those_of_vehicles(fleet):
    lines = found(fleet, "vehicles", "--near", "37.7749,-122.4194", "--radius", "10000").splitlines()
    assert all(line.startswith("providers/p/vehicles/") for line in lines)


def test_found_trips_are_followed(fleet):
    search = start("search", "trips", "--provider", "p", "-o", "name", *at(fleet.address))
    follow = start("follow", "-", "--interval", "100ms", "-o", "json", *at(fleet.address), stdin=search.stdout)
    search.stdout.close()
    try:
        following = Following(follow)
        seen = set()
        while seen != set(NAMES):
            seen.add(following.until(lambda line: "trip" in line)["name"])
    finally:
        follow.kill()
        follow.wait()
        search.wait()
        search.stderr.close()
    assert search.returncode == 0


@pytest.mark.parametrize("operands, given, followed", [
    (["-"], "providers/p/trips/t1\r\n\n  providers/p/trips/t2  \n", NAMES[:2]),
    (["trips/t3", "-", "t1"], "t1\nt2", [NAMES[2], NAMES[0], NAMES[1]]),
])
def test_lines_name_resources_once(fleet, operands, given, followed):
    result = tripwire("follow", *operands, "--provider", "p", "--until", "new", "-o", "json", *at(fleet.address),
                      stdin=given.encode())
    assert (result.code, result.stderr) == (0, "")
    seen = {line.split('"name":"')[1].split('"')[0] for line in result.stdout.splitlines()}
    assert seen == set(followed)


@pytest.mark.parametrize("given, message", [
    (b"providers/p/trips/t1\n\nproviders/p/trip/t2\n", "stdin:3: NAME: "),
    (b'{"name":"providers/p/trips/t1"}\n', "stdin:1: NAME: "),
    (b"providers/p/trips/\xff\n", "stdin:1: NAME: the name is not UTF-8"),
])
@pytest.mark.parametrize("command", [["follow"], ["map"], ["relay", "want"], ["relay", "unwant"]])
def test_invalid_lines_are_refused(command, given, message):
    result = tripwire(*command, "-", stdin=given)
    assert_failed(
        result, 2, message, hint="pass one name per line, as 'tripwire search trips -o name' prints them")


@pytest.mark.parametrize("given", [b"", b"\n \n"])
@pytest.mark.parametrize("command", [["follow"], ["map"], ["relay", "want"], ["relay", "unwant"]])
def test_missing_names_are_reported(command, given):
    assert_failed(tripwire(*command, "-", stdin=given), 2, error="NAME -: stdin has no names",
                  hint="check that the command before the pipe prints names")


@pytest.mark.parametrize("command", [["follow"], ["map"], ["relay", "want"], ["relay", "unwant"], ["relay", "read"]])
def test_names_in_a_file_are_checked(command, tmp_path):
    file = tmp_path / "names"
    file.write_text("providers/p/trips/t1\n\nproviders/p/trip/t2\n")
    assert_failed(tripwire(*command, f"@{file}"), 2, f"{file}:3: NAME: ", hint="pass one name per line")
    file.write_text(" \n")
    assert_failed(tripwire(*command, f"@{file}"), 2, error=f"NAME @{file}: {file} has no names",
                  hint="write one name per line to the file")
    missing = tmp_path / "missing"
    assert_failed(tripwire(*command, f"@{missing}"), 2, f"NAME @{missing}: {missing}: ", hint="check the path in NAME")
    assert_failed(tripwire(*command, "@"), 2, "FILE '': expected a file, found an empty name")


def test_names_in_files_are_followed(fleet, tmp_path):
    file = tmp_path / "names"
    file.write_text("t2\n\n")
    result = tripwire("follow", "t1", f"@{file}", "@-", "--provider", "p", "--until", "new", "-o", "json",
                      *at(fleet.address), stdin=b"t3\n")
    assert (result.code, result.stderr) == (0, "")
    assert {line.split('"name":"')[1].split('"')[0] for line in result.stdout.splitlines()} == set(NAMES)


def test_file_of_names_is_no_output(tmp_path):
    file = tmp_path / "names"
    file.write_text("providers/p/trips/t1\n")
    assert_failed(tripwire("follow", f"@{file}", "--record", file), 2, "this file is being read")


def test_input_is_read_once():
    assert_failed(tripwire("follow", "-", "@-"), 2, "unexpected argument -: stdin can be read only once")
    assert_failed(tripwire("follow", "-", "-"), 2, "unexpected argument -: stdin can be read only once",
                  hint="pass - once")
    assert_failed(tripwire("follow", "-", "--token-file", "-"), 2,
                  "NAME - cannot read stdin: the token is read from it", hint="pass it with --token-file FILE")
    assert_failed(tripwire("follow", "-", "-H", "@-"), 2,
                  "NAME - cannot read stdin: the headers are read from it", hint="pass them with -H @FILE")


def test_names_are_read_beside_headers_of_a_file(fleet, tmp_path):
    (tmp_path / "headers").write_text("x-test: 1\n")
    result = tripwire("follow", "-", "-H", f"@{tmp_path / 'headers'}", "--until", "new", "-o", "json",
                      *at(fleet.address), stdin=f"{NAMES[0]}\n".encode())
    assert (result.code, result.stderr) == (0, "")
    assert NAMES[0] in result.stdout


def test_closed_input_is_reported():
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" follow - <&-', os.environ["TRIPWIRE_BIN"]], capture_output=True, text=True,
        timeout=LONGEST)
    assert done.returncode == 2
    assert done.stderr.startswith("error: NAME -: stdin: ")
    assert "hint: redirect a file or a pipe to stdin" in done.stderr
