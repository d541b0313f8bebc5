"""A trip of the fleet that a client follows, recorded by both: the client's calls, and Google's log of the calls that
arrived. Time is virtual, so minutes take milliseconds."""

import heapq
import itertools
import math
import random
from datetime import datetime, timedelta, timezone

from google.maps.fleetengine_v1 import types
from google.rpc import code_pb2, status_pb2

from peers.fleet import Fleet
from peers.fleet.fleet import point_of
from peers.fleet.methods import METHODS, labels
from peers.fleet.streets import along, place, street
from peers.recordings import binary_log, s2
from peers.recordings.log_writer import GET_TRIP, LogWriter
from peers.recordings.server_log import ServerLog
from peers.servers import demo

GetTripRequest, Trip = types.GetTripRequest.pb(), types.Trip.pb()
UpdateVehicleRequest = types.UpdateVehicleRequest.pb()
METERS_PER_SECOND = 8.0
METERS_PER_DEGREE = 111_195.0
UPDATES = POLLS = 5.0
"""The intervals of the driver's app and of the client, in seconds."""
UPLINK = 0.18
"""From the measurement to the server, as in the fleet's answers."""
LATENCY = 0.08
BACKOFF = [1, 2, 4, 8, 16, 30]
"""How long the client waits after consecutive errors, in seconds."""


class TwoSides(Fleet):
    """The driver's app reports every five seconds while it drives to the pickup; the client polls as often.

    The attributes are the troubles of a story. `run` lets the time pass.
    """

    def __init__(self, clock_error=0.0):
        """`clock_error` is how far the client's clock is ahead, in seconds."""
        super().__init__(provider="demo", start=demo.NOW.timestamp())
        self.client, self.server = LogWriter(), ServerLog("demo")
        self.clock_error = clock_error
        self.is_driver_silent = self.is_suspended = self.is_cut = self.is_jammed = False
        self.jump = 0.0
        """How far the GPS is off, in degrees."""
        self.refused = self.failing = None
        """The code with which updates or polls fail, and its message."""
        self.latency, self.timeout = LATENCY, math.inf
        self._errors = 0
        self._driven = 0.0
        self._events, self._order = [], itertools.count()
        self.drives = False
        self.trip = self.add_trip("t1", vehicle_id="v1")
        pickup = point_of(self.trip.message.pickup_point.point)
        self._route = street(place(random.Random("v1")), pickup, 40, random.Random("t1"))
        self.trip.go("ENROUTE_TO_PICKUP")
        self.trip.report(current_route_segment=s2.encoded(self._route))
        self._at(self.now, self._update)
        self._at(self.now + 2, self._poll)

    def run(self, seconds):
        """Lets this time pass; returns the time before, in seconds since 1970."""
        begin, end = self.now, self.now + seconds
        while self._events[0][0] <= end:
            at, _, act = heapq.heappop(self._events)
            self.advance(at - self.now)
            act()
        self.advance(end - self.now)
        return begin

    def write(self, folder):
        """Returns the paths of the client's recording and of the server's log."""
        binary_log.write(folder / "client.binlog", self.client.entries)
        return folder / "client.binlog", self.server.write(folder / "server.json")

    def _at(self, time, act):
        heapq.heappush(self._events, (time, next(self._order), act))

    # The driver's app

    def _update(self):
        self._at(self.now + UPDATES, self._update)
        if not self.is_jammed:
            self._driven += METERS_PER_SECOND * UPDATES
        if self.is_driver_silent:
            return
        # A standing GPS receiver reports places a few meters apart.
        shaking = 3 * math.sin(self.now) / METERS_PER_DEGREE
        (latitude, longitude), heading = along(self._route, self._driven)
        request = UpdateVehicleRequest(name="providers/demo/vehicles/v1")
        location = request.vehicle.last_location
        location.location.latitude, location.location.longitude = latitude + self.jump + shaking, longitude
        location.raw_location.CopyFrom(location.location)
        location.heading.value = heading
        location.update_time.FromMicroseconds(round((self.now - UPLINK) * 1e6))
        location.raw_location_time.CopyFrom(location.update_time)
        request.update_mask.paths.append("last_location")
        # Fleet Engine keeps the location of a vehicle when it is sent another that is too far away to reach.
        self._serve("UpdateVehicle", request, self.refused, discards=bool(self.jump))

    # The client

    def _poll(self):
        if self.is_suspended:
            self._at(self.now + 0.5, self._poll)
            return
        request = GetTripRequest(name=self.trip.name)
        self._set_client_time()
        call = self.client.begin(GET_TRIP, request)
        if self.latency > self.timeout:
            self._at(self.now + self.timeout, lambda: self._give_up(call))
            self._at(self.now + self.latency, lambda: self._get_trip(request))
            return
        self._at(self.now + self.latency, lambda: self._answer(call, request))

    def _answer(self, call, request):
        if self.is_cut:
            status, trip = failure(("UNAVAILABLE", "connection reset by peer")), None
        else:
            status, trip = self._get_trip(request)
        self._set_client_time(after=0.02)
        if trip:
            self.client.add(call, "SERVER_HEADER").server_header.SetInParent()
            self.client.add_message(call, "SERVER_MESSAGE", trip)
        self.client.end(
            call, status.code if status else 0, status.message if status else "", is_local=self.is_cut)
        self._errors = self._errors + 1 if status else 0
        wait = BACKOFF[min(self._errors, len(BACKOFF)) - 1] if status else POLLS
        self._at(self.now + wait, self._poll)

    def _give_up(self, call):
        self._set_client_time()
        self.client.end(call, code_pb2.DEADLINE_EXCEEDED, "Deadline exceeded", is_local=True)
        self._at(self.now + 1, self._poll)

    def _set_client_time(self, after=0.0):
        self.client.now = datetime.fromtimestamp(self.now, timezone.utc) + timedelta(
            seconds=self.clock_error + after)

    # The server

    def _get_trip(self, request):
        return self._serve("GetTrip", request, self.failing)

    def _serve(self, method, request, fault, discards=False):
        """Answers a call and logs it; returns the status of a failure, and the response."""
        status, response = failure(fault) if fault else None, None
        if discards:
            response = self.call("GetVehicle", name=request.name)
        elif not status:
            response = self.send(METHODS[method], request)
        self.server.call(self.now, method, labels(METHODS[method].resource(request)), request, response, status)
        return status, response


def failure(fault):
    code, message = fault
    return status_pb2.Status(code=code_pb2.Code.Value(code), message=message)
