"""Do the users of the example configuration of NATS suffice, and does each see no more than it may?"""

import asyncio
import json
import time

import nats as client
import pytest

from peers.fleet import Fleet
from support.command import LONGEST, environment, start, tripwire
from support.following import Following
from support.nats.server import NATSServer, resource_state, until
from support.paths import INTEROP
from support.python_reader import PythonReader
from support.relay import Reader, Worker, relay

TRIP, OTHER_TRIP = "providers/p/trips/t1", "providers/p/trips/t2"
SHIPMENT = "providers/p/taskTrackingInfo/track-d1-1"
CANCELED = 6
NAMES = [TRIP, "providers/p/vehicles/v1", "providers/p/deliveryVehicles/d1", "providers/p/tasks/d1-1", SHIPMENT]


class Account(NATSServer):
    """A server with the users of the example, or with those of version 0.1.0, which had no partitions."""

    def __init__(self, folder, partitions=True):
        example = (INTEROP.parent / "Examples/ReadRelay/rider.conf").read_text()
        if not partitions:
            example = "\n".join(
                line for line in example.splitlines() if "partitions" not in line and "STEPDOWN" not in line)
        super().__init__(folder, example.replace("p.i1", "p.track-d1-1"))

    def of(self, user):
        return self.url.replace("//", f"//{user}:secret@")

    @property
    def violations(self):
        return [line for line in (self.folder / "nats.log").read_text().splitlines() if "Violation" in line]


def inbox(user):
    return ["--nats-inbox", f"_INBOX_{user}"]


@pytest.fixture
def account(tmp_path):
    with Account(tmp_path) as account:
        yield account


@pytest.fixture
def fleet():
    with Fleet(speed=10) as fleet:
        for name in "t1", "t2":
            fleet.add_trip(name).go("ENROUTE_TO_PICKUP")
        fleet.add_delivery_vehicle("d1")
        yield fleet


@pytest.fixture
def worker(account, fleet):
    with Worker(account.of("worker"), fleet, *inbox("worker")) as worker:
        until(lambda: workers(account) == 1, "the worker")
        yield worker


def dispatch(account, *arguments):
    return relay(account.of("dispatcher"), *arguments, *inbox("dispatcher"))


def workers(account):
    result = dispatch(account, "status")
    return sum(" working " in line for line in result.stdout.splitlines())


def reader(account, user, *names):
    return Reader(account.of(user), *names, options=inbox(user), kind=resource_state())


def test_worker_and_dispatcher_need_no_more(account, fleet, worker):
    with Worker(account.of("worker"), fleet, *inbox("worker")) as other:
        until(lambda: workers(account) == 2, "two workers")
        for name in NAMES:
            result = dispatch(account, "want", name, "--pin")
            assert (result.code, result.stderr) == (0, "")
        # On a busy machine, the task is over after its first poll.
        fleet.journal.wait_for_calls(1, "tasks/d1-1")
        until(lambda: other.start, "the first line")
        drained = other.start.split()[1].rstrip(":")
        result = dispatch(account, "drain", drained)
        assert (result.code, result.stderr) == (0, "")
        assert f"{drained}  drained" in dispatch(account, "status").stdout
        other.end()
        until(lambda: workers(account) == 1, "one worker")
        until(lambda: "with a state: 5," in dispatch(account, "status").stdout, "all states")
        result = dispatch(account, "unwant", *NAMES)
        assert (result.code, result.stderr) == (0, "")
        assert "wanted: 0," in dispatch(account, "status").stdout
    # A trip that is over is removed from the wanted ones by its worker.
    assert dispatch(account, "want", TRIP, "--pin").code == 0
    fleet.trips["t1"].cancel()
    until(lambda: "wanted: 0," in dispatch(account, "status").stdout, "the end")
    assert (worker.errors, account.violations) == ([], [])


def test_reader_sees_its_resource_only(account, fleet, worker):
    for user, name, other in ("rider", TRIP, OTHER_TRIP), ("recipient", SHIPMENT, "providers/p/tasks/d1-1"):
        with reader(account, user, name) as allowed:
            allowed.until(lambda state: state.WhichOneof("resource"))
            assert allowed.errors == []
        with reader(account, user, other) as refused:
            refused.error(f"NATS refused a request of the user {user}: Permissions Violation")
            state = refused.until(lambda state: state.HasField("relay_error"))
            assert state.relay_error.code == 7
            assert not any(state.WhichOneof("resource") for state in refused.states)


def test_readers_of_the_first_version_need_no_more_without_partitions(tmp_path, fleet):
    with Account(tmp_path, partitions=False) as account, Worker(account.of("worker"), fleet, *inbox("worker")) as worker, \
            reader(account, "rider", TRIP) as old:
        old.until(lambda state: state.trip.name)
        fleet.trips["t1"].cancel()
        old.until(lambda state: state.trip.trip_status == CANCELED)
        assert old.errors == worker.errors == []


def test_missing_permissions_for_partitions_are_reported(tmp_path, fleet):
    """The reader learns from the first state that there are partitions, and may not read the last one there."""
    with Account(tmp_path, partitions=False) as account, \
            Worker(account.of("worker"), fleet, "--partitions", 4, *inbox("worker")), \
            reader(account, "rider", TRIP) as refused:
        refused.error("NATS refused a request of the user rider: Permissions Violation for Publish to"
                      ' "$JS.API.DIRECT.GET.TRIPWIRE_TRIPS_4_0.tripwire.v1.partitions.trips.4.0.p.t1"')
        state = refused.until(lambda state: state.HasField("relay_error"))
        assert state.relay_error.code == 7
        # It still receives the states.
        fleet.trips["t1"].cancel()
        refused.until(lambda state: state.trip.trip_status == CANCELED)


def test_follow_passes_the_prefix(account, worker):
    follow = Following(start("follow", TRIP, "--from", account.of("rider"), *inbox("rider"), "-o", "json",
                             env=environment()))
    try:
        assert follow.until(lambda line: "trip" in line)["trip"]["name"] == TRIP
    finally:
        follow.process.kill()
        follow.process.wait()


def test_follow_reports_a_missing_permission(account, worker):
    result = tripwire("follow", OTHER_TRIP, "--from", account.of("rider"), *inbox("rider"), "-o", "json", "--fail-fast")
    assert result.code == 64 + 7
    error = json.loads(result.stdout.splitlines()[0])["error"]
    assert error["message"].startswith("the relay sends no states: NATS refused a request of the user rider: ")
    assert error["hint"] == "read the messages of tripwire-relay on stderr"
    assert "hint: grant this permission to the user in the configuration of NATS\n" in result.stderr


def test_example_needs_the_permissions_of_a_reader(account, fleet, worker, tmp_path):
    with PythonReader(tmp_path, account.of("rider"), "p", "t1", "_INBOX_rider") as reader:
        reader.until("ENROUTE_TO_PICKUP")
        fleet.trips["t1"].cancel()
        reader.until("CANCELED")
    assert account.violations == []


def test_example_reports_a_missing_permission(account, worker, tmp_path):
    with PythonReader(tmp_path, account.of("rider"), "p", "t2", "_INBOX_rider") as reader:
        reader.until("permissions violation")


def test_reader_cannot_receive_replies_to_others(account, fleet, worker):
    """Replies of JetStream contain the states of all resources."""
    seen, refused = [], []

    async def listen():
        async def note(error):
            refused.append(str(error).lower())

        async def take(message):
            seen.append(message)

        connection = await client.connect(
            account.of("rider"), inbox_prefix=b"_INBOX_rider", error_cb=note)
        for subject in "_INBOX.>", "_INBOX_worker.>", ">":
            await connection.subscribe(subject, cb=take)
        await connection.flush()
        with Reader(account.of("operator"), OTHER_TRIP) as other:
            await asyncio.to_thread(other.until, lambda state: state.trip.name)
        await connection.close()

    asyncio.run(listen())
    assert seen == [] and sum("permissions violation" in text for text in refused) == 3


@pytest.mark.parametrize("arguments", [("status",), ("want", TRIP), ("unwant", TRIP)],
                         ids=["status", "want", "unwant"])
def test_missing_prefix_is_reported(account, worker, arguments):
    result = relay(account.of("dispatcher"), *arguments)
    assert result.code == 1
    assert result.stderr.startswith("error: NATS refused a request of the user dispatcher: Permissions Violation")
    assert result.stderr.endswith(
        "hint: pass the prefix of this user's replies with --nats-inbox PREFIX\n")


@pytest.mark.long
def test_stream_that_the_user_may_not_create_is_named(account):
    result = relay(account.of("rider"), "want", TRIP, *inbox("rider"))
    assert result.code == 1
    waiting, error, hint = result.stderr.splitlines()
    missing = "NATS has no stream KV_TRIPWIRE_WANTS for messages of $KV.TRIPWIRE_WANTS.p.t1"
    assert waiting == f"waiting: {missing}"
    assert error == (
        f"error: {missing}, and this user may not create it: NATS refused a request of the user rider: Permissions"
        ' Violation for Publish to "$JS.API.STREAM.INFO.KV_TRIPWIRE_WANTS"')
    assert hint == "hint: start a worker, which creates the streams, or grant the user the permissions of a worker"


@pytest.mark.parametrize("user", ["rider", "worker"], ids=["publish", "replies"])
def test_missing_permission_of_a_new_worker_is_reported_once(account, fleet, user):
    with Worker(account.of(user), fleet, *(inbox("rider") if user == "rider" else [])) as worker:
        assert worker.process.wait(LONGEST) == 1
        until(lambda: len(worker.errors) > 1, "the hint")
        error, hint = worker.errors
        assert error.startswith(f"error: NATS refused a request of the user {user}: Permissions Violation for ")
        assert hint.startswith("hint: ")


@pytest.mark.long
def test_refused_subscription_stays_one_problem(tmp_path, fleet):
    """The states do not arrive, although the worker publishes them."""
    users = """
        accounts { A { jetstream: enabled, users: [
          { user: worker, password: secret }, { user: rider, password: secret, permissions { subscribe: [ "_INBOX.>" ] } }
        ] } }
        """
    with NATSServer(tmp_path, users) as nats:
        urls = [nats.url.replace("//", f"//{user}:secret@") for user in ("worker", "rider")]
        with Worker(urls[0], fleet) as worker:
            until(lambda: worker.start, "the worker")
            with Reader(urls[1], TRIP, OTHER_TRIP) as reader:
                reader.error("Permissions Violation for Subscription to")
                # Longer than a problem lasts that is not repeated, and than the first state may take.
                time.sleep(20)
                assert len(reader.errors) == 2 and reader.errors[1].startswith("hint: grant this permission")


@pytest.mark.parametrize("prefix", ["a b", "", "a.", "*", "a.>", "ä"])
def test_prefix_is_a_subject(prefix):
    result = relay("nats://127.0.0.1:1", "status", "--nats-inbox", prefix)
    assert result.code == 2 and "expected a subject without wildcards, such as _INBOX_rider" in result.stderr
