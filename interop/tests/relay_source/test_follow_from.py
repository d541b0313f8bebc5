"""Does `tripwire follow --from` show what a relay sends, and survive what it should not send?"""

import contextlib
import json
import os
import signal

import pytest
from google.rpc import error_details_pb2

from support.following import trip_of
from peers.relay.messages import NAME, URL, delimited, failing, state, varint

OTHER = "providers/p/trips/t2"


def follow(relay, *arguments, names=(NAME,)):
    return relay("follow", *names, "-o", "json", *arguments)


# What is shown


def test_trip_is_followed_to_its_end(relay):
    fake = follow(relay)
    assert fake.arguments == ["read", NAME, "--nats", URL]
    for status in "NEW", "ENROUTE_TO_PICKUP", "COMPLETE":
        fake.send(state(status))
        fake.following.until_status(status)
    assert fake.end() == (0, "")
    assert fake.following.lines[1]["changed"] == ["tripStatus"]
    assert trip_of(fake.following.lines[1]).name == NAME
    assert fake.next_line() == {"signal": signal.SIGTERM}


def test_several_trips_end_with_the_last(relay):
    fake = follow(relay, names=[NAME, OTHER])
    assert fake.arguments[:3] == ["read", NAME, OTHER]
    fake.send(state("COMPLETE"), state("NEW", OTHER), state("NEW", "providers/p/trips/nobody"))
    fake.following.until(lambda line: line["name"] == OTHER)
    fake.send(state("CANCELED", OTHER))
    code, _ = fake.end()
    assert code == 3


def test_relay_may_end_after_the_last_states(relay):
    fake = follow(relay)
    fake.send(state("COMPLETE"))
    # The command may have stopped the program by now.
    with contextlib.suppress(BrokenPipeError):
        fake.exit(0)
    assert fake.end() == (0, "")


def test_options_for_nats_are_passed_on(relay):
    fake = follow(relay, "--nats-creds", "a b", "--nats-ca", "ca", "--nats-cert", "c", "--nats-key", "k")
    assert fake.arguments == [
        "read", NAME, "--nats", URL, "--nats-creds", "a b", "--nats-ca", "ca", "--nats-cert", "c",
        "--nats-key", "k"]


def test_until_and_for_have_the_exit_codes_of_polling(relay):
    fake = follow(relay, "--until", "arrived-at-pickup")
    fake.send(state("ENROUTE_TO_DROPOFF"))
    assert fake.end()[0] == 0
    fake = follow(relay, "--until", "arrived-at-pickup", "--for", "3s")
    fake.send(state("NEW"))
    code, error = fake.end()
    assert code == 4 and "did not reach the status arrived-at-pickup" in error
    fake = follow(relay, "--for", "3s")
    assert fake.end()[0] == 68
    fake = follow(relay, "--for", "3s")
    fake.send(failing(5))
    assert fake.end()[0] == 69


@pytest.mark.parametrize("code, name, origin, is_client_error, kind", [
    (5, "NOT_FOUND", "SERVER", True, "client"),
    (14, "UNAVAILABLE", "TRANSPORT", False, "server/network"),
    (14, "UNAVAILABLE", "LOCAL", True, "client"),
    (4, "DEADLINE_EXCEEDED", "LOCAL", False, "server/network"),
    (1, "CANCELLED", "LOCAL", True, "client"),
    (13, "INTERNAL", "SERVER", False, "server/network"),
])
def test_errors_have_the_kind_that_the_worker_found(relay, code, name, origin, is_client_error, kind):
    fake = follow(relay)
    fake.send(failing(code, "why", origin, is_client_error))
    error = fake.following.until_error(name)["error"]
    assert (error["kind"], error["message"], error["number"]) == (kind, "why", code)
    fake.send(failing(code, "why", origin, is_client_error, count=2), state("NEW"))
    fake.following.until_recovered()
    assert fake.following.errors == [name]


def test_details_of_errors_are_shown(relay):
    fake = follow(relay)
    message = failing(8)
    message.error.status.details.add().Pack(
        error_details_pb2.ErrorInfo(reason="QUOTA", domain="example.com"))
    fake.send(message)
    error = fake.following.until_error("RESOURCE_EXHAUSTED")["error"]
    assert "QUOTA" in str(error["details"])


def test_fail_fast_ends_at_the_first_error(relay):
    fake = follow(relay, "--fail-fast")
    fake.send(failing(7))
    code, error = fake.end()
    assert code == 71 and "PERMISSION_DENIED" in error and NAME in error


def test_error_of_the_relay_makes_the_trip_stale(relay):
    fake = follow(relay)
    fake.send(state("NEW"))
    fake.following.until_status("NEW")
    lost = state()
    lost.relay_error.code, lost.relay_error.message = 14, "no connection to NATS"
    fake.send(lost)
    line = fake.following.until_error("UNAVAILABLE")
    assert "no connection to NATS" in line["error"]["message"]
    assert any(line.get("stale") for line in fake.following.lines)
    fake.send(state("NEW"))
    fake.following.until_recovered()
    fake.send(state("COMPLETE"))
    assert fake.end()[0] == 0


def test_silent_relay_makes_the_trip_stale(relay):
    fake = follow(relay)
    message = state("NEW")
    message.refresh_interval.seconds, message.refresh_interval.nanos = 0, 100_000_000
    fake.send(message)
    assert fake.following.until(lambda line: line.get("stale"))["changed"] == []
    fake.send(message)
    fake.following.until_recovered()


def test_old_state_is_stale_at_once(relay):
    fake = follow(relay)
    message = state("NEW")
    message.age.seconds = 600
    fake.send(message)
    assert fake.following.until_status("NEW")["stale"]


def test_states_may_arrive_byte_by_byte(relay):
    fake = follow(relay)
    for byte in delimited(state("NEW"), state("COMPLETE")):
        fake.write(bytes([byte]))
    assert fake.end()[0] == 0


def test_large_trip_is_shown(relay):
    fake = follow(relay)
    message = state("NEW")
    for number in range(100_000):
        message.trip.route.add(latitude=number / 1e4, longitude=1)
    fake.send(message)
    assert len(fake.following.until_status("NEW")["trip"]["route"]) == 100_000


# What fails


@pytest.mark.parametrize("data, words", [
    (b"\x03\x0a\x7fx", "a message cannot be decoded"),
    (b"\xff" * 20, "the length of a message is not a varint"),
    (varint(65 << 20), "a message has 68157440 bytes; the limit is 67108864 bytes"),
    (b"HTTP/1.1 400 Bad Request\r\n" * 9, "a message cannot be decoded"),
])
def test_invalid_output_of_the_relay_ends_the_command(relay, data, words):
    fake = follow(relay)
    fake.write(data)
    code, error = fake.end()
    assert code == 1
    assert error.startswith("error: cannot read the states of tripwire-relay: " + words)
    assert fake.next_line() == {"signal": signal.SIGTERM}


def test_truncated_message_is_reported(relay):
    fake = follow(relay)
    data = delimited(state("NEW"))
    fake.write(data + data[:9])
    fake.following.until_status("NEW")
    fake.exit(0)
    code, error = fake.end()
    assert code == 1
    assert f"the output ends after 8 of the {len(data) - 1} bytes of a message" in error


def test_failure_of_the_relay_is_reported_with_its_exit_code(relay):
    fake = follow(relay)
    fake.send(state("NEW"))
    fake.following.until_status("NEW")
    fake.complain("error: the credentials are wrong\nhint: pass --nats-creds\nno line end")
    fake.exit(5)
    code, error = fake.end()
    assert code == 5
    assert error == "error: the credentials are wrong\nhint: pass --nats-creds\nno line end\n"


def test_failure_without_a_message_is_reported(relay):
    fake = follow(relay)
    fake.exit(5)
    code, error = fake.end()
    assert (code, error) == (
        5, "error: tripwire-relay failed: exit code 5\n"
        "hint: install tripwire-relay and tripwire of the same version\n")


def test_json_has_an_object_for_a_failure_that_the_relay_reports(relay):
    fake = follow(relay, "--error-format", "json")
    fake.complain("error: the credentials are wrong\n")
    fake.exit(5)
    code, error = fake.end()
    assert code == 5
    first, report = error.splitlines()
    assert first == "error: the credentials are wrong"
    assert json.loads(report)["message"] == "tripwire-relay failed: exit code 5"


def test_messages_of_the_relay_are_passed_on_at_once(relay):
    fake = follow(relay)
    fake.complain("warning: slow\n")
    assert fake.process.stderr.readline() == b"warning: slow\n"


def test_warnings_of_the_relay_are_json_with_json_errors(relay):
    fake = follow(relay, "--error-format", "json")
    fake.complain("warning: slow\n")
    assert fake.process.stderr.readline() == b'{"warning":"slow"}\n'


def test_relay_that_is_killed_is_reported(relay):
    fake = follow(relay)
    fake.kill()
    assert fake.end() == (1, "error: tripwire-relay was ended by signal 9\n")


def test_early_end_of_the_relay_is_reported(relay):
    fake = follow(relay)
    fake.exit(0)
    assert fake.end() == (1, "error: tripwire-relay ended before the resources did\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_both(relay, number):
    fake = follow(relay)
    fake.send(state("NEW"))
    fake.following.until_status("NEW")
    fake.process.send_signal(number)
    assert fake.end() == (128 + number, "")
    assert fake.next_line() == {"signal": signal.SIGTERM}
    assert fake.next_line() is None


def test_relay_that_does_not_end_is_killed(relay):
    fake = follow(relay)
    fake.ignore_end()
    fake.send(state("COMPLETE"))
    assert fake.end()[0] == 0
    while fake.next_line():
        pass


def test_closed_stdout_ends_both(relay):
    reader, writer = os.pipe()
    os.close(reader)
    fake = relay("follow", NAME, "-o", "json", stdout=writer)
    os.close(writer)
    fake.send(state("NEW"))
    assert fake.process.wait() == 141
    assert fake.next_line() == {"signal": signal.SIGTERM}
