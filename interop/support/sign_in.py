"""What a client sent to sign in, comparable between clients, and the errors of the command."""

import json
import re
import urllib.parse

from peers.tokens import jwts
from support.command import assert_failed

NOT_SIGNED_IN = 80
"""The exit code of a command that asked a server or a program for a token and got none."""
UNUSABLE = 1
"""The exit code of a command that asked nobody, because the cause is on this machine."""


def exchanges(cloud):
    """Returns the requests for tokens so far: method, host, path, query, authorization and fields.

    Access tokens and assertions differ in each run. They are replaced by who they are for.
    """
    requests = [*cloud.tokens.requests, *cloud.metadata.token_requests]
    return [(request.method, request.host, request.path, request.query,
             described(cloud.identities, request.headers.get("authorization")), fields(request))
            for request in sorted(requests, key=lambda request: request.time)
            if not request.path.endswith("/allowedLocations")]


def described(identities, authorization):
    kind, _, token = (authorization or "").partition(" ")
    if kind != "Bearer":
        return authorization
    token = identities.tokens[token]
    return token.principal, token.scopes


def fields(request):
    """Returns the fields of a request. In JSON of protobuf, null and an empty list are the same as no field."""
    found = {name: value for name, value in request.fields.items() if value not in (None, [])}
    if "assertion" in found:
        header, claims, _ = jwts.parts(found["assertion"])
        assert 0 < claims.pop("exp") - claims.pop("iat") <= 3600
        found["assertion"] = header, claims
    if "options" in found:
        found["options"] = json.loads(urllib.parse.unquote(found["options"]))
    return found


def statuses(cloud):
    """Returns the status of each request to the token endpoints."""
    return [request.status for request in cloud.tokens.requests]


def assert_not_signed_in(result, *words, hint=None, code=NOT_SIGNED_IN):
    """Asserts that the command failed before its call, with one error line and one hint."""
    assert_failed(result, code, *words)
    hints = [line for line in result.stderr.splitlines() if line.startswith("hint: ")]
    assert len(hints) == 1 and (hint is None or re.search(hint, hints[0])), result.stderr
    assert "Traceback" not in result.stderr and "Fatal" not in result.stderr
