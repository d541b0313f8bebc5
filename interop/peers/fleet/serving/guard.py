"""Checks the token of a call.

The statuses follow Google's guide: UNAUTHENTICATED for missing or expired credentials and those without
the claim of the method, and PERMISSION_DENIED for all other errors.
"""

import time

import grpc
from google.rpc import error_details_pb2

from peers.servers import failures
from peers.fleet.serving import jwts
from peers.fleet.serving.tokens import AUDIENCE

LONGEST, SKEW = 3600, 600
"""The longest lifetime of a token, and how far its iat may be in the future, in seconds."""
MAX_CACHED = 4096
NOUNS = {
    "tripid": "trip", "vehicleid": "vehicle", "taskid": "task", "taskids": "task",
    "deliveryvehicleid": "delivery vehicle", "trackingid": "tracking",
}
"""What the ID in each claim identifies."""


class Refused(Exception):
    """A refused token, with the status of the call."""

    def __init__(self, code, reason, message):
        super().__init__(message)
        self.status = failures.status(code, message, error_details_pb2.ErrorInfo(
            reason=reason, domain="googleapis.com",
            metadata={"service": "fleetengine.googleapis.com"}))


def unauthenticated(reason, message):
    return Refused(grpc.StatusCode.UNAUTHENTICATED, reason, message)


def denied(message, reason="IAM_PERMISSION_DENIED"):
    return Refused(grpc.StatusCode.PERMISSION_DENIED, reason, message)


class Guard:
    def __init__(self, account):
        """Trusts tokens signed by this service account."""
        self.account = account
        self.ahead = 0.0
        """The number of seconds by which the guard's clock is ahead, so that tokens expire."""
        self._signed = {}

    @property
    def now(self):
        return time.time() + self.ahead

    def check(self, metadata, claim, wanted):
        """Raises Refused unless the call has a valid token whose private claim allows `wanted`.

        That is an ID, "*" for all resources, or the list of IDs for the claim `taskids`.
        """
        claims = self._claims(bearer(metadata))
        if (claims.get("aud"), claims.get("iss"), claims.get("sub")) != (
                AUDIENCE, self.account.email, self.account.email):
            raise denied("The JWT is invalid: its audience, issuer or subject is wrong.")
        self._check_times(claims)
        if "authorization" not in claims:
            raise denied("JWT does not contain any scopes.")
        private = claims["authorization"]
        allowed = private.get(claim) if isinstance(private, dict) else None
        if not allowed:
            raise unauthenticated("CREDENTIALS_MISSING", f"The JWT has no {NOUNS[claim]} ID.")
        if claim == "taskids":
            self._check_list(allowed, wanted)
        elif wanted == "*" != allowed:
            raise denied(f"The JWT is not for every {NOUNS[claim]}.")
        elif allowed not in ("*", wanted):
            raise denied(f"The JWT is for another {NOUNS[claim]} than {wanted}.")

    def _check_list(self, allowed, wanted):
        if not isinstance(allowed, list):
            raise denied("The JWT is invalid: the claim taskids is not an array.")
        if "*" not in allowed and (others := [each for each in wanted if each not in allowed]):
            raise denied(f"The JWT is for other tasks than {', '.join(others)}.")

    def _check_times(self, claims):
        issued, expires = claims.get("iat"), claims.get("exp")
        if not isinstance(issued, (int, float)) or not isinstance(expires, (int, float)):
            raise denied("The JWT is invalid: it lacks iat or exp.")
        if expires <= self.now:
            raise unauthenticated("ACCESS_TOKEN_EXPIRED", "The JWT has expired.")
        if issued > self.now + SKEW:
            raise unauthenticated("CREDENTIALS_MISSING", "The JWT was issued in the future.")
        if expires - issued > LONGEST:
            raise denied("The JWT is invalid: it lives longer than an hour.")

    def _claims(self, token):
        """Returns the claims of a token after verifying its signature, which is cached."""
        if token not in self._signed:
            if len(self._signed) >= MAX_CACHED:
                self._signed.clear()
            self._signed[token] = self._verified(token)
        return self._signed[token]

    def _verified(self, token):
        try:
            return jwts.verified(self.account, token)
        except ValueError as error:
            raise denied(f"The JWT is invalid: {error}.") from None


def bearer(metadata):
    """Returns the token in a call's metadata."""
    kind, _, token = dict(metadata).get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        raise unauthenticated(
            "CREDENTIALS_MISSING", "Request is missing required authentication credential.")
    return token


def claims_of(metadata):
    """Returns the claims of the token in a call's metadata, verified or not; None without a token."""
    try:
        return jwts.parts(bearer(metadata))[1]
    except (Refused, ValueError):
        return None
