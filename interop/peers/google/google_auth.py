"""Gets access tokens with PyPI's google-auth in a separate process, whose connections are redirected.

In a test:  outcome = google_auth(cloud, **variables); … outcome.token
"""

import json
import subprocess
import sys
from dataclasses import dataclass

from support.command import LONGEST
from support.paths import INTEROP

PROGRAM = INTEROP / "peers" / "google" / "google_auth_process.py"


@dataclass
class Outcome:
    token: str | None = None
    expires_in: float | None = None
    """The remaining lifetime in seconds; None if unknown."""
    quota_project: str | None = None
    error: str | None = None


def google_auth(routes, authority, variables):
    """Refreshes the default credentials once, without pauses before retries. `variables` is the whole environment.

    `routes` has loopback ports by host, for port 443. Other connections fail, except to loopback.
    """
    done = subprocess.run(
        [sys.executable, PROGRAM], capture_output=True, timeout=LONGEST,
        env=variables | {"REQUESTS_CA_BUNDLE": str(authority), "TEST_ROUTES": json.dumps(routes)})
    assert done.returncode == 0, done.stderr.decode()
    return Outcome(**json.loads(done.stdout))
