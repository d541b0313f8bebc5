"""Gets access tokens with PyPI's google-auth in a separate process, whose connections are redirected.

In a test:  outcome = google_auth(cloud, **variables); … outcome.token
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from support.command import LONGEST
from support.paths import INTEROP


@dataclass
class Outcome:
    token: str | None = None
    expires_in: float | None = None
    """The remaining lifetime in seconds; None if unknown."""
    quota_project: str | None = None
    kind: str | None = None
    """The class of the credentials."""
    error: str | None = None


def google_auth(routes, authority, variables):
    """Refreshes the default credentials once; `variables` is the whole environment.

    `routes` has loopback ports by host, for port 443. Other connections fail, except to loopback.
    """
    done = subprocess.run(
        [sys.executable, "-m", "peers.google.google_auth"], cwd=INTEROP, capture_output=True, timeout=LONGEST,
        env=variables | {"REQUESTS_CA_BUNDLE": str(authority), "TEST_ROUTES": json.dumps(routes)})
    assert done.returncode == 0, done.stderr.decode()
    return Outcome(**json.loads(done.stdout))


def redirect(routes):
    from urllib3.util import connection

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
    import google.auth
    from google.auth import _helpers
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import Request

    redirect(json.loads(os.environ.pop("TEST_ROUTES")))
    outcome = Outcome()
    try:
        credentials, _ = google.auth.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])
        outcome.kind = f"{type(credentials).__module__}.{type(credentials).__name__}"
        outcome.quota_project = credentials.quota_project_id
        credentials.refresh(Request())
        outcome.token = credentials.token
        if credentials.expiry:
            outcome.expires_in = (credentials.expiry - _helpers.utcnow()).total_seconds()
    except (GoogleAuthError, ValueError) as error:
        outcome.error = f"{type(error).__name__}: {error}"
    json.dump(vars(outcome), sys.stdout)


if __name__ == "__main__":
    main()
