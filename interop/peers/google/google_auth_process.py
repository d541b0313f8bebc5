"""Refreshes the default credentials with google-auth and prints the outcome as JSON.

TEST_ROUTES has loopback ports by host, for port 443.
"""

import json
import os
import sys
from types import SimpleNamespace

import google.auth
from google.auth import _exponential_backoff, _helpers
from google.auth.transport.requests import Request
from urllib3.util import connection


def redirect(routes):
    connect = connection.create_connection

    def redirected(address, *arguments, **more):
        host, port = address
        if port == 443 and host in routes:
            return connect(("127.0.0.1", routes[host]), *arguments, **more)
        if host in ("127.0.0.1", "localhost"):
            return connect(address, *arguments, **more)
        raise OSError(f"the test has no route to {host}:{port}")

    connection.create_connection = redirected


def main():
    redirect(json.loads(os.environ.pop("TEST_ROUTES")))
    _exponential_backoff.time = SimpleNamespace(sleep=lambda seconds: None)
    outcome = {}
    try:
        credentials, _ = google.auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])
        outcome["quota_project"] = credentials.quota_project_id
        credentials.refresh(Request())
        outcome["token"] = credentials.token
        if credentials.expiry:
            outcome["expires_in"] = (credentials.expiry - _helpers.utcnow()).total_seconds()
    except Exception as error:
        outcome["error"] = f"{type(error).__name__}: {error}"
    json.dump(outcome, sys.stdout)


if __name__ == "__main__":
    main()
