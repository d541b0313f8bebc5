"""Requests and answers of the HTTP servers."""

import json
import time
import urllib.parse
from dataclasses import dataclass, field


@dataclass
class Request:
    method: str
    path: str
    """The path without the query."""
    query: dict
    headers: dict
    """The header fields by name, in lower case."""
    body: bytes
    is_secure: bool
    time: float = field(default_factory=time.time)
    status: int | None = None
    """The status of the answer; None if the connection was closed without one."""

    @property
    def host(self):
        """The host name in the request, without a port."""
        return self.headers.get("host", "").partition(":")[0]

    @property
    def fields(self):
        """The fields of the JSON object or form in the body. A field that appears twice is an error."""
        kind = self.headers.get("content-type", "").partition(";")[0]
        if kind == "application/json":
            value = json.loads(self.body, object_pairs_hook=unique)
            if not isinstance(value, dict):
                raise ValueError("the body is no JSON object")
            return value
        if kind == "application/x-www-form-urlencoded":
            return unique(urllib.parse.parse_qsl(
                self.body.decode(), keep_blank_values=True, strict_parsing=bool(self.body)))
        if self.body:
            raise ValueError(f"the body has the content type {kind!r}")
        return {}


def unique(pairs):
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field appears twice")
    return fields


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    content_type: str = "application/json; charset=UTF-8"
    headers: dict = field(default_factory=dict)

    @classmethod
    def json(cls, value, status=200):
        return cls(status, json.dumps(value, indent=2).encode())

    @classmethod
    def text(cls, text, status=200, content_type="text/html; charset=UTF-8", **headers):
        return cls(status, text.encode(), content_type, headers)
