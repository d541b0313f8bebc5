"""Calls methods over HTTP with JSON."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass

from support.command import LONGEST


@dataclass
class Response:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        assert self.headers["content-type"] == "application/json; charset=UTF-8"
        error = self.json["error"]
        assert error["code"] == self.status
        return error


def request(url, method, path, body=None, **headers):
    """Sends a request, whose body is JSON unless it is bytes."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    if body is not None:
        headers = {"content-type": "application/json"} | headers
    sent = urllib.request.Request(url + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(sent, timeout=LONGEST) as answer:
            return Response(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        return Response(error.code, error.headers, error.read())
