"""Trips of the simulated fleet with scheduled events.

Every call advances the events, so that recordings, and live responses to the same calls, are always
equal.
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
"""The duration of an outage in seconds."""


class Journey(Fleet):
    """A fleet whose time advances only with calls.

    The end of each call advances the time by INTERVAL, and the events of its trip `t1`: a generator that
    yields once for each call.
    """

    def __init__(self, events, port=0, down=DOWN):
        super().__init__(provider="demo", start=demo.NOW.timestamp())
        self.journal = CallbackJournal(self._advance)
        self.is_down = False
        self._proxy, self._port = None, port
        self._down, self._back = down, threading.Event()
        for vehicle_id, point in VEHICLES.items():
            self.vehicle(vehicle_id, POINTS).point = point
        self.trip = self.add_trip("t1", stops=[PICKUP, FIRST, SECOND, DROPOFF])
        self._events = events(self, self.trip)
        next(self._events)

    @property
    def address(self):
        """The address of a proxy in front of the fleet, which simulates outages."""
        return f"127.0.0.1:{self._proxy.port}"

    def start(self):
        super().start()
        self._proxy = FaultProxy(self._server.port, self._port)
        self._proxy.__enter__()
        return self

    def stop(self):
        self._proxy.__exit__()
        super().stop()

    def start_outage(self):
        """Breaks the connection during the next call and refuses connections for DOWN seconds."""
        count = len(self.journal.of())
        self.faults.hang(times=1)
        self.is_down = True

        def start_outage():
            self.journal.wait(lambda calls: len(calls) > count)
            self._proxy.refuse()
            self._back.wait(self._down)
            self._proxy.listen()
            self.is_down = False

        self._outage = threading.Thread(target=start_outage, daemon=True)
        self._outage.start()

    def end_outage(self):
        """Ends the outage early."""
        self._back.set()
        self._outage.join()

    def _advance(self):
        with self.lock:
            self.advance(INTERVAL)
            next(self._events, None)


class CallbackJournal(Journal):
    """Runs a function at the end of each call, before the client learns about the end."""

    def __init__(self, at_end):
        super().__init__()
        self._at_end = at_end

    def end(self, entry, code, length=0):
        self._at_end()
        super().end(entry, code, length)


def calls(count):
    yield from (None for _ in range(count))


def until(trip, status):
    """Yields for each call until the trip has this status."""
    while trip.status != status:
        yield


# The events, from call to call.


def whole(fleet, trip):
    """From NEW to COMPLETE, with two stops, a change of the vehicle and of the route, a delay, a pause of
    the location reports, and changing traffic."""
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
    trip.stop_reports()
    yield from calls(3)
    trip.resume_reports()
    yield from until(trip, "ENROUTE_TO_DROPOFF")
    trip.set_traffic([])
    yield from until(trip, "COMPLETE")


def canceled(fleet, trip):
    """The trip is canceled while the vehicle is en route."""
    yield
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(7)
    trip.cancel()


def quota(fleet, trip):
    """Two calls exceed the quota, later calls succeed."""
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
    """The server fails, recovers, has an outage during a call, and returns."""
    trip.go("ENROUTE_TO_PICKUP")
    yield from calls(2)
    fleet.faults.fail("UNAVAILABLE", "the backend restarts", times=2)
    yield from calls(4)
    fleet.start_outage()
    yield from calls(1)
    yield from calls(3)
    trip.go("COMPLETE")


EVENTS = {"trip": whole, "canceled": canceled, "quota": quota, "flapping": flapping}
"""The events by the name of the recording."""
