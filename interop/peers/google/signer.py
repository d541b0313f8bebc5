"""IAMCredentials of Google Cloud on grpcio, with the types of google-cloud-iam: SignJwt only.

In a test:  with Signer(identities, certificates.google) as signer: … signer.calls
"""

import json
import time
import urllib.parse
from dataclasses import dataclass, field

import grpc
from google.cloud.iam_credentials_v1 import types
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from peers.tokens import jwts
from peers.google.identities import CLOUD_PLATFORM, IAM, Denied
from peers.servers import failures
from peers.servers.listening import Listening

SignJwtRequest, SignJwtResponse = types.SignJwtRequest.pb(), types.SignJwtResponse.pb()
PATH = "/google.iam.credentials.v1.IAMCredentials/SignJwt"
PREFIX = "projects/-/serviceAccounts/"
CLAIMS = {"iss": str, "sub": str, "aud": str, "iat": int, "exp": int, "authorization": dict}
LONGEST = 12 * 3600
"""The longest lifetime of a signed JWT in seconds."""


@dataclass
class Call:
    """A call of SignJwt."""

    name: str
    delegates: list
    payload: str
    metadata: dict
    time: float = field(default_factory=time.time)
    code: str | None = None
    """The status code; None while the call runs."""

    @property
    def account(self):
        """The email address of the account that signs."""
        return self.name.removeprefix(PREFIX)

    @property
    def claims(self):
        return json.loads(self.payload)

    @property
    def authorization(self):
        """The claims of Fleet Engine, as JSON: the same for all tokens of a trip."""
        return json.dumps(self.claims["authorization"], sort_keys=True)


class Failed(Exception):
    def __init__(self, code, message, *details):
        super().__init__(message)
        self.status = failures.status(grpc.StatusCode[code], message, *details)


class Signer(Listening):
    """Listens while it is entered.

    `fault` is called for each call with the request and its call, and may raise Failed, return another
    response, or wait. Without a response, the usual one is sent.
    """

    def __init__(self, identities, certificate):
        self.identities, self.fault = identities, None
        self.calls = []
        """All calls in order of arrival."""
        super().__init__(grpc.method_handlers_generic_handler(
            PATH.split("/")[1], {"SignJwt": grpc.unary_unary_rpc_method_handler(
                self._sign_jwt, SignJwtRequest.FromString, SignJwtResponse.SerializeToString)}),
            workers=32, certificate=certificate)

    def _sign_jwt(self, request, context):
        call = Call(request.name, list(request.delegates), request.payload,
                    dict(context.invocation_metadata()))
        self.calls.append(call)
        try:
            answer = self.fault(request, call) if self.fault else None
            answer = answer or self.signed(request, call)
        except Failed as failed:
            status = rpc_status.to_status(failed.status)
            call.code = status.code.name
            context.abort_with_status(status)
        call.code = "OK"
        return answer

    def signed(self, request, call, payload=None, key_id=None):
        """Checks a request; returns the response, with another payload or key ID if given."""
        parameters = urllib.parse.parse_qs(call.metadata.get("x-goog-request-params", ""))
        if parameters != {"name": [request.name]}:
            raise Failed("INVALID_ARGUMENT", "x-goog-request-params must have the name of the request")
        try:
            principal = self.identities.principal(
                call.metadata.get("authorization"), CLOUD_PLATFORM, IAM)
        except Denied as denied:
            raise Failed(denied.status, str(denied), error_details_pb2.ErrorInfo(
                reason=denied.reason, domain="googleapis.com",
                metadata={"service": "iamcredentials.googleapis.com"})) from None
        if not all(name.startswith(PREFIX) for name in [request.name, *request.delegates]):
            raise Failed("INVALID_ARGUMENT", f"each name must begin with {PREFIX}")
        delegates = [name.removeprefix(PREFIX) for name in request.delegates]
        account = self.identities.accounts.get(call.account)
        if not self.identities.may_create(principal, delegates, call.account):
            raise denied_permission()
        if not account:
            raise not_found(call.account)
        check_claims(request.payload)
        return SignJwtResponse(
            key_id=key_id or account.key_id,
            signed_jwt=jwts.sign(account, payload or request.payload, key_id))


def check_claims(payload):
    """Raises Failed unless the payload has the claims of a token for Fleet Engine."""
    try:
        claims = json.loads(payload)
    except ValueError:
        claims = None
    if not isinstance(claims, dict):
        raise Failed("INVALID_ARGUMENT", "payload must be a JSON object")
    for name, kind in CLAIMS.items():
        if type(claims.get(name)) is not kind:
            raise Failed("INVALID_ARGUMENT", f"the claim {name} is missing or has another type")
    if not time.time() < claims["exp"] <= time.time() + LONGEST:
        raise Failed("INVALID_ARGUMENT", "exp must be in the next twelve hours")


def denied_permission():
    """The failure of a principal that is no Token Creator of the account."""
    permission = "iam.serviceAccounts.signJwt"
    return Failed(
        "PERMISSION_DENIED", f"Permission '{permission}' denied on resource (or it may not exist).",
        error_details_pb2.ErrorInfo(
            reason="IAM_PERMISSION_DENIED", domain="iam.googleapis.com",
            metadata={"permission": permission}))


def not_found(email):
    return Failed("NOT_FOUND", f"Not found; Gaia id not found for email {email}")
