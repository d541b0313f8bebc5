"""Failures of calls: statuses of google.rpc, with every kind of detail."""

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2 as details
from google.rpc import status_pb2
from grpc_status import rpc_status

CODES = [code for code in grpc.StatusCode if code is not grpc.StatusCode.OK]

# A non-ASCII message with characters that must be percent-encoded and with text that looks encoded.
AWKWARD_MESSAGE = "Die Fahrt „t 1“ fehlt: 100 % weg, %E2%98%83 wörtlich, %zz kaputt, ☃ 😀"

# Characters that would change the color of a terminal, ring its bell and forge a line.
HOSTILE_MESSAGE = "\x1b[31mred\x1b[0m \a\r\nerror: forged \x9b1m \u202etxet"


def all_details():
    """Returns one of each of the ten kinds of details."""
    quota = details.QuotaFailure()
    quota.violations.add(
        subject="project:p", description="GetTrip requests per minute",
        api_service="fleetengine.googleapis.com",
        quota_metric="fleetengine.googleapis.com/get_trip", quota_id="GetTripPerMinute",
        quota_dimensions={"region": "us-west1"}, quota_value=600,
        future_quota_value=1200)
    precondition = details.PreconditionFailure()
    precondition.violations.add(
        type="TRIP_STATE", subject="providers/p/trips/t1", description="the trip is still active")
    request = details.BadRequest()
    violation = request.field_violations.add(
        field="name", description="must match providers/*/trips/*", reason="NAME_FORMAT")
    violation.localized_message.locale = "de"
    violation.localized_message.message = "Der Name ist falsch geschrieben."
    links = details.Help()
    links.links.add(description="how to write names", url="https://example.com/names")
    retry = details.RetryInfo()
    retry.retry_delay.seconds, retry.retry_delay.nanos = 2, 500_000_000
    return [
        details.ErrorInfo(
            reason="IAM_PERMISSION_DENIED", domain="googleapis.com",
            metadata={"permission": "fleetengine.trips.get", "service": "fleetengine"}),
        retry,
        details.DebugInfo(stack_entries=["frame one", "frame two"], detail="tripped over a wire"),
        quota, precondition, request,
        details.RequestInfo(request_id="request-4711", serving_data="backend 12"),
        details.ResourceInfo(
            resource_type="fleetengine.googleapis.com/Trip", resource_name="providers/p/trips/t1",
            owner="project:p", description="the trip was deleted"),
        links,
        details.LocalizedMessage(locale="de-CH", message="Die Fahrt gibt es nicht."),
    ]


def status(code, message, *messages):
    """Returns a google.rpc.Status with these messages as details."""
    status = status_pb2.Status(code=code.value[0], message=message)
    for each in messages:
        # Deterministic, so that map entries have the same order each time.
        status.details.add().Pack(each, deterministic=True)
    return status


def unknown_detail():
    return any_pb2.Any(type_url="type.googleapis.com/example.Unheard", value=b"\x08\x01")


def fail(context, status, *trailers):
    """Fails the call with a status and a pushback that prevents retries."""
    converted = rpc_status.to_status(status)
    details = converted.trailing_metadata if status.details else ()
    context.set_trailing_metadata((("grpc-retry-pushback-ms", "-1"), *trailers, *details))
    context.abort(converted.code, converted.details)
