"""A guard of the fleet that accepts what Fleet Engine accepts: access tokens and JWTs of all accounts.

In a test:  fleet.guard = CloudGuard(identities)
"""

import threading
import time

import grpc
from google.rpc import error_details_pb2

from peers.fleet.proxy import Failed
from peers.tokens import jwts
from peers.google.identities import CLOUD_PLATFORM, Denied
from peers.servers import failures


class CloudGuard:
    """Accepts all access tokens of the scope, and JWTs that a service account signed for the trip or for all trips. It
    records the tokens and the projects for quota."""

    def __init__(self, identities):
        self._identities, self._lock = identities, threading.Lock()
        self.tokens = []
        """The token of each call."""
        self.quota_projects = []
        """The value of x-goog-user-project in each call; None without it."""

    def check(self, metadata, resource):
        """Raises Failed unless the call has a valid token for a resource, such as trips/t1."""
        fields = dict(metadata)
        token = fields.get("authorization", "").partition(" ")[2]
        if token:
            with self._lock:
                self.tokens.append(token)
                self.quota_projects.append(fields.get("x-goog-user-project"))
        if token.count(".") == 2 and token.startswith("eyJ"):
            self._check_jwt(token, resource)
            return
        try:
            self._identities.principal(fields.get("authorization"), CLOUD_PLATFORM)
        except Denied as refused:
            raise failed(refused.status, refused.reason, str(refused)) from None

    def _check_jwt(self, token, resource):
        try:
            claims = jwts.verified(self._identities.accounts[jwts.parts(token)[1]["iss"]], token)
        except (ValueError, KeyError) as error:
            raise failed("PERMISSION_DENIED", "IAM_PERMISSION_DENIED", f"The JWT is invalid: {error}.") from None
        if claims["exp"] <= time.time():
            raise failed("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED", "The JWT has expired.")
        if claims["authorization"].get("tripid") not in ("*", resource.removeprefix("trips/")):
            raise failed("PERMISSION_DENIED", "IAM_PERMISSION_DENIED", f"The JWT is not for {resource}.")


def failed(code, reason, message):
    return Failed(failures.status(grpc.StatusCode[code], message, error_details_pb2.ErrorInfo(
        reason=reason, domain="googleapis.com", metadata={"service": "fleetengine.googleapis.com"})))
