"""Do the workers and readers report what is wrong, and recover?"""

import asyncio
import shutil
from types import SimpleNamespace

import nats as client
import pytest

from peers.proxies.fault_proxy import FaultProxy
from support.nats.server import NATSServer, free_port, until
from support.relay import Reader, Worker, relay, status, working

NAME = "providers/p/trips/t1"


def test_restart_of_nats_is_survived(nats, moving, worker):
    with Reader(nats, NAME) as reader:
        before = reader.until(lambda state: state.trip.name)
        nats.kill()
        lost = reader.until(lambda state: state.HasField("relay_error"), "the loss is reported")
        assert lost.name == NAME and lost.relay_error.code == 14
        worker.error("the connection to NATS at")
        nats.start()
        after = reader.until(
            lambda state: state.sequence > before.sequence and not state.HasField("relay_error"))
        assert after.stream_sequence > before.stream_sequence
    working(nats, 1)


def test_reader_continues_with_a_new_stream(nats, moving, worker):
    """NATS loses its data, and numbers its messages from 1 again."""
    with Reader(nats, NAME) as reader:
        before = reader.until(lambda state: state.stream_sequence > 5)
        nats.kill()
        shutil.rmtree(nats.folder / "js")
        nats.start()
        after = reader.until(lambda state: state.stream_time.ToNanoseconds() > before.stream_time.ToNanoseconds())
        assert after.stream_sequence < before.stream_sequence and after.trip.name == NAME
        later = reader.until(lambda state: state.sequence > after.sequence + 2)
        assert later.stream_time == after.stream_time
    orders = [
        (state.stream_time.ToNanoseconds(), state.stream_sequence) for state in reader.states if state.HasField("trip")]
    assert orders == sorted(orders)
    assert not worker.process.poll()


def test_worker_alone_restores_all_streams_of_an_empty_nats(nats, moving):
    with Worker(nats, moving, "--partitions", "4"):
        working(nats, 1)
        nats.kill()
        shutil.rmtree(nats.folder / "js")
        nats.start()
        working(nats, 1)
        assert asyncio.run(keys(nats, "KV_TRIPWIRE_WANTS")) == {"$KV.TRIPWIRE_WANTS.partitions": 1}


async def keys(nats, stream):
    """Returns the number of messages of each subject."""
    connection = await client.connect(nats.url)
    try:
        info = await connection.jetstream().stream_info(stream, subjects_filter=">")
        return info.state.subjects
    finally:
        await connection.close()


def test_deleted_stream_is_created_again(nats, moving, worker):
    async def delete():
        connection = await client.connect(nats.url)
        await connection.jetstream().delete_stream("TRIPWIRE_TRIPS")
        await connection.close()

    with Reader(nats, NAME) as reader:
        before = reader.until(lambda state: state.trip.name)
        asyncio.run(delete())
        reader.until(lambda state: state.stream_time.ToNanoseconds() > before.stream_time.ToNanoseconds())


def test_errors_of_calls_reach_readers(nats, moving, worker):
    with Reader(nats, "providers/p/trips/none") as reader:
        state = reader.until(lambda state: state.HasField("error"))
        assert (state.error.status.code, state.error.is_client_error) == (5, True)
        assert state.error.count >= 1 and not state.trip.name


def test_missing_worker_is_reported(nats, moving):
    assert relay(nats, "want", NAME).code == 0
    with Reader(nats, NAME) as reader:
        state = reader.until(lambda state: state.HasField("relay_error"))
        assert (state.relay_error.code, state.relay_error.message) == (14, f"no worker publishes {NAME}")
        reader.error("warning: no worker publishes")
        reader.error("hint: check the workers with 'tripwire relay status', and their messages, or start one: ")
        with Worker(nats, moving):
            state = reader.until(lambda state: not state.HasField("relay_error"))
            assert state.trip.name == NAME


@pytest.mark.long
def test_missing_worker_is_one_problem(nats):
    assert relay(nats, "want", NAME).code == 0
    with Reader(nats, NAME) as reader:
        # The reader looks for a state every 30 s.
        until(lambda: sum(state.HasField("relay_error") for state in reader.states) > 1, "another error")
        assert [line for line in reader.errors if not line.startswith("hint: ")] == [
            f"warning: no worker publishes {NAME}"]


def test_request_that_no_worker_answers_is_stored_again(nats, moving):
    """Copies of the bucket that became different may lack it. It stays pinned."""
    assert relay(nats, "want", "--pin", NAME).code == 0
    first = asyncio.run(request(nats))
    with Reader(nats, NAME):
        until(lambda: asyncio.run(request(nats)).revision > first.revision, "another request", pause=1)
    last = asyncio.run(request(nats))
    assert last.value == first.value == b'{"pin":true}'


async def request(nats):
    """The last request for the trip."""
    connection = await client.connect(nats.url)
    try:
        bucket = await connection.jetstream().key_value("TRIPWIRE_WANTS")
        return await bucket.get("p.t1")
    finally:
        await connection.close()


def test_quota_slows_all_workers(nats, moving):
    names = [f"providers/p/trips/t{number}" for number in range(1, 7)]
    with Worker(nats, moving), Worker(nats, moving):
        working(nats, 2)
        with Reader(nats, *names) as reader:
            until(lambda: {state.name for state in reader.states} == set(names), "all states")
            moving.faults.exceed_quota(600)
            until(lambda: any(state.error.status.code == 8 for state in reader.states), "the error")
            moving.faults.withdraw()
            before = len(moving.journal.of())
            # Both workers would make 60 calls in this time.
            with pytest.raises(AssertionError):
                moving.journal.wait_for_calls(before + 20, timeout=2)
            assert len(working(nats, 2)) == 2


def test_trip_larger_than_max_payload_has_an_error(tmp_path, moving):
    with NATSServer(tmp_path, "max_payload: 1200\n") as nats, Worker(nats, moving) as worker:
        working(nats, 1)
        with Reader(nats, NAME) as reader:
            state = reader.until(lambda state: state.HasField("error"))
            assert state.error.status.code == 8
            assert "max_payload" in state.error.status.message
        worker.error("cannot be published")


def test_unreachable_server_is_reported(moving):
    result = relay(f"nats://127.0.0.1:{free_port()}", "status")
    assert result.code == 1
    assert result.stderr.startswith("error: cannot connect to NATS at nats://127.0.0.1:")
    assert "hint: start nats-server with -js, or check the address of NATS\n" in result.stderr


def test_unknown_host_is_reported():
    result = relay("nats://no-host.invalid", "status")
    assert result.code == 1
    assert result.stderr.startswith(
        "error: cannot connect to NATS at nats://no-host.invalid: the name no-host.invalid cannot be resolved: ")
    assert result.stderr.endswith("hint: check the host in the URL of NATS\n")


def test_too_few_servers_for_the_replicas_are_reported(tmp_path, moving):
    with NATSServer(tmp_path) as nats:
        result = relay(nats, "work", "--replicas", "3", "--endpoint", moving.address, "--plaintext")
    assert result.code == 1
    assert result.stderr.startswith("error: cannot create the stream KV_TRIPWIRE_WANTS: ")
    assert result.stderr.endswith("hint: pass --replicas 1, or use a cluster with enough servers\n")


def test_missing_jetstream_is_reported(tmp_path, moving):
    with NATSServer(tmp_path, jetstream=False) as nats:
        result = relay(nats, "work", "--endpoint", moving.address, "--plaintext")
    assert result.code == 1
    assert "NATS has no JetStream" in result.stderr or "not enabled" in result.stderr
    assert ("hint: start nats-server with -js, or enable JetStream for the account; on a leaf node, pass --nats-domain\n"
            in result.stderr)


def test_wrong_credentials_are_reported(tmp_path, moving):
    users = 'authorization { users = [ { user: "a", password: "b" } ] }\n'
    with NATSServer(tmp_path, users) as nats:
        for url in nats.url, nats.url.replace("//", "//a:wrong@"):
            result = relay(url, "work", "--endpoint", moving.address, "--plaintext")
            assert result.code == 1
            assert "hint: check --nats-creds, or the user and password in the URL\n" in result.stderr
            assert "wrong" not in result.stderr
        assert relay(nats.url.replace("//", "//a:b@"), "status").code == 1


def test_missing_credentials_file_is_reported(nats):
    result = relay(nats, "status", "--nats-creds", "/nowhere")
    assert (result.code, result.stderr) == (
        1, "error: --nats-creds: cannot read /nowhere: No such file or directory\n"
           "hint: check the path in --nats-creds\n")


def test_incompatible_stream_is_reported(nats, moving, worker):
    async def replace():
        connection = await client.connect(nats.url)
        stream = connection.jetstream()
        await stream.delete_stream("TRIPWIRE_TRIPS")
        await stream.add_stream(name="TRIPWIRE_TRIPS", subjects=["tripwire.v1.trips.>"])
        await connection.close()

    asyncio.run(replace())
    result = relay(nats, "work", "--endpoint", moving.address, "--plaintext")
    assert result.code == 1
    assert result.stderr == (
        "error: cannot use the stream TRIPWIRE_TRIPS of NATS: max_msgs_per_subject is not 1\n"
        "hint: delete the stream TRIPWIRE_TRIPS, so that a worker creates it again\n")


@pytest.mark.parametrize("command", ["work", "want"])
def test_stream_with_the_same_subjects_is_reported(nats, moving, command):
    async def add():
        connection = await client.connect(nats.url)
        await connection.jetstream().add_stream(name="OTHER", subjects=["tripwire.v1.>"])
        await connection.close()

    asyncio.run(add())
    arguments = {"work": ["--endpoint", moving.address, "--plaintext"], "want": [NAME]}
    result = relay(nats, command, *arguments[command])
    assert (result.code, result.stderr) == (
        1, "error: cannot create the stream TRIPWIRE_TRIPS: subjects overlap with an existing stream: OTHER\n"
           "hint: delete the stream OTHER, or remove tripwire.v1.trips.> from its subjects\n")


def test_resource_that_does_not_exist_is_polled_less_and_less(nats, moving, worker):
    assert relay(nats, "want", "providers/p/trips/none", NAME).code == 0
    # This takes 10 s. The polls of the other one are 0.2, 0.6, 1.4, 3 and 6.2 s after its first one.
    moving.journal.wait_for_calls(50, "t1")
    assert 4 <= len(moving.journal.of("none")) <= 7


def test_status_tells_whether_a_worker_is_alive(nats, moving):
    with Worker(nats, moving):
        working(nats, 1)
        assert relay(nats, "status").code == 0
    until(lambda: relay(nats, "status").code == 3, "the worker is lost")


def test_polls_without_an_answer_are_late(nats, moving):
    with FaultProxy(int(moving.address.rpartition(":")[2])) as proxy:
        with Worker(nats, SimpleNamespace(address=f"127.0.0.1:{proxy.port}"), interval="1s"):
            working(nats, 1)
            assert relay(nats, "want", NAME).code == 0
            moving.journal.wait_for_calls(2, "t1")
            assert status(nats)["workers"][0]["lagMs"] < 1000
            proxy.stall()
            until(lambda: status(nats)["workers"][0]["lagMs"] > 3000, "the lag")
            proxy.flow()
            until(lambda: status(nats)["workers"][0]["lagMs"] < 1000, "no lag")
