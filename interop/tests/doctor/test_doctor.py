"""Does `tripwire doctor` name the step that fails, and its cure?"""

import contextlib
import email.utils
import json
import socket
import time
from concurrent import futures

import grpc
import pytest

from peers.proxies.http_proxies import tinyproxy
from peers.servers.dated import dated_server
from peers.servers.stale_tokens import unsigned
from support.command import LONGEST, PATIENT, replayed, start, tripwire

TRIP = "providers/p/trips/t1"
NAMES = ["name", "tcp", "proxy", "tls", "alpn", "http2", "clock", "token"]


def doctor(*arguments, **more):
    """Returns the exit code, the names with their outcomes, and the steps by name."""
    result = tripwire("doctor", *arguments, "-o", "json", **more)
    assert result.stderr == "", result.stderr
    report = json.loads(result.stdout)
    assert report["exitCode"] == result.code
    steps = report["steps"]
    return (result.code, [(step["name"], step["outcome"]) for step in steps],
            {step["name"]: step for step in steps})


def failing(outcomes):
    return [name for name, outcome in outcomes if outcome == "failed"]


@contextlib.contextmanager
def listening():
    """A socket that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_plaintext_server(server):
    code, outcomes, steps = doctor(TRIP, "--endpoint", server.address, "--plaintext")
    assert code == 0
    assert outcomes == [
        ("name", "ok"), ("tcp", "ok"), ("proxy", "ok"), ("tls", "skipped"), ("alpn", "skipped"),
        ("http2", "ok"), ("clock", "skipped"), ("token", "skipped"), ("call", "ok")]
    assert steps["clock"]["message"] == 'not checked: the server sends no "date" header'
    assert steps["call"]["message"] == f"{TRIP}: enroute to pickup"
    assert steps["http2"]["settings"]["maxFrameSize"] >= 16384
    assert all(step["milliseconds"] > 0 for step in (steps["tcp"], steps["call"]))


def test_tls_server(tls_server, certificates):
    code, outcomes, steps = doctor(
        "--endpoint", f"localhost:{tls_server.port}", "--cacert", certificates.authority)
    assert (code, [name for name, _ in outcomes if name not in ("name", "tcp")]) == (0, NAMES[2:])
    # The certificates of the tests expire after a day.
    assert steps["tls"]["outcome"] == "warning" and steps["tls"]["message"].startswith("TLSv1.3, ")
    (certificate,) = steps["tls"]["certificates"]
    assert (certificate["subject"], certificate["names"]) == ("CN=good", ["localhost", "127.0.0.1"])
    assert certificate["issuer"] == "CN=tripwire test authority"
    assert steps["alpn"]["message"] == "h2"


def test_refused_address_of_localhost_is_not_a_warning(server):
    """Many servers listen at one of the two addresses of localhost."""
    port = server.address.rpartition(":")[2]
    result = tripwire("doctor", "--endpoint", f"localhost:{port}", "--plaintext")
    lines = result.stdout.splitlines()
    assert result.code == 0 and not any(line.startswith("warning") for line in lines)
    if "::1" in lines[0]:
        assert any(line.startswith(f"info     tcp      [::1]:{port}: connection refused") for line in lines)


@pytest.mark.parametrize("name, words, hint", [
    ("expired", "expired", "renew"), ("wrong_host", "is not for 127.0.0.1", "--authority"),
    ("self_signed", "self", "--cacert"),
])
def test_rejected_certificate_is_shown(tls_servers, certificates, name, words, hint):
    server = tls_servers(name)
    code, outcomes, steps = doctor(
        TRIP, "--endpoint", f"127.0.0.1:{server.port}", "--cacert", certificates.authority)
    assert (code, failing(outcomes)) == (78, ["tls"])
    assert words in steps["tls"]["message"] and hint in steps["tls"]["hint"]
    assert steps["tls"]["certificates"][0]["subject"] == f"CN={name.replace('_', '-')}"
    assert [outcome for _, outcome in outcomes[4:]] == ["skipped"] * 5


def test_plaintext_to_a_tls_server(tls_server):
    code, outcomes, steps = doctor("--endpoint", tls_server.address, "--plaintext")
    assert (code, failing(outcomes)) == (78, ["http2"])
    assert "remove --plaintext" in steps["http2"]["hint"]


def test_tls_to_a_plaintext_server(server):
    code, outcomes, steps = doctor("--endpoint", server.address)
    assert (code, failing(outcomes)) == (78, ["tls"])
    assert "add --plaintext" in steps["tls"]["hint"]


def test_unresolvable_name():
    code, outcomes, steps = doctor("--endpoint", "nothing.invalid:443")
    assert (code, failing(outcomes)) == (78, ["name"])
    assert "--endpoint" in steps["name"]["hint"]
    assert [name for name, _ in outcomes] == NAMES


def test_refused_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    code, outcomes, steps = doctor("--endpoint", f"127.0.0.1:{port}")
    assert (code, failing(outcomes)) == (78, ["tcp"])
    assert "connection refused" in steps["tcp"]["message"]


def test_one_address_of_two_is_enough(server):
    """A failure of some addresses is a warning."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    code, outcomes, _ = doctor(
        "--endpoint", f"ipv4:127.0.0.1:{port},{server.address}", "--plaintext")
    assert code == 0
    assert outcomes[:3] == [("name", "ok"), ("tcp", "warning"), ("tcp", "ok")]


@pytest.mark.parametrize("options, step", [(["--plaintext"], "http2"), ([], "tls")])
def test_each_step_ends_in_time(options, step):
    with listening() as address:
        code, outcomes, steps = doctor("--endpoint", address, "--timeout", "200ms", *options)
    assert failing(outcomes) == [step] and code == 78
    assert steps[step]["milliseconds"] >= 200
    assert "0.2 seconds" in steps[step]["message"]


def test_proxy(tmp_path, tls_server, certificates):
    with tinyproxy(tmp_path) as proxy:
        code, outcomes, steps = doctor(
            "--endpoint", f"localhost:{tls_server.port}", "--cacert", certificates.authority,
            "--proxy", f"http://{proxy}")
        assert (code, failing(outcomes)) == (0, [])
        assert steps["proxy"]["message"] == f"{proxy} opened a tunnel to localhost:{tls_server.port}"
        assert steps["tcp"]["message"] == proxy
        refused = doctor("--endpoint", "localhost:1", "--proxy", f"http://{proxy}")
        assert (refused[0], failing(refused[1])) == (78, ["proxy"])


@pytest.mark.parametrize("offset, outcome, words", [
    (0, "ok", "agree"), (-30, "ok", "30 s ahead of"), (-300, "failed", "5 min ahead of"),
    (7200, "failed", "2 h behind"),
])
def test_clocks_are_compared(offset, outcome, words):
    # A slow machine may need some seconds: it then is more ahead, and less behind.
    date = email.utils.formatdate(time.time() + offset + (1 if offset > 0 else 0), usegmt=True)
    with dated_server(date) as address:
        code, _, steps = doctor("--endpoint", address, "--plaintext")
    assert (code, steps["clock"]["outcome"]) == (0 if outcome == "ok" else 1, outcome)
    assert words.split()[-1] in steps["clock"]["message"]
    assert ("NTP" in steps["clock"].get("hint", "")) == (outcome == "failed")


def test_date_that_is_not_a_date_is_skipped():
    with dated_server("yesterday") as address:
        code, _, steps = doctor("--endpoint", address, "--plaintext")
    assert (code, steps["clock"]["outcome"]) == (0, "skipped")


def claims(trip="t1", age=0):
    now = int(time.time()) - age
    return dict(iss="a@b.example", sub="a@b.example", aud="https://fleetengine.googleapis.com/",
                iat=now, exp=now + 3600, authorization={"tripid": trip})


@pytest.mark.parametrize("changes, code, words", [
    (dict(age=7200), 1, "exp"), (dict(trip="t2"), 1, "tripid"),
])
def test_unusable_token_is_reported(server, tmp_path, changes, code, words):
    file = tmp_path / "token.jwt"
    file.write_text(unsigned(**claims(**changes)))
    result = doctor(
        TRIP, "--endpoint", server.address, "--plaintext", "--token-file", file)
    assert result[0] == code and failing(result[1]) == ["token"]
    assert words in result[2]["token"]["message"]
    assert result[2]["call"]["outcome"] == "ok"


def test_token_is_never_shown(server, tmp_path):
    file = tmp_path / "token.jwt"
    file.write_text(unsigned(**claims()))
    for arguments in [], ["-o", "json"], ["-v"]:
        result = tripwire("doctor", TRIP, "--endpoint", server.address, "--plaintext",
                          "--token-file", file, *arguments)
        assert file.read_text().split(".")[1] not in result.stdout + result.stderr
        assert "tripid" in result.stdout


@pytest.mark.parametrize("options, code", [
    (["--token-file", "/nothing/here"], 1), (["--token-command", "false"], 80),
])
def test_missing_token_skips_the_call(server, options, code):
    result = doctor(TRIP, "--endpoint", server.address, "--plaintext", *options)
    assert (result[0], failing(result[1])) == (code, ["token"])
    assert result[1][-1] == ("call", "skipped")


@pytest.mark.parametrize("resource, code, hint", [
    ("trips/missing", 69, "exists"), ("trips/fails-PERMISSION_DENIED", 71, "token"), ("vehicles/v1", 0, None),
])
def test_call_has_the_exit_code_of_get(server, resource, code, hint):
    result = doctor(f"providers/p/{resource}", "--endpoint", server.address, "--plaintext")
    assert result[0] == code
    assert hint is None or hint in result[2]["call"]["hint"]
    name = {69: "NOT_FOUND: ", 71: "PERMISSION_DENIED: "}.get(code, "")
    assert result[2]["call"]["message"].startswith(name)


def test_text_has_a_line_for_each_step(server):
    result = tripwire("doctor", "--endpoint", server.address, "--plaintext")
    assert (result.code, result.stderr) == (0, "")
    assert [line.split()[1] for line in result.stdout.splitlines()] == NAMES


def test_replayed_recording():
    code, outcomes, _ = doctor("providers/demo/trips/t1", *replayed("trip"))
    assert (code, failing(outcomes)) == (0, [])


def test_ctrl_c_ends_a_hanging_step():
    with listening() as address:
        process = start("doctor", "--endpoint", address, "--plaintext", "--timeout", PATIENT)
        assert process.stdout.readline().startswith(b"ok ")
        process.send_signal(2)
        process.communicate(timeout=LONGEST)
        assert process.returncode == 130


def test_interrupted_step_fails_and_the_rest_is_skipped():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        process = start("doctor", TRIP, "--endpoint", address, "--plaintext", "--timeout", PATIENT,
                        "-o", "json", "--token-command", "echo called >&2; echo token")
        # The first connection only tests TCP. The second one sends the preface of HTTP/2.
        connections = [listener.accept()[0] for _ in range(2)]
        assert connections[1].recv(1)
        process.send_signal(2)
        stdout, stderr = process.communicate(timeout=LONGEST)
    report = json.loads(stdout)
    assert (process.returncode, report["exitCode"]) == (130, 130)
    assert b"called" not in stderr
    outcomes = {step["name"]: (step["outcome"], step["message"]) for step in report["steps"]}
    assert outcomes["tcp"][0] == "ok" and outcomes["http2"] == ("failed", "interrupted")
    assert [outcomes[name] for name in ("clock", "token", "call")] == [
        ("skipped", "interrupted")] * 3


def test_missing_certificate_file_is_reported():
    code, outcomes, steps = doctor("--endpoint", "localhost:1", "--cacert", "/nothing/here")
    assert (code, failing(outcomes)) == (1, ["options"])
    assert "--cacert" in steps["options"]["message"]
