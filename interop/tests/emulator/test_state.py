"""Does `tripwire emulate --state` keep every change that it has acknowledged?"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
from google.api_core import exceptions
from google.maps import fleetengine_delivery_v1, fleetengine_v1

from support.command import LONGEST, assert_failed, binary, running, start, tripwire
from support.disk import enlarge, small_disk
from support.emulator import emulating
from support.fleet_services import connected_services

PARENT = "providers/p"
POINT = {"point": {"latitude": 1, "longitude": 2}}
TRIP = {"trip_type": "SHARED", "pickup_point": POINT, "dropoff_point": POINT}
VEHICLE = {"vehicle_state": "ONLINE", "supported_trip_types": ["SHARED"], "maximum_capacity": 1,
           "vehicle_type": {"category": "AUTO"}}
TASK = {"type": "PICKUP", "state": "OPEN", "tracking_id": "x", "planned_location": POINT,
        "task_duration": {"seconds": 60}}
STATUSES = ["ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]
KILLS = 20


@pytest.fixture
def file(tmp_path):
    return tmp_path / "fleet.db"


# Restarts

def everything(services):
    """Resources of every kind, without the parts of them that change with the time."""
    trip = services.get_trip(name=f"{PARENT}/trips/t1", view="SDK")
    trip.last_location.ClearField("time_since_update")
    task = services.get_task(name=f"{PARENT}/tasks/k1")
    task.journey_sharing_info.last_location.ClearField("update_time")
    return (
        trip, task, services.get_vehicle(name=f"{PARENT}/vehicles/v1"),
        services.get_delivery_vehicle(name=f"{PARENT}/deliveryVehicles/d1"),
        services.get_task_tracking_info(name=f"{PARENT}/taskTrackingInfo/x"),
        [each.name for each in services.list_tasks(parent=PARENT).tasks])


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_restart_keeps_every_kind_of_resource(file, end):
    with emulating("--state", file) as emulator, connected_services(emulator) as services:
        services.create_vehicle(parent=PARENT, vehicle_id="v1", vehicle=VEHICLE)
        services.create_trip(parent=PARENT, trip_id="t1", trip=TRIP | {"vehicle_id": "v1"})
        services.update_trip(
            name=f"{PARENT}/trips/t1", trip={"trip_status": "ENROUTE_TO_PICKUP"}, update_mask={"paths": ["trip_status"]})
        for task in "k1", "k2", "k3":
            services.create_task(parent=PARENT, task_id=task, task=TASK)
        services.create_delivery_vehicle(parent=PARENT, delivery_vehicle_id="d1", delivery_vehicle={})
        services.update_delivery_vehicle(
            delivery_vehicle={"name": f"{PARENT}/deliveryVehicles/d1", "remaining_vehicle_journey_segments": [
                {"stop": {"planned_location": POINT, "tasks": [{"task_id": "k1"}], "state": "ARRIVED"}}]},
            update_mask={"paths": ["remaining_vehicle_journey_segments"]})
        services.delete_task(name=f"{PARENT}/tasks/k2")
        before = everything(services)
        assert before[-1] == [f"{PARENT}/tasks/k1", f"{PARENT}/tasks/k3"]
        emulator.process.send_signal(end)
        emulator.process.wait(LONGEST)
    # A signal other than SIGKILL leaves one file.
    assert [each.name for each in file.parent.iterdir() if end == signal.SIGTERM] in ([], ["fleet.db"])
    with emulating("--state", file) as emulator, connected_services(emulator) as services:
        assert everything(services) == before


def test_demo_continues_with_the_next_trips(file):
    options = "--state", file, "--seed", "demo", "--vehicles", 2
    with emulating(*options):
        pass
    with emulating(*options) as emulator, connected_services(emulator) as services:
        trips = services.search_trips(parent="providers/demo").trips
        assert [(trip.name.split("/")[-1], trip.trip_status) for trip in trips] == [
            ("t1", fleetengine_v1.TripStatus.CANCELED), ("t1-2", fleetengine_v1.TripStatus.ENROUTE_TO_PICKUP),
            ("t2", fleetengine_v1.TripStatus.CANCELED), ("t2-2", fleetengine_v1.TripStatus.ENROUTE_TO_PICKUP)]


# SIGKILL

class Writer(threading.Thread):
    """Changes resources of its own until a call fails."""

    def __init__(self, emulator, name, acknowledged):
        super().__init__()
        self.emulator, self.name, self.acknowledged = emulator, name, acknowledged
        # The last acknowledged value of each resource, and the value of the call under way.
        self.values, self.pending = {}, {}

    def run(self):
        choices = random.Random(self.name)
        with connected_services(self.emulator) as services, contextlib.suppress(exceptions.ServiceUnavailable):
            for number in range(1_000_000):
                for name, value, call, request in changes(f"{self.name}-{number}", choices):
                    self.pending = {name: value}
                    getattr(services, call)(**request)
                    self.values[name] = value
                    self.acknowledged.release()


def changes(id, choices):
    """Yields calls that change a vehicle, its trip and a task: the resource, its value afterwards, and the request."""
    vehicle, trip, task = (f"{PARENT}/{kind}/{id}" for kind in ("vehicles", "trips", "tasks"))
    yield vehicle, 1, "create_vehicle", {"parent": PARENT, "vehicle_id": id, "vehicle": VEHICLE}
    yield trip, "NEW", "create_trip", {"parent": PARENT, "trip_id": id, "trip": TRIP | {"vehicle_id": id}}
    statuses = STATUSES[:choices.randrange(5)]
    for status in statuses:
        yield trip, status, "update_trip", {"name": trip, "trip": {"trip_status": status}, "update_mask": {"paths": ["trip_status"]}}
    for capacity in range(2, choices.randrange(3, 10)):
        yield vehicle, capacity, "update_vehicle", {
            "name": vehicle, "vehicle": {"maximum_capacity": capacity}, "update_mask": {"paths": ["maximum_capacity"]}}
    yield task, "OPEN", "create_task", {"parent": PARENT, "task_id": id, "task": TASK}
    if choices.randrange(2):
        yield task, None, "delete_task", {"name": task}
    if "COMPLETE" in statuses:
        yield trip, None, "delete_trip", {"name": trip}


def value(services, name):
    """The value of a resource that `changes` sets; None if it does not exist."""
    try:
        match name.split("/")[2]:
            case "trips":
                return fleetengine_v1.TripStatus(services.get_trip(name=name).trip_status).name
            case "vehicles":
                return services.get_vehicle(name=name).maximum_capacity
            case "tasks":
                return fleetengine_delivery_v1.Task.State(services.get_task(name=name).state).name
    except exceptions.NotFound:
        return None


def check(emulator, writers):
    """Each resource has the last acknowledged value, or that of the call that the end of the emulator broke off."""
    with connected_services(emulator) as services:
        for writer in writers:
            for name in writer.values | writer.pending:
                found = value(services, name)
                allowed = {writer.values.get(name), writer.pending.get(name, writer.values.get(name))}
                assert found in allowed, f"{name} is {found}, not {allowed}"
                writer.values[name] = found
            writer.pending = {}
            # A trip and the list of its vehicle change together.
            for name, status in writer.values.items():
                if "/trips/" in name:
                    trips = services.get_vehicle(name=name.replace("trips", "vehicles")).current_trips
                    assert list(trips) == ([] if status in (None, "COMPLETE") else [name.split("/")[-1]])


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 50))])
def test_sigkill_loses_no_acknowledged_change(file, seed):
    """The emulator is killed at random moments, 1,000 times with all seeds: while it starts, and while it serves."""
    choices = random.Random(seed)
    all_writers, writers = [], []
    for kill in range(KILLS):
        starting = start("emulate", "--state", file)
        time.sleep(choices.random() / 20)
        starting.kill()
        starting.communicate()
        with emulating("--state", file) as emulator:
            check(emulator, writers)
            acknowledged = threading.Semaphore(0)
            writers = [Writer(emulator, f"{seed}-{kill}-{number}", acknowledged) for number in range(3)]
            all_writers += writers
            for writer in writers:
                writer.start()
            for _ in range(choices.randrange(100)):
                assert acknowledged.acquire(timeout=LONGEST), "a writer has stopped"
            # Also between two acknowledgments.
            time.sleep(choices.random() / 200)
            emulator.process.kill()
            for writer in writers:
                writer.join()
    with emulating("--state", file) as emulator:
        check(emulator, all_writers)
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# Failures

@pytest.mark.long
def test_call_fails_while_the_disk_is_full(tmp_path):
    folder = tmp_path / "disk"
    with small_disk(folder, "256k"):
        with emulating("--state", folder / "fleet.db") as emulator, connected_services(emulator) as services:
            created = []
            with pytest.raises(exceptions.ResourceExhausted, match="cannot save the change: database or disk is full"):
                for number in range(10_000):
                    services.create_task(parent=PARENT, task_id=f"k{number}", task=TASK)
                    created.append(f"{PARENT}/tasks/k{number}")
            with pytest.raises(exceptions.NotFound):
                services.get_task(name=f"{PARENT}/tasks/k{len(created)}")
            assert services.get_task(name=created[-1]).name == created[-1]
            enlarge(folder, "8m")
            services.create_task(parent=PARENT, task_id="later", task=TASK)
            emulator.process.kill()
        with emulating("--state", folder / "fleet.db") as emulator, connected_services(emulator) as services:
            for name in [*created, f"{PARENT}/tasks/later"]:
                assert services.get_task(name=name).name == name
            assert services.list_tasks(parent=PARENT).total_size == len(created) + 1


def other_database(file):
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE trips (name)")


def newer_database(file):
    with emulating("--state", file) as emulator:
        emulator.process.terminate()
        emulator.process.wait(LONGEST)
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize("write, error", [
    (lambda file: file.write_text("trips"), "it is not an SQLite database"),
    (lambda file: file.mkdir(), "it is not a regular file"),
    (lambda file: os.mkfifo(file), "it is not a regular file"),
    (other_database, "it is the database of another program"),
    (newer_database, "it is the database of another version of tripwire"),
], ids=["text", "folder", "fifo", "other", "newer"])
def test_other_files_are_refused_and_not_changed(file, write, error):
    write(file)
    before = file.read_bytes() if file.is_file() else None
    result = tripwire("emulate", "--state", file)
    assert_failed(result, 1, f"--state: {file}: {error}", hint="pass the path of a ")
    assert (file.read_bytes() if file.is_file() else None) == before
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_file_in_use_is_refused(file):
    with emulating("--state", file) as emulator, connected_services(emulator) as services:
        assert_failed(tripwire("emulate", "--state", file), 1, f"--state: {file}: another process uses it",
                      hint="stop the other emulator")
        services.create_task(parent=PARENT, task_id="k1", task=TASK)
    with emulating("--state", file) as emulator, connected_services(emulator) as services:
        assert services.get_task(name=f"{PARENT}/tasks/k1")


@pytest.mark.parametrize("name, error", [
    ("read-only.db", "it cannot be written\nhint: check the permissions of the file"),
    ("closed/new.db", "unable to open database file\nhint: check the path, and the permissions of its folder"),
    ("missing/new.db", "unable to open database file\nhint: check the path, and the permissions of its folder")])
def test_files_that_cannot_be_written_are_refused(name, error):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        (folder / "closed").mkdir(0o555)
        (folder / "read-only.db").touch(0o444)
        # The permissions of files do not apply to root.
        done = subprocess.run(
            [binary(), "emulate", "--state", folder / name], capture_output=True, text=True, timeout=LONGEST,
            user=65534 if os.geteuid() == 0 else None)
        assert (done.returncode, done.stderr) == (1, f"error: --state: {folder / name}: {error}\n")


def test_names_that_sqlite_would_interpret_are_files(tmp_path):
    for name in ":memory:", "file:x?mode=memory":
        with running("emulate", "--state", name, cwd=tmp_path) as process:
            assert process.stdout.readline()
            assert (tmp_path / name).is_file()
