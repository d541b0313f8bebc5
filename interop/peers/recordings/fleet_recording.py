"""Records what a fleet answers to clients that poll it, without a connection: hours take seconds."""

from datetime import datetime, timezone

from google.maps.fleetengine_v1 import types

from peers.recordings import binary_log
from peers.recordings.log_writer import GET_TRIP, LogWriter
from peers.servers import demo
from peers.fleet import Fleet
from peers.fleet.road import s2
from peers.fleet.services.errors import Failed
from peers.fleet.services.table import METHODS
from peers.fleet.services.trips import get_trip
from support.merging import Follower

GetTripRequest, Trip = types.GetTripRequest.pb(), types.Trip.pb()


class RecordedFleet(Fleet):
    """A fleet whose time stands still, and the log of the calls to it."""

    def __init__(self):
        super().__init__(provider="demo", start=demo.NOW.timestamp())
        self.log = LogWriter()

    def get(self, name, **request):
        """As a client's GetTrip; the Trip."""
        self.log.now = datetime.fromtimestamp(self.now, timezone.utc)
        request = GetTripRequest(name=name, **request)
        answer = self.answer(request)
        self.log.call(GET_TRIP, request, answer)
        return answer

    def answer(self, request):
        return Trip.FromString(get_trip(self, request))

    def call(self, method, /, **request):
        """As a client's call of another method, such as GetTask; the response, or None if it fails."""
        method = next(each for each in METHODS if each.name == method)
        self.log.now = datetime.fromtimestamp(self.now, timezone.utc)
        request = method.request(**request)
        try:
            answer = method.answer(self, request)
        except Failed as failed:
            status = failed.status
            self.log.call(
                method.path, request, code=status.code, message=status.message,
                details=status.SerializeToString())
            return None
        self.log.call(method.path, request, answer)
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
        self.vehicle("v1", self.POINTS).point = self.FROM
        self.trip = self.add_trip("t1", stops=[self.FROM, self.TO], points=self.POINTS)
        self.trip.go("ENROUTE_TO_DROPOFF")

    def answer(self, request):
        answer = super().answer(request)
        drive = self.trip.vehicle.drive
        if drive and (answer.route or answer.current_route_segment):
            left = drive.path.after(drive.meters(self.now))
            if answer.route:
                del answer.route[:-len(left.points)]
            else:
                answer.current_route_segment = s2.encoded(left.points)
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
