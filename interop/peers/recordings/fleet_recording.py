"""Records what a fleet answers to clients that poll it, in virtual time: hours take seconds."""

import math
from datetime import datetime, timezone

import grpc
from google.maps.fleetengine_v1 import types

from peers.fleet import Fleet
from peers.fleet.methods import METHODS
from peers.fleet.proxy import status_of
from peers.recordings import binary_log, s2
from peers.recordings.log_writer import LogWriter
from peers.servers import demo
from support.merging import Follower


class RecordedFleet(Fleet):
    """A fleet whose time stands still, and the log of the calls to it."""

    def __init__(self):
        super().__init__(provider="demo", start=demo.NOW.timestamp())
        self.log = LogWriter()

    def get(self, name, **request):
        """As a client's GetTrip; the Trip."""
        return self.recorded("GetTrip", name=name, **request)

    def recorded(self, method, /, **request):
        """As a client's call of a method, such as GetTask; the response, or None if it fails."""
        method = METHODS[method]
        self.log.now = datetime.fromtimestamp(self.now, timezone.utc)
        try:
            answer = self.call(method.name, **request)
        except grpc.RpcError as error:
            status = status_of(error)
            self.log.call(
                method.path, method.request(**request), code=status.code, message=status.message,
                details=status.SerializeToString())
            return None
        self.log.call(method.path, method.request(**request), answer)
        return answer

    def poll(self, count, interval=5.0, **request):
        """So many responses about each trip; those after the first leave out what has not changed."""
        followers = [Follower(self, trip.name) for trip in self.trips.values()]
        for _ in range(count):
            for follower in followers:
                follower.refresh(**request)
            self.advance(interval)

    def write(self, path):
        binary_log.write(path, self.log.entries)
        return path


def many_trips(path, count, polls=120):
    """The recording of trips that begin one after another."""
    fleet = RecordedFleet()
    for number in range(1, count + 1):
        fleet.add_trip(f"t{number}", intermediates=number % 3, begins=number * 5 % 60)
    fleet.poll(polls)
    return fleet.write(path)


class LongTrip(RecordedFleet):
    """A drive of two hours, polled every five seconds. Its route has 2,000 points at first, and each
    response that has it begins it at the vehicle."""

    POLLS, POINTS = 1440, 2000
    FROM, TO = (37.55, -122.42), (37.7749, -122.05)
    """57 km apart along the streets: two hours at the speed of the vehicle."""

    def __init__(self):
        super().__init__()
        self.vehicle("v1", self.POINTS, at=self.FROM)
        self.trip = self.add_trip("t1", stops=[self.FROM, self.TO])
        self.trip.go("ENROUTE_TO_DROPOFF")
        trip = self.trip.message
        self._route, self._meters = list(trip.route), trip.remaining_distance_meters.value

    def call(self, method, /, **request):
        answer = super().call(method, **request)
        if hasattr(self, "_route") and (answer.route or answer.current_route_segment):
            part = answer.remaining_distance_meters.value / self._meters
            left = self._route[-max(math.ceil(part * len(self._route)), 2):]
            if answer.route:
                del answer.route[:]
                answer.route.extend(left)
            else:
                answer.current_route_segment = s2.encoded([(each.latitude, each.longitude) for each in left])
        return answer


def long_trip(path, is_encoded, has_stamps):
    """The recording of a long trip, with routes as texts or as points, and with everything in each
    response or only what has changed."""
    fleet = LongTrip()
    request = {"route_format_type": types.PolylineFormatType.ENCODED_POLYLINE_TYPE} if is_encoded else {}
    if has_stamps:
        fleet.poll(LongTrip.POLLS, **request)
    else:
        for _ in range(LongTrip.POLLS):
            fleet.get(fleet.trip.name, **request)
            fleet.advance(5)
    return fleet.write(path)
