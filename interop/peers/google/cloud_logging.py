"""Cloud Logging on grpcio, with the types of google-cloud-logging: ListLogEntries only.

In a test:  with CloudLogging(identities, certificates.google) as logging: logging.add(entry); … logging.requests
"""

import grpc
from google.cloud.logging_v2 import types
from google.protobuf import json_format
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from peers.tokens import jwts
from peers.google import logging_filter
from peers.google.identities import CLOUD_PLATFORM, Denied
from peers.google.signer import Failed
from peers.servers.listening import Listening

ListLogEntriesRequest, ListLogEntriesResponse = (
    types.ListLogEntriesRequest.pb(), types.ListLogEntriesResponse.pb())
LogEntry = types.LogEntry.pb()
SERVICE = "google.logging.v2.LoggingServiceV2"
AUDIENCE = "https://logging.googleapis.com/"
READ = "https://www.googleapis.com/auth/logging.read"
PERMISSION = "logging.logEntries.list"


class CloudLogging(Listening):
    """Listens while it is entered.

    `fault` is called for each call with the request and the number of the call, from 1. It may raise Failed, wait, or
    return a response in place of the usual one. `serialize` turns a response into bytes. `page` is the most entries of
    a page. Only `readers` may read, if they are given.
    """

    def __init__(self, identities, certificate, project="p"):
        self.identities, self.project = identities, project
        self.fault, self.readers, self.page = None, None, 1_000
        self.entries, self.requests, self.metadata = [], [], []
        self.serialize = ListLogEntriesResponse.SerializeToString
        super().__init__(grpc.method_handlers_generic_handler(
            SERVICE, {"ListLogEntries": grpc.unary_unary_rpc_method_handler(
                self._list, ListLogEntriesRequest.FromString, lambda response: self.serialize(response))}),
            workers=8, certificate=certificate)

    def add(self, *entries):
        """Adds entries, each as a dictionary of its JSON."""
        self.entries += [json_format.ParseDict(entry, LogEntry()) for entry in entries]

    def _list(self, request, context):
        self.requests.append(request)
        metadata = dict(context.invocation_metadata())
        self.metadata.append(metadata)
        try:
            answer = self.fault(request, len(self.requests)) if self.fault else None
            return answer or self.response(request, metadata)
        except Failed as failed:
            context.abort_with_status(rpc_status.to_status(failed.status))

    def response(self, request, metadata):
        self._check_caller(metadata.get("authorization"))
        if list(request.resource_names) != [f"projects/{self.project}"]:
            raise Failed("NOT_FOUND", f"Project does not exist: {request.resource_names}")
        if not 0 <= request.page_size <= 1_000 or request.order_by not in ("", "timestamp asc"):
            raise Failed("INVALID_ARGUMENT", "page_size or order_by is invalid")
        try:
            matches = logging_filter.parsed(request.filter)
            found = [entry for entry in self.entries if matches(entry)]
        except logging_filter.InvalidFilter as error:
            raise Failed("INVALID_ARGUMENT", f"Unparseable filter: {error}") from None
        found.sort(key=lambda entry: (entry.timestamp.seconds, entry.timestamp.nanos))
        start = self._start(request)
        end = start + min(request.page_size or 50, self.page)
        more = f"{end}:{hash(request.filter)}" if end < len(found) else ""
        return ListLogEntriesResponse(entries=found[start:end], next_page_token=more)

    @staticmethod
    def _start(request):
        if not request.page_token:
            return 0
        start, _, query = request.page_token.partition(":")
        if query != str(hash(request.filter)):
            raise Failed("INVALID_ARGUMENT", "page_token doesn't match arguments from the request")
        return int(start)

    def _check_caller(self, authorization):
        """Accepts an access token, or a JWT for this API that the key of a service account signed."""
        token = (authorization or "").removeprefix("Bearer ")
        if token.startswith("eyJ"):
            principal = self._signer(token)
        else:
            try:
                principal = self.identities.principal(authorization, CLOUD_PLATFORM, READ)
            except Denied as denied:
                raise Failed(denied.status, str(denied), error_details_pb2.ErrorInfo(
                    reason=denied.reason, domain="googleapis.com",
                    metadata={"service": "logging.googleapis.com"})) from None
        if self.readers is not None and principal not in self.readers:
            raise denied_permission(self.project)

    def _signer(self, token):
        try:
            _, claims, _ = jwts.parts(token)
            account = self.identities.accounts[claims["iss"]]
            jwts.verified(account, token)
        except (KeyError, ValueError) as error:
            raise Failed("UNAUTHENTICATED", f"Request had invalid authentication credentials: {error}") from None
        if claims.keys() != {"iss", "sub", "aud", "iat", "exp"} or claims["aud"] != AUDIENCE \
                or claims["sub"] != claims["iss"] or claims["exp"] - claims["iat"] > 3600:
            raise Failed("UNAUTHENTICATED", "Request had invalid authentication credentials: wrong claims")
        return account.email


def denied_permission(project):
    """The failure of a principal that may not read the logs."""
    return Failed(
        "PERMISSION_DENIED", f"Permission '{PERMISSION}' denied on resource (or it may not exist).",
        error_details_pb2.ErrorInfo(reason="IAM_PERMISSION_DENIED", domain="iam.googleapis.com", metadata={
            "permission": PERMISSION, "resource": f"projects/{project}"}))


def exhausted(delay=None):
    """The failure of a read that exceeds the quota of 60 a minute, with the seconds to wait if they are given."""
    details = [error_details_pb2.ErrorInfo(
        reason="RATE_LIMIT_EXCEEDED", domain="googleapis.com",
        metadata={"service": "logging.googleapis.com", "quota_limit": "ReadRequestsPerMinutePerProject",
                  "quota_limit_value": "60", "consumer": "projects/123"})]
    if delay is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(int(delay * 1000))
        details.append(retry)
    return Failed("RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Read requests'", *details)
