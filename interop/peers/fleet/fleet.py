"""A fleet that `tripwire emulate` serves, with trips and deliveries that tests change."""

import contextlib
import random
import tempfile
import time
import weakref
from datetime import UTC, datetime
from pathlib import Path

import grpc

from peers.fleet.control import Control
from peers.fleet.deliveries import DeliveryVehicle
from peers.fleet.faults import Faults
from peers.fleet.journal import Journal
from peers.fleet.methods import METHODS
from peers.fleet.proxy import Proxy
from peers.fleet.streets import place, street
from peers.fleet.trip import Trip
from peers.fleet.versions import Versions
from support.command import start

METERS_PER_SECOND, WAIT = 8.0, 20.0
ALL = {"tripid": "*", "vehicleid": "*", "deliveryvehicleid": "*", "taskids": ["*"], "taskid": "*", "trackingid": "*"}
"""The claims that every method accepts."""
VEHICLE = {
    "vehicle_state": "ONLINE", "supported_trip_types": ["SHARED", "EXCLUSIVE"], "maximum_capacity": 4,
    "vehicle_type": {"category": "AUTO"}, "license_plate": {"country_code": "US", "last_character": "7"},
    "attributes": [{"key": "class", "value": "standard"}]}


class Fleet:
    """Its emulator runs from the beginning, and its proxy listens on loopback while it is entered."""

    def __init__(self, trips=0, speed=None, provider="p", account=None, certificate=None, host="127.0.0.1",
                 start=None, deliveries=0, versions=False, server_log=None):
        """Without a speed, time changes only by `advance()`, and begins at `start` in seconds since 1970. With a speed,
        time is real, vehicles are faster by this factor, and the trips and deliveries are those of the demo.

        With a service account, tokens are checked. A `server_log` gets each call in the form of Google's logs; see
        peers.recordings.server_log. With `versions`, each trip that GetTrip returns has an attribute with the number
        of its version, and `versions` has all of them.
        """
        self.provider, self.account = provider, account
        self.faults, self.journal, self.server_log = Faults(), Journal(), server_log
        self.versions = Versions() if versions else None
        self.guard = None
        """Checks the tokens of calls before the emulator does; see peers.google.guard."""
        self.hidden = {}
        """Fields that answers about a resource leave out, by its name."""
        self.trips, self.delivery_vehicles = {}, {}
        self.drives = True
        """Whether vehicles drive to their stops, not only where tests move them."""
        self._coming = []
        self._speedup = speed or 1.0
        self._now = None if speed else start or time.time()
        self._points = {}
        self._dice = random.Random(0)
        self._stack = contextlib.ExitStack()
        self._emulator = Emulator(self._options(trips, deliveries))
        self._stack.callback(weakref.finalize(self, self._emulator.end))
        self._channel = self._stack.enter_context(grpc.insecure_channel(self._emulator.address))
        self.control = Control(self._channel)
        self._proxy = Proxy(self, self._emulator.address, host, certificate)
        for number in range(1, trips + 1):
            if speed:
                self.trips[f"t{number}"] = Trip(self, f"t{number}", f"v{number}")
            else:
                self.add_trip(f"t{number}", intermediates=number % 3, begins=(number - 1) % 60)
        for number in range(1, deliveries + 1):
            if not speed:
                self.add_delivery_vehicle(f"d{number}")

    def _options(self, trips, deliveries):
        options = []
        if self._now:
            options += ["--virtual-time", "--start-time", datetime.fromtimestamp(self._now, UTC).isoformat()]
        elif trips:
            options += ["--seed", "demo", "--provider", self.provider, "--vehicles", trips, "--speed",
                        max(1, round(self._speedup)), "--deliveries", deliveries]
        if self.account:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory())
            options += ["--check-tokens", self.account.save(Path(folder) / "key.json")]
        return options

    # For tests

    def add_trip(self, trip_id, *, vehicle_id=None, intermediates=1, shared=False, points=40, passengers=2,
                 begins=None, stops=None):
        """Adds a NEW trip with random stops in the city, or with `stops`, from the pickup to the dropoff.

        A vehicle, by default a new one, is assigned by `trip.go`, or `begins` seconds after now. `points` is the number
        of points in each leg of a new vehicle.
        """
        dice = random.Random(trip_id)
        pickup, *between, dropoff = [
            {"point": {"latitude": latitude, "longitude": longitude}}
            for latitude, longitude in stops or [place(dice) for _ in range(2 + intermediates)]]
        self.call("CreateTrip", parent=self.parent, trip_id=trip_id, trip={
            "trip_type": "SHARED" if shared else "EXCLUSIVE", "number_of_passengers": passengers,
            "pickup_point": pickup, "intermediate_destinations": between, "dropoff_point": dropoff})
        trip = self.trips[trip_id] = Trip(self, trip_id, vehicle_id or f"v{trip_id.removeprefix('t')}")
        self.vehicle(trip.vehicle_id, points)
        if begins is not None:
            self._coming.append((self.now + begins, trip))
            self.advance(0)
        return trip

    def vehicle(self, vehicle_id, points=40, at=None, **fields):
        """Creates a vehicle, if missing, with other fields than usual."""
        if vehicle_id not in self._points:
            self._points[vehicle_id] = points
            location = self.location(at or place(random.Random(vehicle_id)))
            self.call("CreateVehicle", parent=self.parent, vehicle_id=vehicle_id,
                      vehicle=VEHICLE | {"last_location": location} | fields)

    def add_delivery_vehicle(self, vehicle_id, **what):
        """Adds a delivery vehicle on a route of random stops, which begins now."""
        vehicle = self.delivery_vehicles[vehicle_id] = DeliveryVehicle(self, vehicle_id)
        vehicle.plan(**what)
        return vehicle

    def new_delivery_vehicle(self, vehicle_id, point):
        """Adds a delivery vehicle that moves only when the provider reports its location."""
        self.call("CreateDeliveryVehicle", parent=self.parent, delivery_vehicle_id=vehicle_id,
                  delivery_vehicle={"last_location": self.location(point)})

    def drive(self, vehicle_id, slower=1.0):
        """Drives a vehicle to its stops, along random streets."""
        if not self.drives:
            return
        vehicle = self.call("GetVehicle", name=self.name("vehicles", vehicle_id))
        route = [point_of(vehicle.last_location.location)]
        for stop in vehicle.waypoints:
            route += street(route[-1], point_of(stop.location.point), self._points[vehicle_id], self._dice)[1:]
        self.control.drive(vehicle.name, route, METERS_PER_SECOND * self._speedup / slower, WAIT / self._speedup)

    @property
    def now(self):
        """The time in seconds since 1970."""
        return self._now or time.time()

    def advance(self, seconds):
        """Advances the time, in which trips begin."""
        end = self.now + seconds
        self._coming.sort(key=lambda each: each[0])
        while self._coming and self._coming[0][0] <= end:
            at, trip = self._coming.pop(0)
            self._advance_to(at)
            if trip.status == "NEW":
                trip.go("ENROUTE_TO_PICKUP")
        self._advance_to(end)

    def _advance_to(self, at):
        if at > self._now:
            self._now = self.control.advance(at - self._now)

    @property
    def active(self):
        """The names of the trips that have a vehicle and are not over."""
        found = self.call("SearchTrips", parent=self.parent, active_trips_only=True, page_size=10_000)
        return {trip.name for trip in found.trips}

    # Calls without the proxy

    def call(self, method, /, **request):
        """Calls a method, such as GetTask, as a provider with all rights; the response. Raises grpc.RpcError."""
        return self.send(METHODS[method], METHODS[method].request(**request))

    def send(self, method, request):
        call = self._channel.unary_unary(
            method.path, request_serializer=method.request.SerializeToString,
            response_deserializer=method.response.FromString)
        token = self.account and self.account.mint(issued=self.now, authorization=ALL)
        return call(request, metadata=[("authorization", f"Bearer {token}")] if token else [])

    @property
    def parent(self):
        return f"providers/{self.provider}"

    def name(self, collection, resource_id):
        return f"{self.parent}/{collection}/{resource_id}"

    def trip_name(self, trip_id):
        return self.name("trips", trip_id)

    def location(self, point):
        """Returns a location that a driver's app reports now."""
        return {"location": {"latitude": point[0], "longitude": point[1]}, "update_time": timestamp(self.now),
                "is_road_snapped": {"value": True}}

    # The server

    @property
    def address(self):
        return self._proxy.address

    def __enter__(self):
        self._proxy.start()
        return self

    def __exit__(self, *_):
        self.faults.withdraw()
        self._proxy.stop()
        self._stack.close()


class Emulator:
    """A process of `tripwire emulate`."""

    def __init__(self, options):
        self._process = start("emulate", *options, stderr=None)
        self.address = self._process.stdout.readline().decode().split()[2]

    def end(self):
        self._process.kill()
        self._process.communicate()


def point_of(message):
    return message.latitude, message.longitude


def timestamp(seconds):
    whole, nanos = divmod(round(seconds * 1e6) * 1000, 1_000_000_000)
    return {"seconds": whole, "nanos": nanos}
