"""Distances on the globe, and times."""

import base64
import math

import s2geometry
from google.protobuf import duration_pb2, timestamp_pb2
from google.type import latlng_pb2

from peers.recordings import s2

EARTH_RADIUS, SPEED = 6_371_008.8, 8.0
"""In meters, and in meters per second where a driver's app reports nothing."""


def meters(start, end):
    """Returns the length of a straight line in meters."""
    one, other = math.radians(start.latitude), math.radians(end.latitude)
    half = math.sin((other - one) / 2) ** 2 + math.cos(one) * math.cos(other) * math.sin(
        math.radians(end.longitude - start.longitude) / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(half))


def decoded(route):
    """Returns the points of a `current_route_segment`; none if it is empty."""
    if not route:
        return []
    polyline = s2geometry.S2Polyline()
    polyline.Decode(s2geometry.Decoder(base64.urlsafe_b64decode(route)))
    places = [s2geometry.S2LatLng(polyline.vertex(index)) for index in range(polyline.num_vertices())]
    return [latlng_pb2.LatLng(latitude=each.lat().degrees(), longitude=each.lng().degrees()) for each in places]


def encoded(points):
    return s2.encoded([(each.latitude, each.longitude) for each in points])


def timestamp(seconds):
    whole = math.floor(seconds)
    return timestamp_pb2.Timestamp(seconds=whole, nanos=int((seconds - whole) * 1e9))


def duration(seconds):
    whole = math.floor(seconds)
    return duration_pb2.Duration(seconds=whole, nanos=int((seconds - whole) * 1e9))


def seconds(message):
    """Returns a Timestamp or a Duration in seconds."""
    return message.seconds + message.nanos / 1e9


def rest(path, here):
    """Returns what remains of a path from the place that is nearest to a vehicle, after the vehicle itself."""
    if not here or not path:
        return list(path)
    nearest = min(range(len(path) - 1), key=lambda index: apart(here, path[index], path[index + 1]), default=0)
    return [here, *(path[nearest + 1:] or path)]


def apart(point, start, end):
    """Returns the distance of a point to a straight line, in degrees of latitude."""
    scale = math.cos(math.radians(point.latitude))
    x, y = ((each.longitude - start.longitude) * scale for each in (point, end))
    across = [(point.latitude - start.latitude, x), (end.latitude - start.latitude, y)]
    length = across[1][0] ** 2 + across[1][1] ** 2
    part = (across[0][0] * across[1][0] + across[0][1] * across[1][1]) / length if length else 0
    part = min(1, max(0, part))
    return math.hypot(across[0][0] - part * across[1][0], across[0][1] - part * across[1][1])


def reported(location, now):
    """Returns a location as it is stored: without the fields that are input only."""
    stored = type(location)()
    stored.CopyFrom(location)
    for field in "is_gps_sensor_enabled", "num_stale_updates", "time_since_update":
        if field in stored.DESCRIPTOR.fields_by_name:
            stored.ClearField(field)
    stored.server_time.CopyFrom(timestamp(now))
    return stored


def seen(location, now):
    """Returns a stored location as it is answered: with its age."""
    answer = type(location)()
    answer.CopyFrom(location)
    since = location.update_time if location.HasField("update_time") else location.server_time
    answer.time_since_update.value = max(0, int(now - seconds(since)))
    return answer
