"""A guard of the simulated fleet that accepts what Fleet Engine accepts: access tokens and JWTs.

In a test:  fleet.guard = CloudGuard(identities)
"""

import threading

from peers.fleet.serving import jwts
from peers.fleet.serving.guard import Guard, bearer, denied, unauthenticated
from peers.google.identities import CLOUD_PLATFORM, Denied


class CloudGuard:
    """Accepts all access tokens of the scope, and JWTs that a service account signed, if their
    claims allow the call. It records the tokens and the projects for quota."""

    def __init__(self, identities):
        self._identities = identities
        self._lock, self._guards = threading.Lock(), {}
        self.tokens = []
        """The token of each call."""
        self.quota_projects = []
        """The value of x-goog-user-project in each call; None without it."""

    def check(self, metadata, claim, wanted):
        """Raises Refused unless the call has a valid token that allows `wanted`."""
        token = bearer(metadata)
        with self._lock:
            self.tokens.append(token)
            self.quota_projects.append(dict(metadata).get("x-goog-user-project"))
        if token.count(".") == 2 and token.startswith("eyJ"):
            self._guard(token).check(metadata, claim, wanted)
        else:
            self._check_access(token)

    def _check_access(self, token):
        try:
            self._identities.principal(f"Bearer {token}", CLOUD_PLATFORM)
        except Denied as refused:
            if refused.status == "PERMISSION_DENIED":
                raise denied(str(refused), refused.reason) from None
            raise unauthenticated(refused.reason, str(refused)) from None

    def _guard(self, token):
        """Returns the guard for tokens of the account that issued this one."""
        try:
            account = self._identities.accounts[jwts.parts(token)[1]["iss"]]
        except (ValueError, KeyError):
            raise denied("The JWT is invalid: it cannot be read.") from None
        with self._lock:
            # A guard remembers the tokens that it has verified.
            if account.email not in self._guards:
                self._guards[account.email] = Guard(account)
            return self._guards[account.email]
