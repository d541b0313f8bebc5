"""The errors of the methods: statuses with the details of google.rpc that suit them."""

import grpc
from google.rpc import error_details_pb2 as details

from peers.servers import failures

Code = grpc.StatusCode


class Failed(Exception):
    """A failed call, with its status."""

    def __init__(self, status, trailers=()):
        super().__init__(status.message)
        self.status, self.trailers = status, trailers


def failed(code, message, *more):
    return Failed(failures.status(code, message, *more))


def not_found(kind, name):
    return failed(Code.NOT_FOUND, f"{name} does not exist", resource(kind, name, "it does not exist"))


def already_exists(kind, name):
    return failed(Code.ALREADY_EXISTS, f"{name} already exists", resource(kind, name, "it exists"))


def resource(kind, name, description):
    return details.ResourceInfo(
        resource_type=f"fleetengine.googleapis.com/{kind}", resource_name=name,
        description=description)


def failed_precondition(kind, subject, description):
    """Returns the error for a subject whose state does not permit the call."""
    precondition = details.PreconditionFailure()
    precondition.violations.add(type=kind, subject=subject, description=description)
    return failed(Code.FAILED_PRECONDITION, f"{subject}: {description}", precondition)


def invalid(field, description):
    """Returns the error for one invalid field."""
    violations = Violations()
    violations.add(field, description)
    return violations.error()


class Violations:
    """The invalid fields of a request, which one error reports together."""

    def __init__(self):
        self._found = []

    def add(self, field, description):
        self._found.append((field, description))

    def require(self, condition, field, description="is required"):
        """Adds a violation unless the condition holds."""
        if not condition:
            self.add(field, description)

    def require_point(self, point, field):
        """Adds a violation unless a LatLng is on the globe."""
        self.require(
            -90 <= point.latitude <= 90 and -180 <= point.longitude <= 180, field,
            "is not on the globe")

    def raise_any(self):
        """Raises INVALID_ARGUMENT if there is a violation."""
        if self._found:
            raise self.error()

    def error(self):
        request = details.BadRequest()
        for field, description in self._found:
            request.field_violations.add(field=field, description=description)
        message = "; ".join(f"{field} {description}" for field, description in self._found)
        return failed(Code.INVALID_ARGUMENT, message, request)
