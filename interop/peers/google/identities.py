"""Users and service accounts of a Google Cloud for tests, and the access tokens that its servers issue."""

import secrets
import threading
import time
from dataclasses import dataclass, field

from peers.tokens.service_account import ServiceAccount

CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform"
IAM = "https://www.googleapis.com/auth/iam"
LIFETIME = 3599
"""The lifetime of an access token in seconds."""


@dataclass
class User:
    """A user who has logged in, with the OAuth client of the login."""

    email: str
    client_id: str = "764086051850-test.apps.googleusercontent.com"
    client_secret: str = field(default_factory=lambda: "GOCSPX-" + secrets.token_urlsafe(21))
    refresh_token: str = field(default_factory=lambda: "1//" + secrets.token_urlsafe(70))


@dataclass
class AccessToken:
    text: str
    principal: str
    """The email address of a user or service account, or the subject of a federated identity."""
    scopes: list
    expires: float
    """In seconds since 1970."""


class Denied(Exception):
    """An access token that is missing, unknown, expired or not for a scope."""

    def __init__(self, status, reason, message):
        super().__init__(message)
        self.status, self.reason = status, reason
        """The status as gRPC names it, and the reason of the ErrorInfo."""


class Identities:
    def __init__(self):
        self._lock = threading.Lock()
        self.users = {}
        """Users by refresh token."""
        self.accounts = {}
        """Service accounts by email address."""
        self.subjects = {}
        """The subjects of federated identities by the token of their identity provider."""
        self.tokens = {}
        """The issued access tokens by their text."""
        self._creators = set()

    def add_user(self, email="anna@example.com"):
        user = User(email)
        self.users[user.refresh_token] = user
        return user

    def add_account(self, name, project="p", key_of=None):
        """Adds a service account with a new key, or with the key of another account."""
        account = ServiceAccount.make(project) if key_of is None else key_of
        email = f"{name}@{project}.iam.gserviceaccount.com"
        account = ServiceAccount(account.info | {"client_email": email})
        self.accounts[email] = account
        return account

    def add_subject(self, name="workload"):
        """Adds a federated identity; returns the token of its identity provider."""
        token = f"subject.{secrets.token_urlsafe(40)}"
        self.subjects[token] = f"principal://iam.googleapis.com/{name}"
        return token

    def allow(self, principal, *accounts):
        """Makes a principal, given as such or by email address, a Token Creator of these accounts."""
        for account in accounts:
            self._creators.add((getattr(principal, "email", principal), account.email))

    def forbid(self, principal, *accounts):
        """Undoes `allow`."""
        for account in accounts:
            self._creators.discard((getattr(principal, "email", principal), account.email))

    def may_create(self, principal, delegates, email):
        """Whether the principal may get tokens of an account through these delegates."""
        chain = [principal, *delegates, email]
        return all(step in self._creators for step in zip(chain, chain[1:]))

    def issue(self, principal, scopes=(CLOUD_PLATFORM,), lifetime=LIFETIME):
        """Returns a new access token."""
        token = AccessToken(
            f"ya29.{secrets.token_urlsafe(120)}", principal, list(scopes), time.time() + lifetime)
        with self._lock:
            self.tokens[token.text] = token
        return token.text

    def principal(self, authorization, *scopes):
        """Returns who has the access token in a header field; raises Denied unless it has one of the scopes."""
        kind, _, text = (authorization or "").partition(" ")
        if kind.lower() != "bearer" or not text:
            raise Denied("UNAUTHENTICATED", "CREDENTIALS_MISSING",
                         "Request is missing required authentication credential.")
        token = self.tokens.get(text)
        if token is None or token.expires <= time.time():
            raise Denied("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED" if token else "ACCESS_TOKEN_TYPE_UNSUPPORTED",
                         "Request had invalid authentication credentials.")
        if not set(scopes) & set(token.scopes):
            raise Denied("PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
                         "Request had insufficient authentication scopes.")
        return token.principal

    def secrets(self):
        """Returns all secrets: tokens, client secrets and lines of private keys."""
        found = [*self.users, *(user.client_secret for user in self.users.values()), *self.subjects, *self.tokens]
        for account in self.accounts.values():
            found += [line for line in account.info["private_key"].splitlines()[1:-1] if len(line) > 16]
        return found
