"""A simulated Fleet Engine with moving trips and deliveries, for tests of everything that follows them."""

import random
import threading
import time

from peers.fleet.clock import Clock
from peers.fleet.deliveries import plan
from peers.fleet.deliveries.vehicle import DeliveryVehicle
from peers.fleet.services.vehicle_answer import default_details
from peers.fleet.serving.faults import Faults
from peers.fleet.serving.guard import Guard
from peers.fleet.serving.journal import Journal
from peers.fleet.serving.server import Server
from peers.fleet.serving.versions import Versions
from peers.fleet.trip import Trip
from peers.fleet.road.vehicle import Vehicle

CITY = (37.7749, -122.4194)
AROUND = 0.015
"""The distance of the stops from the city center, in degrees."""


class Fleet:
    """Listens on loopback while it is entered, or from `start()` to `stop()`."""

    def __init__(self, trips=0, speed=None, provider="p", account=None, certificate=None,
                 host="127.0.0.1", port=0, start=None, log=None, deliveries=0, idle=0,
                 versions=False, server_log=None):
        """Without a speed, time changes only by `advance()`. With a speed, time is real and vehicles are
        faster by this factor. With a service account, tokens are checked.

        `idle` is the number of vehicles without trips: idle1, idle2, …

        A `server_log` gets each call in the form of Google's logs; see peers.recordings.server_log.

        With `versions`, each trip that GetTrip returns has an attribute with the number of its version, and the
        versions are kept.

        `start` is the start of the simulation in seconds since 1970. A new fleet with the same start and
        trips continues an earlier one.
        """
        if speed is not None and not speed > 0:
            raise ValueError(f"the speed must be above 0, not {speed}")
        self.lock = threading.RLock()
        self.provider = provider
        self.always_waypoints = False
        """Sends remaining_waypoints for any remaining_waypoints_version in the request."""
        self.discards_jumps = False
        """Keeps the location of a vehicle when it is sent another that is too far away to reach."""
        self.guard = account and Guard(account)
        self.faults = Faults()
        self.journal = Journal(log)
        self.server_log = server_log
        self.versions = Versions() if versions else None
        self.trips, self.vehicles = {}, {}
        self.tasks, self.delivery_vehicles = {}, {}
        self.billed = {}
        """The requests of ReportBillableTrip by ID."""
        self._start = time.time() if start is None else start
        self._clock = Clock(self._start, runs=speed is not None)
        self._speedup = speed or 1.0
        self._server = Server(self, host, port, certificate)
        for number in range(1, trips + 1):
            self.add_trip(f"t{number}", intermediates=number % 3, begins=(number - 1) % 60)
        for number in range(1, idle + 1):
            self.vehicle(f"idle{number}")
        for number in range(1, deliveries + 1):
            self.add_delivery_vehicle(f"d{number}")

    # For tests

    def add_trip(self, trip_id, *, vehicle_id=None, intermediates=1, shared=False, points=40,
                 passengers=2, begins=None, stops=None):
        """Adds a NEW trip with random stops in the city, or with `stops`, from the pickup to the dropoff.

        A vehicle, by default a new one, is assigned `begins` seconds after the start of the fleet, or
        earlier by `trip.go`. The stops follow those of other trips of the vehicle, or are interleaved if
        `shared`. `points` is the number of points in each leg of a new vehicle.
        """
        with self.lock:
            dice = random.Random(trip_id)
            stops = stops or [place(dice) for _ in range(2 + intermediates)]
            trip = self.trips[trip_id] = Trip(self, trip_id, stops, shared, passengers)
            number = trip_id.removeprefix("t")
            trip.vehicle = self.vehicle(vehicle_id or f"v{number}", points)
            if begins is not None:
                trip.vehicle.assign_later(trip, self._start + begins / self._speedup)
            return trip

    def vehicle(self, vehicle_id, points=40):
        """Returns the vehicle with this ID, which is created if missing."""
        if vehicle_id not in self.vehicles:
            vehicle = self.vehicles[vehicle_id] = Vehicle(
                vehicle_id, place(random.Random(vehicle_id)), self._speedup, points)
            vehicle.details = default_details()
        return self.vehicles[vehicle_id]

    def add_delivery_vehicle(self, vehicle_id, *, stops=6, points=40, **what):
        """Adds a delivery vehicle on a route of random stops, which begins at the start of the fleet.

        `plan.add_route` has the other options.
        """
        with self.lock:
            vehicle = self.delivery_vehicles[vehicle_id] = DeliveryVehicle(
                self, vehicle_id, place(random.Random(vehicle_id)), self._speedup, points)
            plan.add_route(self, vehicle, [
                place(random.Random(f"{vehicle_id} {number}")) for number in range(stops)],
                self._start, **what)
            return vehicle

    def new_delivery_vehicle(self, vehicle_id, point=None):
        """Adds a delivery vehicle that moves only when the provider reports its location."""
        vehicle = self.delivery_vehicles[vehicle_id] = DeliveryVehicle(
            self, vehicle_id, point or place(random.Random(vehicle_id)), self._speedup, drives=False)
        return vehicle

    @property
    def now(self):
        """The time in seconds since 1970."""
        return self._clock.now

    def advance(self, seconds):
        """Advances the time."""
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
        """Aborts all calls and connections. The trips are kept, and `start()` uses the same address."""
        self._server.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.faults.withdraw()
        self.stop()

    # For the server

    def trip_name(self, trip_id):
        return f"providers/{self.provider}/trips/{trip_id}"

    def catch_up(self):
        """Executes all events that are due."""
        with self.lock:
            for vehicle in [*self.vehicles.values(), *self.delivery_vehicles.values()]:
                vehicle.catch_up(self.now)


def place(dice):
    return tuple(round(degrees + dice.uniform(-AROUND, AROUND), 6) for degrees in CITY)
