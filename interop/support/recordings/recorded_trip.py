"""Reads recorded calls of GetTrip with Google's types, to compare what our code makes of them."""

from dataclasses import dataclass

from google.maps.fleetengine_v1 import types

from peers.recordings import binary_log
from support.merging import merged, paths_changed_unseen

Trip, Status = types.Trip.pb(), types.TripStatus
EVENTS = binary_log.GrpcLogEntry.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number


@dataclass
class Call:
    start: float
    """In seconds since 1970, as `end`."""
    end: float
    request: object
    response: object = None
    """The Trip; None without one."""
    merged: object = None
    """The Trip after this call; None before the first response."""
    code: int = 0


def calls_of(path):
    """Returns the calls of a recording that has calls of GetTrip about one trip only."""
    calls, trip = {}, None
    for entry in binary_log.read(path):
        time = entry.timestamp.ToMicroseconds() / 1e6
        call = calls.setdefault(entry.call_id, Call(time, time, None))
        call.end = time
        kind = EVENTS[entry.type].name
        if kind == "EVENT_TYPE_CLIENT_MESSAGE":
            call.request = types.GetTripRequest.pb().FromString(entry.message.data)
        elif kind == "EVENT_TYPE_SERVER_MESSAGE":
            call.response = Trip.FromString(entry.message.data)
            trip = after(trip, call)
        elif kind == "EVENT_TYPE_SERVER_TRAILER":
            call.code = entry.trailer.status_code
        call.merged = trip
    return list(calls.values())


def after(trip, call):
    """Returns the trip that a client has after a response, as support/merging.py."""
    response = call.response
    if not trip or not call.request.HasField("current_route_segment_version"):
        return response
    if response.vehicle_id != trip.vehicle_id or paths_changed_unseen(trip, response):
        return trip
    return merged(trip, response)


def markers_of(trip):
    """Returns the positions by the kind of the marker that the documentation of Journey promises."""
    name = Status(trip.trip_status).name
    found = {}

    def add(kind, point):
        found.setdefault((trip.name, kind), []).append((point.latitude, point.longitude))

    if name in ("NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP"):
        add("pickup", trip.pickup_point.point)
        first = 0
    elif "INTERMEDIATE_DESTINATION" in name:
        first = trip.intermediate_destination_index
    else:
        first = len(trip.intermediate_destinations)
    if name == "CANCELED":
        return {}
    for stop in trip.intermediate_destinations[first:]:
        add("intermediateDestination", stop.point)
    add("dropoff", trip.dropoff_point.point)
    if trip.HasField("last_location"):
        add("vehicle", trip.last_location.location)
    return found
