"""Faults of an HTTP server on demand: a number of times or until withdrawn, for one path or all."""

import dataclasses
import json
import threading
from dataclasses import dataclass, field

from peers.google.http_messages import Answer
from peers.servers.active_faults import ActiveFaults

PORTAL = ("<!DOCTYPE html><html><head><title>Welcome to Hotel Wi-Fi</title></head>"
          "<body>Accept the terms to go online.</body></html>")


@dataclass(eq=False)
class Fault:
    """The fault of a request. Without further fields, the request gets its usual answer."""

    answer: Answer | None = None
    """The answer instead of the usual one."""
    change: object = None
    """Returns the changed answer, given the usual one."""
    delay: float = 0.0
    """The delay of the answer in seconds."""
    cut: int | None = None
    """The number of bytes of the body after which the connection is closed."""
    is_dropped: bool = False
    """Whether the connection is closed without an answer."""
    times: int | None = None
    """The number of requests that still get the fault; None means all."""
    path: str | None = None
    """The end of the path of the requests that get the fault; None means any."""
    _over: threading.Event = field(default_factory=threading.Event)

    def pause(self):
        """Waits as long as the fault delays the answer."""
        if self.delay:
            self._over.wait(self.delay)

    @property
    def is_over(self):
        return self._over.is_set()

    def matches(self, request):
        return self.path is None or request.path.endswith(self.path)

    def withdraw(self):
        """Withdraws the fault; delayed requests get their answer."""
        self._over.set()


class Faults(ActiveFaults):
    """The active faults. A request that matches several gets the one that was added first."""

    def add(self, **what):
        return self.activate(Fault(**what))

    def answer(self, status, body, content_type="application/json; charset=UTF-8", headers=None, **when):
        """Answers with these bytes or this JSON."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.add(answer=Answer(status, body, content_type, headers or {}), **when)

    def fail(self, status, error="internal_failure", description=None, subtype=None, **when):
        """Fails with an error of OAuth."""
        body = {"error": error, "error_description": description, "error_subtype": subtype}
        return self.answer(status, {name: value for name, value in body.items() if value}, **when)

    def refuse(self, description="Token has been expired or revoked.", subtype=None, **when):
        """Refuses the grant, as after the end of a login."""
        return self.fail(400, "invalid_grant", description, subtype, **when)

    def reauthenticate(self, **when):
        """Refuses the grant as after the session length that an organization sets."""
        return self.refuse("reauth related error (invalid_rapt)", "invalid_rapt", **when)

    def portal(self, **when):
        """Answers with a page of a captive portal."""
        return self.answer(200, PORTAL.encode(), "text/html; charset=utf-8", **when)

    def redirect(self, url, status=302, **when):
        return self.answer(status, b"", "text/html", {"Location": url}, **when)

    def huge(self, length, **when):
        """Answers with JSON of this length in bytes."""
        return self.answer(200, b'{"access_token": "' + b"x" * (length - 20) + b'"}', **when)

    def slow(self, seconds, **when):
        return self.add(delay=seconds, **when)

    def drop(self, **when):
        """Closes the connection without an answer."""
        return self.add(is_dropped=True, **when)

    def cut(self, length, **when):
        """Closes the connection after this many bytes of the body."""
        return self.add(cut=length, **when)

    def change(self, fields, **when):
        """Changes fields of the usual JSON; None removes one."""
        def changed(answer):
            value = json.loads(answer.body) | fields
            kept = {name: each for name, each in value.items() if each is not None}
            return dataclasses.replace(answer, body=json.dumps(kept).encode())

        return self.add(change=changed, **when)
