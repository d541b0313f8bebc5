"""A Fleet Engine whose trips move: a real peer for all that follows trips."""

import random
import threading
import time

from peers.fleet.serving.answer import answer
from peers.fleet.clock import Clock
from peers.fleet.serving.faults import Faults
from peers.fleet.serving.guard import Guard
from peers.fleet.serving.journal import Journal
from peers.fleet.serving.server import Server
from peers.fleet.trip import Trip
from peers.fleet.road.vehicle import Vehicle

CITY = (37.7749, -122.4194)
AROUND = 0.015
"""The distance of the stops from the city center, in degrees."""


class Fleet:
    """Listens on the loopback while it is entered, or from `start()` to `stop()`."""

    def __init__(self, trips=0, speed=None, provider="p", account=None, certificate=None,
                 host="127.0.0.1", port=0, start=None, log=None):
        """Time stands still until `advance()`; with a speed it runs, and the vehicles do
        everything so many times faster than usual. With a service account, tokens are checked.

        `start`, in seconds since 1970, is when it all began: a fleet that is made again with the
        same one, and the same trips, is where it would have been.
        """
        if speed is not None and not speed > 0:
            raise ValueError(f"the speed {speed} is not above 0")
        self.lock = threading.RLock()
        self.provider = provider
        self.always_waypoints = False
        """Sends remaining_waypoints whatever remaining_waypoints_version a request has."""
        self.guard = account and Guard(account)
        self.faults = Faults()
        self.journal = Journal(log)
        self.trips, self.vehicles = {}, {}
        self._start = time.time() if start is None else start
        self._clock = Clock(self._start, runs=speed is not None)
        self._haste = speed or 1.0
        self._server = Server(self, host, port, certificate)
        for number in range(1, trips + 1):
            self.add_trip(f"t{number}", intermediates=number % 3, begins=(number - 1) % 60)

    # For tests

    def add_trip(self, trip_id, *, vehicle_id=None, intermediates=1, shared=False, points=40,
                 passengers=2, begins=None, stops=None):
        """A NEW trip, somewhere in the city, or by `stops`: points from the pickup to the dropoff.

        A vehicle, by default one of its own, is assigned to it `begins` seconds after the start of
        the fleet, if not before by `trip.go`. Behind the stops of other trips of that vehicle, or,
        if `shared`, in between. `points` is how many each leg of a new vehicle has.
        """
        with self.lock:
            dice = random.Random(trip_id)
            stops = stops or [place(dice) for _ in range(2 + intermediates)]
            trip = self.trips[trip_id] = Trip(self, trip_id, stops, shared, passengers)
            number = trip_id.removeprefix("t")
            trip.vehicle = self.vehicle(vehicle_id or f"v{number}", points)
            if begins is not None:
                trip.vehicle.assign_later(trip, self._start + begins / self._haste)
            return trip

    def vehicle(self, vehicle_id, points=40):
        """The vehicle with this ID, which is made if there is none."""
        if vehicle_id not in self.vehicles:
            self.vehicles[vehicle_id] = Vehicle(
                vehicle_id, place(random.Random(vehicle_id)), self._haste, points)
        return self.vehicles[vehicle_id]

    @property
    def now(self):
        """The time, in seconds since 1970."""
        return self._clock.now

    def advance(self, seconds):
        """Lets so much time pass at once."""
        with self.lock:
            self._clock.advance(seconds)

    # The server

    @property
    def address(self):
        return self._server.address

    def start(self):
        self._server.start()
        return self

    def stop(self):
        """Cuts off all calls and connections; the trips stay, `start()` listens there again."""
        self._server.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.faults.withdraw()
        self.stop()

    # For the server

    def trip_name(self, trip_id):
        return f"providers/{self.provider}/trips/{trip_id}"

    def is_trip_name(self, name):
        trip_id = name.rpartition("/")[2]
        return bool(trip_id) and name == self.trip_name(trip_id)

    def answer(self, request, trip_id, ago=0.0):
        """The bytes of the Trip as it was so many seconds ago; None if there is none."""
        with self.lock:
            if not (trip := self.trips.get(trip_id)):
                return None
            return answer(trip, trip.facts(ago), self.now - ago, request, self.always_waypoints)


def place(dice):
    return tuple(round(degrees + dice.uniform(-AROUND, AROUND), 6) for degrees in CITY)
