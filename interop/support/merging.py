"""Follows a trip by version stamps: merges answers that lack what is unchanged.

Written by the documentation of GetTripRequest and Trip alone, to check the fleet with.
"""

from google.maps.fleetengine_v1 import types

Status, TripWaypoint = types.TripStatus, types.TripWaypoint.pb()
OVER = {Status.COMPLETE, Status.CANCELED}

# A stamp, and the fields that are left out while it is the same.
GOVERNED = {
    "current_route_segment_version": ["route", "current_route_segment"],
    "current_route_segment_traffic_version": ["current_route_segment_traffic"],
    "remaining_waypoints_version": ["remaining_waypoints"],
}
PATHS = "remaining_waypoints_route_version"
PATH_FIELDS = ["path_to_waypoint", "encoded_path_to_waypoint", "traffic_to_waypoint"]
STAMPS = [*GOVERNED, PATHS]


class Follower:
    def __init__(self, client, trip):
        self.client, self.name_of = client, trip
        self.trip = None
        """The merged trip."""
        self._asked = {}

    def refresh(self, **request):
        """Asks for what is new; loses what it has when the request is for something else."""
        if request != self._asked:
            self.trip, self._asked = None, request
        stamps = self.stamps()
        answer = self.client.get(self.name_of, **request, **stamps)
        # What is asked for without a stamp is whole.
        cached = self.trip if stamps else None
        if cached and (answer.vehicle_id != cached.vehicle_id or moved_unseen(cached, answer)):
            cached, answer = None, self.client.get(self.name_of, **request)
        self.trip = merged(cached, answer) if cached else answer
        if answer.trip_status in OVER:
            self._asked = {}
        return self.trip

    def stamps(self):
        """Of what it has."""
        trip = self.trip
        return {name: getattr(trip, name) for name in STAMPS if trip and trip.HasField(name)}


def moved_unseen(cached, answer):
    """Are there other paths to waypoints, but the waypoints are left out as unchanged?"""
    return not answer.remaining_waypoints and same(cached, answer, "remaining_waypoints_version") \
        and not same(cached, answer, PATHS)


def same(cached, answer, stamp):
    return getattr(cached, stamp) == getattr(answer, stamp)


def merged(cached, answer):
    """The answer with what it lacks because that is the same as before."""
    whole = type(answer)()
    whole.CopyFrom(answer)
    for stamp, fields in GOVERNED.items():
        present = {field.name for field, _ in answer.ListFields()}
        if same(cached, answer, stamp) and not present.intersection(fields):
            for field in fields:
                copy(cached, whole, field)
        elif stamp == "remaining_waypoints_version" and same(cached, answer, PATHS):
            graft(cached.remaining_waypoints, whole.remaining_waypoints)
    return whole


def graft(cached, waypoints):
    """Gives waypoints that came without their paths those that they had before."""
    for before, now in zip(cached, waypoints):
        lacks = not any(field.name in PATH_FIELDS for field, _ in now.ListFields())
        if lacks and identity(before) == identity(now):
            for field in PATH_FIELDS:
                copy(before, now, field)


def identity(waypoint):
    return (waypoint.trip_id, waypoint.waypoint_type, waypoint.location.SerializeToString())


def copy(source, target, name):
    """Copies a field, whatever its kind."""
    only = type(source)()
    only.CopyFrom(source)
    for field in source.DESCRIPTOR.fields:
        if field.name != name:
            only.ClearField(field.name)
    target.MergeFrom(only)
