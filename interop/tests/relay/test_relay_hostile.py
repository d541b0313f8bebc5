"""Do workers and readers survive messages in NATS that no worker or reader of the relay sends?"""

import asyncio
import json
import os
import subprocess

import nats as client
import pytest

from support.command import environment
from support.nats.server import NATSServer, until
from support.relay import Process, Reader, TripState, Worker, program, relay, status, working

NAME = "providers/p/trips/t1"
SUBJECT = "tripwire.v1.trips.p.t1"
LIVE = "tripwire.v1.live.p.t1"
WANTS = "$KV.TRIPWIRE_WANTS"
LONG = "providers/" + 3996 * "p" + "/trips/t1"


def publish(nats, *messages):
    """Publishes messages: subject, data and headers."""
    async def send():
        connection = await client.connect(nats.url)
        for subject, data, *headers in messages:
            await connection.publish(subject, data, headers=headers[0] if headers else None)
        await connection.flush()
        await connection.close()
    asyncio.run(send())


def goes_on(reader):
    """Waits until the reader has newer states than now."""
    before = reader.states[-1].sequence if reader.states else 0
    return reader.until(lambda state: state.sequence > before + 1)


@pytest.mark.parametrize("arguments", [("want", LONG), ("unwant", LONG), ("read", LONG)],
                         ids=["want", "unwant", "read"])
def test_name_that_nats_cannot_transmit_is_reported(nats, worker, arguments):
    result = relay(nats, *arguments)
    assert (result.code, result.stderr) == (
        1, f"error: the name {LONG[:64]}… is too long for the relay: its key has 3999 bytes, at most 1024 are"
           " allowed\nhint: use a shorter ID of the project or the resource\n")


def test_invalid_keys_are_not_polled(nats, moving):
    """Keys that are too long, no resource, or have wildcards use no capacity, and are not removed."""
    with Worker(nats, moving, "--capacity", 1):
        working(nats, 1)
        publish(nats, *((f"{WANTS}.{key}", b'{"forMs":1}') for key in (
            3000 * "p" + ".t1", "junk", "p.>", 'p.a"b', "p.t1.x.y", "p.=2F")))
        with Reader(nats, NAME) as reader:
            goes_on(reader)
            until(lambda: status(nats)["workers"][0]["resources"] == 1, "the resource in a heartbeat")
            goes_on(reader)
            assert status(nats)["workers"][0]["resources"] == 1
    assert status(nats)["wanted"] == 7


@pytest.mark.parametrize("fields", [
    {"name": NAME, "sequence": (1 << 64) - 1}, {"name": NAME, "sequence": 1 << 63}, {"sequence": 1000},
    {"name": "providers/p/trips/t2", "sequence": 1000},
], ids=["highest", "high", "nameless", "other"])
def test_invalid_state_is_replaced(nats, moving, fields):
    assert relay(nats, "want", NAME).code == 0
    publish(nats, (SUBJECT, TripState(**fields).SerializeToString()))
    with Worker(nats, moving) as worker, Reader(nats, NAME) as reader:
        reader.until(lambda state: state.trip.name == NAME)
        assert goes_on(reader).sequence < 1000
        assert worker.process.poll() is None


@pytest.mark.parametrize("data", [
    b"", TripState(sequence=1).SerializeToString(), TripState(name=NAME).SerializeToString(),
    TripState(name="providers/p/trips/t2").SerializeToString(), b"\xff",
], ids=["empty", "nameless", "timeless", "other", "invalid"])
def test_invalid_live_message_stops_no_reader(nats, moving, worker, data):
    with Reader(nats, NAME, "providers/p/trips/t2") as reader:
        goes_on(reader)
        for sequence in (1 << 64) - 1, 1 << 63, 1:
            publish(nats, (LIVE, data, {"Nats-Sequence": str(sequence)}))
        goes_on(reader)
        later = len(reader.states)
        until(lambda: {state.name for state in reader.states[later:]} == {NAME, "providers/p/trips/t2"}, "both trips")
        assert all(state.name for state in reader.states)


def test_long_delay_is_limited(nats, moving, worker):
    """A provider is delayed by ten minutes at most, and the others not at all."""
    publish(nats, ("$KV.TRIPWIRE_DELAYS.q", b'{"forMs":9007199254740991}'))
    with Reader(nats, NAME) as reader:
        goes_on(reader)
    assert worker.process.poll() is None


@pytest.mark.parametrize("file, reason", [("/dev/full", "No space left on device"), (None, "Bad file descriptor")],
                         ids=["full", "closed"])
def test_failed_write_is_reported(nats, moving, worker, file, reason):
    shell = f'exec "$0" read {NAME} ' + (f">{file}" if file else ">&-")
    done = subprocess.run(["sh", "-c", shell, program()], env=environment(NATS_URL=nats.url), timeout=60,
                          stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.decode()) == (
        1, f"error: cannot write to stdout: {reason}\n"
           "hint: check the file or device that stdout is redirected to\n")


def test_watched_status_survives_a_restart(nats, moving, worker):
    read, write = os.pipe()
    with Process(nats, "status", "--watch", "-o", "json", stdout=write) as watching, open(read) as lines:
        os.close(write)
        assert '"resources":0' in lines.readline()
        nats.kill()
        watching.error("warning: cannot connect to NATS at")
        nats.start()
        assert '"workers":[' in lines.readline()


def test_trips_that_are_too_large_are_reported_once(tmp_path, moving):
    with NATSServer(tmp_path, "max_payload: 1200\n") as nats, Worker(nats, moving) as worker:
        working(nats, 1)
        names = [f"providers/p/trips/t{number}" for number in (1, 2, 3)]
        with Reader(nats, *names) as reader:
            until(lambda: sum(state.sequence > 5 for state in reader.states) > 10, "some polls")
            assert all("too large for the relay" in state.error.status.message for state in reader.states)
        assert len([line for line in worker.errors if "cannot be published" in line]) == 1


@pytest.mark.parametrize("name, changes, problem", [
    ("TRIPWIRE_TRIPS", {"republish": {"src": "tripwire.v1.trips.>", "dest": "tripwire.v1.live.>",
                                      "headers_only": True}}, "it republishes headers only"),
    ("TRIPWIRE_TRIPS", {"republish": {"src": "tripwire.v1.trips.q.>", "dest": "tripwire.v1.live.>"}},
     "it does not republish tripwire.v1.trips.>"),
    ("KV_TRIPWIRE_WANTS", {"max_msgs": 1}, "max_msgs is not -1"),
], ids=["headers", "source", "limit"])
def test_incompatible_configuration_is_reported(nats, moving, worker, name, changes, problem):
    worker.end()

    async def change():
        connection = await client.connect(nats.url)
        stream = connection.jetstream()
        await stream.delete_stream(name)
        subjects = {"TRIPWIRE_TRIPS": "tripwire.v1.trips.>", "KV_TRIPWIRE_WANTS": "$KV.TRIPWIRE_WANTS.>"}[name]
        await connection.request(f"$JS.API.STREAM.CREATE.{name}", json.dumps({
            "name": name, "subjects": [subjects], "retention": "limits", "storage": "file", "discard": "new",
            "max_msgs_per_subject": 1, "num_replicas": 1, "allow_direct": True, **changes}).encode())
        await connection.close()

    asyncio.run(change())
    result = relay(nats, "work", "--endpoint", moving.address, "--plaintext")
    assert (result.code, result.stderr) == (
        1, f"error: cannot use the stream {name} of NATS: {problem}\n"
           f"hint: delete the stream {name}, so that a worker creates it again\n")
