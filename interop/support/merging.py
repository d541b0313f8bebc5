"""Follows a trip with version stamps: merges responses that omit unchanged fields.

It is based only on the documentation of GetTripRequest and Trip, and checks the simulated fleet.
"""

from google.maps.fleetengine_v1 import types

Status, TripWaypoint = types.TripStatus, types.TripWaypoint.pb()
OVER = {Status.COMPLETE, Status.CANCELED}

# A stamp, and the fields that are omitted while it is unchanged.
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
        self._last_request = {}

    def refresh(self, **request):
        """Gets the changes; discards the merged trip if the request differs from the last one."""
        if request != self._last_request:
            self.trip, self._last_request = None, request
        stamps = self.stamps()
        answer = self.client.get(self.name_of, **request, **stamps)
        # A response to a request without stamps is complete.
        cached = self.trip if stamps else None
        if cached and (answer.vehicle_id != cached.vehicle_id or paths_changed_unseen(cached, answer)):
            cached, answer = None, self.client.get(self.name_of, **request)
        self.trip = merged(cached, answer) if cached else answer
        if answer.trip_status in OVER:
            self._last_request = {}
        return self.trip

    def stamps(self):
        """Returns the stamps of the merged trip."""
        trip = self.trip
        return {name: getattr(trip, name) for name in STAMPS if trip and trip.HasField(name)}


def paths_changed_unseen(cached, answer):
    """Returns whether paths to waypoints changed although the waypoints were omitted as unchanged."""
    return not answer.remaining_waypoints and same(cached, answer, "remaining_waypoints_version") \
        and not same(cached, answer, PATHS)


def same(cached, answer, stamp):
    return getattr(cached, stamp) == getattr(answer, stamp)


def merged(cached, answer):
    """Returns the response completed with its omitted fields."""
    whole = type(answer)()
    whole.CopyFrom(answer)
    for stamp, fields in GOVERNED.items():
        present = {field.name for field, _ in answer.ListFields()}
        if same(cached, answer, stamp) and not present.intersection(fields):
            for field in fields:
                copy(cached, whole, field)
        elif stamp == "remaining_waypoints_version" and same(cached, answer, PATHS):
            restore_paths(cached.remaining_waypoints, whole.remaining_waypoints)
    return whole


def restore_paths(cached, waypoints):
    """Copies the cached paths to waypoints that came without paths."""
    for before, now in zip(cached, waypoints):
        lacks = not any(field.name in PATH_FIELDS for field, _ in now.ListFields())
        if lacks and identity(before) == identity(now):
            for field in PATH_FIELDS:
                copy(before, now, field)


def identity(waypoint):
    return (waypoint.trip_id, waypoint.waypoint_type, waypoint.location.SerializeToString())


def copy(source, target, name):
    """Copies a field of any kind."""
    only = type(source)()
    only.CopyFrom(source)
    for field in source.DESCRIPTOR.fields:
        if field.name != name:
            only.ClearField(field.name)
    target.MergeFrom(only)
