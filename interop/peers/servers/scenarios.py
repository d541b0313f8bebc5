"""The responses of the Fleet Engine server: the ID of a trip or a vehicle selects one."""

import base64
import threading

import grpc
from google.maps.fleetengine_v1 import types
from google.rpc import error_details_pb2 as details

from peers.servers import demo, failures
from peers.recordings.filled import filled
from peers.servers.stale_tokens import refuse_stale

Trip, Vehicle = types.Trip.pb(), types.Vehicle.pb()

NOT_FOUND, OK = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.OK
MEBIBYTE = 1 << 20


def rich_trip(name):
    return filled(Trip)


def empty_trip(name):
    return Trip()


def unknown_enum_trip(name):
    trip = Trip(name=name, trip_status=99)
    trip.remaining_waypoints.add(waypoint_type=-7)
    return trip


def unknown_field_trip(name):
    """Returns the bytes of a trip with three unknown fields, one of them in the pickup point."""
    in_point = bytes.fromhex("0a00 fa3f 026869")  # point {}, 1023: "hi"
    return (Trip(name=name).SerializeToString()
            + bytes.fromhex("2a") + bytes([len(in_point)]) + in_point
            + bytes.fromhex("f03f 2a")  # 1022: 42
            + bytes.fromhex("f93f 0102030405060708"))  # 1023: eight bytes


def numbers_trip(name):
    """Returns a trip with doubles that are hard to print."""
    trip = Trip(name=name)
    for number in (0.0, -0.0, 1.0, 100.0, 1e15, 1e16, 123456789012345680.0, 1e22, 1e-4, 1e-5, 0.3,
                   0.1 + 0.2, 2 / 3, 2.0**-1074, 1.7976931348623157e308, float("nan"), float("inf"),
                   float("-inf")):
        trip.attributes.add(key="n", number_value=number)
    trip.last_location.speed.value = float("nan")
    trip.last_location.heading.value = 0
    trip.remaining_distance_meters.value = 0
    return trip


def large_trip(name):
    """Returns a trip of more than 5 MiB."""
    return Trip(name=name, current_route_segment="A" * (5 * MEBIBYTE))


TRIPS = {
    "rich": rich_trip,
    "empty": empty_trip,
    "unknown-enum": unknown_enum_trip,
    "unknown-field": unknown_field_trip,
    "numbers": numbers_trip,
    "large": large_trip,
    "t1": demo.trip,
}

VEHICLES = {
    "rich": lambda name: filled(Vehicle),
    "empty": lambda name: Vehicle(),
    "v1": demo.vehicle,
}


def statuses(name):
    """Returns the failures by ID."""
    message = f"{name} failed on purpose"
    found = {
        "missing": failures.status(
            NOT_FOUND, f"{name} does not exist",
            details.ResourceInfo(
                resource_type="fleetengine.googleapis.com/Trip", resource_name=name,
                description="it was never created"),
            details.RequestInfo(request_id="a1b2c3d4")),
        "awkward-message": failures.status(NOT_FOUND, failures.AWKWARD_MESSAGE),
        "hostile-message": failures.status(NOT_FOUND, failures.HOSTILE_MESSAGE),
    }
    for code in failures.CODES:
        found[f"fails-{code.name}"] = failures.status(code, message)
        found[f"fails-{code.name}-with-details"] = failures.status(
            code, message, *failures.all_details())
    found["unknown-detail"] = failures.status(NOT_FOUND, message)
    found["unknown-detail"].details.append(failures.unknown_detail())
    return found


def echo(request, context):
    """Returns a trip whose attributes are the request metadata, with -bin values in base64."""
    trip = Trip(name=request.name)
    for key, value in context.invocation_metadata():
        text = base64.b64encode(value).decode() if isinstance(value, bytes) else value
        trip.attributes.add(key=key, string_value=text)
    authority = context._rpc_event.call_details.host.decode()
    trip.attributes.add(key=":authority", string_value=authority)
    if context.time_remaining() is not None:
        trip.attributes.add(key="time remaining", number_value=context.time_remaining())
    # The request itself, for fields other than the name.
    trip.attributes.add(key="request", string_value=request.SerializeToString().hex())
    return trip


def with_metadata(request, context):
    """Returns a trip with custom headers and trailers."""
    context.send_initial_metadata((("x-first", "one"), ("x-first-bin", b"\x00\x01\xff")))
    context.set_trailing_metadata((("x-last", "two"), ("x-last-bin", b"\xfe")))
    return Trip(name=request.name)


def with_all_metadata(request, context):
    """Fails with all kinds of custom headers and trailers."""
    context.send_initial_metadata((
        ("x-twice", "one"), ("x-twice", "two"), ("x-spaced", "a  b, c"), ("x-empty", ""),
        ("x-every-byte-bin", bytes(range(256)))))
    status = failures.status(
        grpc.StatusCode.ABORTED, failures.AWKWARD_MESSAGE, *failures.all_details())
    failures.fail(context, status, ("x-last", "two"), ("x-last-bin", b"\xfe"), ("x-none-bin", b""))


def with_details(request, context):
    """Returns a trip with status details in the trailers."""
    status = failures.status(OK, "all is well", *failures.all_details())
    context.set_trailing_metadata(
        (("grpc-status-details-bin", status.SerializeToString()),))
    return Trip(name=request.name)


def compressed(algorithm, make):
    """Returns an answer that compresses a trip."""
    def answer(request, context):
        context.set_compression(algorithm)
        return make(request.name)

    return answer


def failing(times, *trailers, status=grpc.StatusCode.UNAVAILABLE):
    """Returns an answer that fails several times; its trip then has the previous attempts."""
    def answer(request, context):
        attempts = dict(context.invocation_metadata()).get("grpc-previous-rpc-attempts")
        if int(attempts or 0) < times:
            context.set_trailing_metadata(trailers)
            context.abort(status, f"down, after {attempts or 'no'} attempts")
        trip = Trip(name=request.name)
        trip.attributes.add(key="previous attempts", string_value=attempts or "none")
        return trip

    return answer


def fail_after_headers(request, context):
    """Fails after the response headers."""
    context.send_initial_metadata((("x-first", "one"),))
    context.abort(grpc.StatusCode.UNAVAILABLE, "down in the middle")


def pushback(milliseconds):
    return ("grpc-retry-pushback-ms", milliseconds)


def slow(request, context):
    """Never responds; waits until the client cancels."""
    canceled = threading.Event()
    if context.add_callback(canceled.set):
        canceled.wait()
    return Trip()


def no_stale_tokens(request, context):
    refuse_stale(context)
    return echo(request, context)


SPECIAL = {
    "down-once": failing(1),
    "down-twice-with-pushback": failing(2, pushback("50")),
    "down-for-long": failing(9, pushback("10")),
    "down-for-good": failing(9, pushback("-1")),
    "down-with-invalid-pushback": failing(1, pushback("soon")),
    "busy": failing(1, pushback("10"), status=grpc.StatusCode.RESOURCE_EXHAUSTED),
    "down-in-the-middle": fail_after_headers,
    "echo": echo,
    "metadata": with_metadata,
    "all-metadata": with_all_metadata,
    "details": with_details,
    "slow": slow,
    "no-stale-tokens": no_stale_tokens,
    "gzip": compressed(grpc.Compression.Gzip, demo.trip),
    "deflate": compressed(grpc.Compression.Deflate, demo.trip),
    "large-gzip": compressed(grpc.Compression.Gzip, large_trip),
}
