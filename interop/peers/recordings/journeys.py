"""Trips of the moving fleet with a story, which goes on with every call: what is recorded of them,
and what is said to whoever asks the same of the fleet itself, is the same each time.
"""

import threading

from google.rpc import error_details_pb2

from peers.servers import demo
from peers.proxies.fault_proxy import FaultProxy
from peers.fleet import Fleet
from peers.fleet.serving.journal import Journal

INTERVAL = 5.0
"""The time between calls, in seconds."""
POINTS = 12
PICKUP, FIRST, SECOND, DROPOFF = (
    (37.774900, -122.419400), (37.777300, -122.417300), (37.775100, -122.414600),
    (37.778200, -122.412100))
VEHICLES = {"v1": (37.772600, -122.421700), "v2": (37.776500, -122.421200)}
DOWN = 0.5
"""The time for which a vanished server stays away, in seconds."""


class Journey(Fleet):
    """A fleet whose time stands still but for the calls: with each that is over, INTERVAL passes
    and its trip `t1` gets on in its story, a generator that yields once for each call."""

    def __init__(self, story, port=0, down=DOWN):
        super().__init__(provider="demo", start=demo.NOW.timestamp())
        self.journal = Turns(self._turn)
        self.is_gone = False
        self._proxy, self._port = None, port
        self._down, self._back = down, threading.Event()
        for vehicle_id, point in VEHICLES.items():
            self.vehicle(vehicle_id, POINTS).point = point
        self.trip = self.add_trip("t1", stops=[PICKUP, FIRST, SECOND, DROPOFF])
        self._story = story(self, self.trip)
        next(self._story)

    @property
    def address(self):
        """That of a proxy in front of it, with which it can vanish."""
        return f"127.0.0.1:{self._proxy.port}"

    def start(self):
        super().start()
        self._proxy = FaultProxy(self._server.port, self._port)
        self._proxy.__enter__()
        return self

    def stop(self):
        self._proxy.__exit__()
        super().stop()

    def vanish(self):
        """Makes the next call hang until its connection breaks; then nobody can connect for a while."""
        count = len(self.journal.of())
        self.faults.hang(times=1)
        self.is_gone = True

        def vanish():
            self.journal.wait(lambda calls: len(calls) > count)
            self._proxy.refuse()
            self._back.wait(self._down)
            self._proxy.listen()
            self.is_gone = False

        self._vanishing = threading.Thread(target=vanish, daemon=True)
        self._vanishing.start()

    def come_back(self):
        """Before its time."""
        self._back.set()
        self._vanishing.join()

    def _turn(self):
        with self.lock:
            self.advance(INTERVAL)
            next(self._story, None)


class Turns(Journal):
    """Runs a function at the end of each call, before its client learns about the end."""

    def __init__(self, turn):
        super().__init__()
        self._turn = turn

    def end(self, entry, code, length=0):
        self._turn()
        super().end(entry, code, length)


def calls(count):
    yield from (None for _ in range(count))


def until(trip, status):
    """Calls, until the trip has that status."""
    while trip.status != status:
        yield


# The events, from one call to the next.


def whole(fleet, trip):
    """From NEW to COMPLETE, with two stops, another vehicle, another way, a delay, a vehicle that
    is not heard of for a while, and traffic that comes and goes."""
    yield from calls(2)
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(4)
    trip.change_vehicle("v2")
    yield from calls(5)
    trip.set_traffic([(0, 4, "NORMAL"), (4, 7, "SLOW"), (7, 12, "TRAFFIC_JAM")])
    yield from until(trip, "ENROUTE_TO_INTERMEDIATE_DESTINATION")
    yield from calls(3)
    trip.reroute()
    yield from calls(2)
    trip.set_traffic([(0, 12, "SLOW")], leg=1)
    yield from until(trip, "ARRIVED_AT_INTERMEDIATE_DESTINATION")
    trip.delay(10)
    yield from until(trip, "ENROUTE_TO_INTERMEDIATE_DESTINATION")
    yield from calls(2)
    trip.silence()
    yield from calls(3)
    trip.speak()
    yield from until(trip, "ENROUTE_TO_DROPOFF")
    trip.set_traffic([])
    yield from until(trip, "COMPLETE")


def canceled(fleet, trip):
    """The vehicle is on its way when the trip is canceled."""
    yield
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(7)
    trip.cancel()


def quota(fleet, trip):
    """Asked too often twice, then answered again."""
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(3)
    exceeded = error_details_pb2.QuotaFailure()
    exceeded.violations.add(
        subject="project:demo", description="GetTrip requests per minute",
        api_service="fleetengine.googleapis.com", quota_id="GetTripPerMinute", quota_value=600)
    retry = error_details_pb2.RetryInfo()
    retry.retry_delay.FromMilliseconds(1500)
    fleet.faults.fail("RESOURCE_EXHAUSTED", "Quota exceeded.", retry, exceeded, times=2)
    yield from calls(2)
    yield from calls(3)
    trip.go("COMPLETE")


def flapping(fleet, trip):
    """Its server fails, responds, vanishes during a call, and returns."""
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(2)
    fleet.faults.fail("UNAVAILABLE", "the backend restarts", times=2)
    yield from calls(4)
    fleet.vanish()
    yield from calls(1)
    yield from calls(3)
    trip.go("COMPLETE")


STORIES = {"trip": whole, "canceled": canceled, "quota": quota, "flapping": flapping}
"""By the name of the recording."""
