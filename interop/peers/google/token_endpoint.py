"""The token endpoints of Google over HTTP: oauth2, sts, and generateAccessToken of iamcredentials.

In a test:  with TokenEndpoint(identities, certificates.google) as endpoint: … endpoint.requests
"""

import base64
import json
import re
import time
import urllib.parse

from peers.tokens import jwts
from peers.google.http_messages import Answer
from peers.google.http_server import HTTPServer
from peers.google.identities import CLOUD_PLATFORM, IAM, LIFETIME, Denied

OAUTH, STS, STS_REFRESH = "/token", "/v1/token", "/v1/oauthtoken"
GENERATE = re.compile(r"/v1/projects/-/serviceAccounts/([^/:]+):generateAccessToken")
AUDIENCE = "https://oauth2.googleapis.com/token"
JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token"
SUBJECT_TOKEN_TYPES = {
    f"urn:ietf:params:oauth:token-type:{name}" for name in ("jwt", "id_token", "id-token", "saml2")}
CODES = {"INVALID_ARGUMENT": 400, "UNAUTHENTICATED": 401, "PERMISSION_DENIED": 403, "NOT_FOUND": 404}
SKEW = 60
"""How far the clock of a client may be ahead, in seconds."""


class Refused(Exception):
    """An error of OAuth."""

    def __init__(self, error, description, status=400):
        super().__init__(description)
        self.answer = Answer.json({"error": error, "error_description": description}, status)


class TokenEndpoint(HTTPServer):
    def __init__(self, identities, certificate=None):
        self.identities = identities
        self.pages = {}
        """Further answers by path, such as the token of an identity provider."""
        self.lifetime = LIFETIME
        """The lifetime of issued tokens in seconds."""
        self.names_users = True
        """Whether a refreshed token comes with an ID token, which has the user's email address."""
        super().__init__(certificate)

    def answer(self, request):
        if page := self.pages.get(request.path):
            return page
        if request.method != "POST":
            return Answer.text("Not Found", 404)
        try:
            fields = request.fields
        except ValueError as error:
            return Answer.json({"error": "invalid_request", "error_description": str(error)}, 400)
        try:
            if found := GENERATE.fullmatch(urllib.parse.unquote(request.path)):
                return self._generate(request, fields, found[1])
            grant = self._grants.get((request.path, fields.get("grant_type")))
            if not grant:
                return Answer.json({
                    "error": "unsupported_grant_type", "error_description": "Invalid grant_type"}, 400)
            return Answer.json(grant(self, request, fields))
        except Refused as refused:
            return refused.answer
        except Denied as denied:
            return failed(denied.status, str(denied), denied.reason)

    def _refresh(self, request, fields):
        user = self.identities.users.get(fields.get("refresh_token"))
        if not user:
            raise Refused("invalid_grant", "Bad Request")
        if (fields.get("client_id"), fields.get("client_secret")) != (user.client_id, user.client_secret):
            raise Refused("invalid_client", "The provided client secret is invalid.", 401)
        issued = self._issued(user.email, fields.get("scope", CLOUD_PLATFORM).split())
        # The logins of gcloud have the scope openid.
        return issued | ({"id_token": unsigned({"email": user.email})} if self.names_users else {})

    def _assertion(self, request, fields):
        try:
            _, claims, _ = jwts.parts(fields.get("assertion", ""))
            account = self.identities.accounts.get(claims.get("iss"))
            if not account:
                raise Refused("invalid_grant", "Invalid grant: account not found")
            claims = jwts.verified(account, fields["assertion"])
        except ValueError:
            raise Refused("invalid_grant", "Invalid JWT Signature.") from None
        # The audience is the URL of the endpoint, whichever address it has.
        if claims.get("aud") not in (AUDIENCE, f"https://{request.headers.get('host')}{request.path}",
                                     f"http://{request.headers.get('host')}{request.path}"):
            raise Refused("invalid_grant", "Invalid JWT: aud must be the URL of this endpoint.")
        now, issued, expires = time.time(), claims.get("iat"), claims.get("exp")
        if not (type(issued) is type(expires) is int and issued <= now + SKEW and now < expires <= issued + 3600):
            raise Refused("invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes) and in a "
                          "reasonable timeframe. Check your iat and exp values in the JWT claim.")
        if not claims.get("scope"):
            raise Refused("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
        return self._issued(account.email, claims["scope"].split())

    def _exchange(self, request, fields):
        subject = self.identities.subjects.get(fields.get("subject_token"))
        if not subject:
            raise Refused("invalid_grant", "The subject token is invalid.")
        if not fields.get("audience", "").startswith("//iam.googleapis.com/"):
            raise Refused("invalid_target", "Invalid value for \"audience\".")
        if (fields.get("requested_token_type") != ACCESS_TOKEN_TYPE
                or fields.get("subject_token_type") not in SUBJECT_TOKEN_TYPES):
            raise Refused("invalid_request", "Invalid token type.")
        if not fields.get("scope"):
            raise Refused("invalid_scope", "Scope is required.")
        return self._issued(subject, fields["scope"].split()) | {"issued_token_type": ACCESS_TOKEN_TYPE}

    def _refresh_federated(self, request, fields):
        user = self.identities.users.get(fields.get("refresh_token"))
        if not user:
            raise Refused("invalid_grant", "The refresh token is invalid.")
        password = base64.b64encode(f"{user.client_id}:{user.client_secret}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {password}":
            raise Refused("invalid_client", "The client is unauthorized.", 401)
        return self._issued(user.email, [CLOUD_PLATFORM])

    _grants = {
        (OAUTH, "refresh_token"): _refresh, (OAUTH, JWT_GRANT): _assertion,
        (STS, EXCHANGE_GRANT): _exchange, (STS_REFRESH, "refresh_token"): _refresh_federated,
    }

    def _issued(self, principal, scopes):
        return {"access_token": self.identities.issue(principal, scopes, self.lifetime),
                "expires_in": self.lifetime, "scope": " ".join(scopes), "token_type": "Bearer"}

    def _generate(self, request, fields, email):
        principal = self.identities.principal(request.headers.get("authorization"), CLOUD_PLATFORM, IAM)
        scopes, delegates = fields.get("scope") or [], fields.get("delegates") or []
        lifetime = re.fullmatch(r"([0-9]+)s", fields.get("lifetime", "3600s"))
        if not isinstance(scopes, list) or not scopes:
            return failed("INVALID_ARGUMENT", "Scopes must be provided.")
        if not lifetime or not 0 < int(lifetime[1]) <= 43200:
            return failed("INVALID_ARGUMENT", "Invalid lifetime.")
        # gcloud writes email addresses into credentials files, which clients send unchanged.
        delegates = [each.removeprefix("projects/-/serviceAccounts/") for each in delegates]
        if not self.identities.may_create(principal, delegates, email):
            permission = "iam.serviceAccounts.getAccessToken"
            return failed("PERMISSION_DENIED",
                          f"Permission '{permission}' denied on resource (or it may not exist).",
                          "IAM_PERMISSION_DENIED", "iam.googleapis.com", permission=permission)
        seconds = int(lifetime[1])
        return Answer.json({
            "accessToken": self.identities.issue(email, scopes, seconds),
            "expireTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))})


def unsigned(claims):
    """Returns a JWT that clients can read, but not verify."""
    def encoded(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{encoded({'alg': 'RS256'})}.{encoded(claims)}.{encoded('signature')}"


def failed(status, message, reason=None, domain="googleapis.com", **metadata):
    """Returns an error of a Google API in JSON."""
    error = {"code": CODES[status], "message": message, "status": status}
    if reason:
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason,
                             "domain": domain, "metadata": metadata}]
    return Answer.json({"error": error}, CODES[status])
