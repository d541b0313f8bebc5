"""Does each warning appear with `--error-format json`, in the error's object or as a line of its own?"""

import json
import subprocess

from peers.servers.stale_tokens import unsigned
from support.command import LONGEST, binary, environment, get, tripwire
from support.following import following
from peers.fleet import Fleet

JSON = ["--error-format", "json"]
T1 = "providers/p/trips/t1"


def lines(stderr):
    return [json.loads(line) for line in stderr.splitlines()]


def expired_token(folder):
    path = folder / "token.jwt"
    path.write_text(unsigned(exp=1_000_000_000))
    return ["--token-file", path]


def test_warning_of_a_successful_call_is_a_line(server, tmp_path):
    text = get(server, "trips/t1", *expired_token(tmp_path)).stderr
    assert text.startswith("warning: --token-file: the token expired at ")
    result = get(server, "trips/t1", *expired_token(tmp_path), *JSON)
    assert result.code == 0
    [line] = lines(result.stderr)
    assert set(line) == {"warning"} and line["warning"].startswith("--token-file: the token expired at ")
    assert get(server, "trips/t1", *expired_token(tmp_path), *JSON, "-q").stderr == ""


def test_warnings_of_a_failed_call_are_in_its_object(server, tmp_path):
    result = get(server, "trips/missing", *expired_token(tmp_path), *JSON)
    [line] = lines(result.stderr)
    assert line["code"] == "NOT_FOUND"
    assert [text.split(" at ")[0] for text in line["warnings"]] == ["--token-file: the token expired"]
    quiet = get(server, "trips/missing", *expired_token(tmp_path), *JSON, "-q")
    assert "warnings" not in json.loads(quiet.stderr)


def test_lost_entries_of_a_recording_are_reported(server, tmp_path):
    """A limit of the file size simulates the full disk."""
    def recorded(name):
        done = subprocess.run(
            ["prlimit", "--fsize=100", binary(), "get", name, "--endpoint", server.address, "--plaintext",
             "--record", tmp_path / "log", *JSON],
            capture_output=True, text=True, env=environment(), timeout=LONGEST)
        return lines(done.stderr)

    beginnings = [f"{tmp_path}/log: recording paused: ", f"{tmp_path}/log: "]
    found = [line["warning"] for line in recorded(T1)]
    assert len(found) == 2 and all(map(str.startswith, found, beginnings)), found
    assert "not recorded: write " in found[1]
    [error] = recorded("providers/p/trips/missing")
    assert error["code"] == "NOT_FOUND" and len(error["warnings"]) == 2
    assert all(map(str.startswith, error["warnings"], beginnings))


def test_warnings_of_options_and_of_the_call_are_together(server):
    result = tripwire("get", T1, "--endpoint", "127.0.0.1:1", "-k", *JSON)
    [error] = lines(result.stderr)
    assert error["warnings"] == ["the server's certificate is not verified (--insecure-skip-verify)"]


def test_warning_while_following_is_written_at_once(tmp_path):
    log = tmp_path / "folder" / "log"
    log.parent.mkdir()
    with Fleet() as fleet:
        trip = fleet.add_trip("t1")
        trip.go("ENROUTE_TO_PICKUP")
        options = ["--plaintext", "--record", log, *JSON]
        with following(fleet.address, trip, options=options) as follow:
            follow.wait_until(lambda: log.exists() and log.stat().st_size > 0)
            log.unlink()
            log.parent.rmdir()
            line = json.loads(follow.process.stderr.readline())
            assert line["warning"].startswith(f"{log}: recording paused: open ")
            trip.go("COMPLETE")
            follow.until_status("COMPLETE")
