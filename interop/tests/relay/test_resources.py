"""Does a relay share vehicles, delivery vehicles, tasks and shipments as it shares trips?"""

import asyncio

import nats as client
import pytest
from google.maps.fleetengine_v1 import types
from google.maps.fleetengine_delivery_v1 import types as delivery

from peers.fleet import Fleet
from support.command import environment, full, start
from support.following import Following
from support.nats.server import resource_state, trip_state, until
from support.relay import Reader, Worker, relay, status, working

KEYS = {"trips": "trip", "vehicles": "vehicle", "deliveryVehicles": "deliveryVehicle",
        "tasks": "task", "taskTrackingInfo": "taskTrackingInfo"}
OTHERS = ["vehicles/v1", "deliveryVehicles/d1", "tasks/d1-1", "taskTrackingInfo/track-d1-1"]
STREAMS = {"TRIPWIRE_TRIPS", "TRIPWIRE_VEHICLES", "TRIPWIRE_DELIVERY_VEHICLES", "TRIPWIRE_TASKS",
           "TRIPWIRE_TASK_TRACKING_INFO"}


@pytest.fixture
def fleet():
    with Fleet() as fleet:
        fleet.add_trip("t1").go("ENROUTE_TO_PICKUP")
        yield fleet


@pytest.fixture
def sharing(nats, fleet, vehicle):
    with Worker(nats, fleet) as worker:
        working(nats, 1)
        yield worker


def following_from(nats, *names):
    return Following(start("follow", *map(full, names), "--from", nats.url, "-o", "json", env=environment()))


def google(state, name):
    """The resource of a state, as Google's library has it."""
    kind, resource = {
        "vehicles": (types.Vehicle, state.vehicle),
        "deliveryVehicles": (delivery.DeliveryVehicle, state.delivery_vehicle),
        "tasks": (delivery.Task, state.task),
        "taskTrackingInfo": (delivery.TaskTrackingInfo, state.task_tracking_info),
    }[name.split("/")[0]]
    return kind.deserialize(resource.SerializeToString())


def test_reader_gets_each_resource(nats, fleet, sharing):
    with Reader(nats, *map(full, OTHERS), kind=resource_state()) as reader:
        for name in OTHERS:
            def found():
                return next((state for state in reader.states
                             if state.name == full(name) and state.WhichOneof("resource")), None)
            state = until(found, name)
            assert google(state, name).name == full(name)
            # The reader may miss the first state, but not the last one.
            assert state.worker and ("name" in state.changed.paths if state.sequence == 1 else state.sequence > 1)
    assert status(nats)["states"] == len(OTHERS)


def test_follow_shows_every_kind_and_its_changes(nats, fleet, vehicle, sharing):
    names = ["trips/t1", *OTHERS]
    follow = following_from(nats, *names)
    try:
        left = set(names)
        while left:
            line = follow.until(lambda line: "error" not in line)
            name = line["name"].removeprefix("providers/p/")
            assert line[KEYS[name.split("/")[0]]]["name"] == full(name)
            left.discard(name)
        fleet.advance(20)
        left = {"vehicle", "deliveryVehicle"}
        while left:
            moved = follow.until(lambda line: "lastLocation" in line.get("changed", []) and left & line.keys())
            assert "name" not in moved["changed"]
            left -= moved.keys()
    finally:
        follow.process.kill()
        follow.process.wait()


@pytest.mark.parametrize("name", OTHERS[2:])
def test_closed_task_is_announced_and_not_polled(nats, fleet, vehicle, sharing, name):
    follow = following_from(nats, name)
    key = KEYS[name.split("/")[0]]
    assert follow.until(lambda line: key in line)[key]["state"] == "OPEN"
    vehicle.arrive()
    vehicle.depart()
    assert follow.end() == 0
    assert (follow.lines[-1][key]["state"], follow.lines[-1][key]["taskOutcome"]) == ("CLOSED", "SUCCEEDED")
    until(lambda: status(nats)["wanted"] == 0, "nobody requests it")
    calls = len(fleet.journal.of(name))
    # A new reader gets the last state from the stream.
    again = following_from(nats, name)
    assert again.end() == 0 and again.lines[-1][key]["state"] == "CLOSED"
    assert len(fleet.journal.of(name)) == calls


def test_resource_is_polled_once_for_all_readers(nats, fleet, sharing):
    names = list(map(full, OTHERS))
    with Reader(nats, *names, kind=resource_state()) as one, Reader(nats, *names, kind=resource_state()) as other:
        for reader in one, other:
            until(lambda: {state.name for state in reader.states} == set(names), "all states")
        until(lambda: sum(each["resources"] for each in status(nats)["workers"]) == len(names), "all resources")
        clients = {call.peer for call in fleet.journal.of()}
        assert len(clients) == 1


@pytest.mark.parametrize("interval", ["200ms", "1s"])
def test_unchanged_resource_is_not_stale(nats, fleet, vehicle, interval):
    """Workers publish polls that change nothing often enough for readers."""
    names = [f"tasks/d1-{number}" for number in range(1, 7)]
    with Worker(nats, fleet, interval=interval):
        working(nats, 1)
        follow = following_from(nats, *names)
        try:
            left = set(map(full, names))
            while left:
                left.discard(follow.until(lambda line: "task" in line)["name"])
            assert follow.lines_within(8) == []
        finally:
            follow.process.kill()
            follow.process.wait()


def test_error_reaches_the_reader(nats, fleet, sharing):
    follow = following_from(nats, "tasks/none")
    try:
        error = follow.until(lambda line: "error" in line)
        assert (error["name"], error["error"]["code"]) == (full("tasks/none"), "NOT_FOUND")
        assert error["error"]["hint"] == (
            "check the name, or trace the calls of the worker: tripwire relay work -v")
    finally:
        follow.process.kill()
        follow.process.wait()


def test_want_and_unwant(nats, fleet, sharing):
    assert relay(nats, "want", "--provider", "p", "tasks/d1-1", "vehicles/v1", "--pin").code == 0
    fleet.journal.wait_for_calls(2, "tasks/d1-1")
    fleet.journal.wait_for_calls(2, "vehicles/v1")
    assert status(nats)["wanted"] == 2
    assert relay(nats, "unwant", full("tasks/d1-1")).code == 0
    until(lambda: sum(each["resources"] for each in status(nats)["workers"]) == 1, "one resource")


def test_reader_of_trips_ignores_the_new_fields():
    """A state is decoded by readers that know the messages of trips only."""
    old, new = trip_state().DESCRIPTOR, resource_state().DESCRIPTOR
    for field in old.fields:
        other = new.fields_by_name[field.name]
        assert (field.number, field.type) == (other.number, other.type), field.name
        assert (field.message_type is None) == (other.message_type is None)
        if field.message_type:
            assert field.message_type.full_name == other.message_type.full_name


def test_streams_of_each_kind_exist(nats, fleet, sharing):
    async def names():
        connection = await client.connect(nats.url)
        found = {each.config.name: each.config for each in await connection.jetstream().streams_info()}
        await connection.close()
        return found
    found = asyncio.run(names())
    assert STREAMS <= set(found)
    assert found["TRIPWIRE_TASKS"].subjects == ["tripwire.v1.tasks.>"]
    assert found["TRIPWIRE_TRIPS"].subjects == ["tripwire.v1.trips.>"]
