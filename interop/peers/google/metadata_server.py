"""The metadata server of Google Cloud's machines, with a service account.

In a test:  with MetadataServer(identities) as metadata: metadata.account = account … GCE_METADATA_HOST=metadata.address
"""

from peers.google.http_messages import Answer
from peers.google.http_server import HTTPServer
from peers.google.identities import CLOUD_PLATFORM, LIFETIME

ROOT = "/computeMetadata/v1/"
ACCOUNT = f"{ROOT}instance/service-accounts/default/"
TOKEN, EMAIL = f"{ACCOUNT}token", f"{ACCOUNT}email"
GOOGLE = {"Metadata-Flavor": "Google", "Server": "Metadata Server for VM"}


class MetadataServer(HTTPServer):
    def __init__(self, identities):
        super().__init__()
        self.identities, self.account = identities, None
        """Without an account, its paths are not found."""

    @property
    def token_requests(self):
        return [request for request in self.requests if request.path == TOKEN]

    def answer(self, request):
        if request.headers.get("metadata-flavor") != "Google" or "x-forwarded-for" in request.headers:
            return Answer.text("Missing Metadata-Flavor:Google header.", 403, **GOOGLE)
        if request.path in ("", "/"):
            return text("computeMetadata/\n")
        if request.path == f"{ROOT}project/project-id":
            return text("p")
        if request.path == f"{ROOT}universe/universe-domain":
            return text("googleapis.com")
        if self.account:
            if request.path == TOKEN:
                return self._token(request.query.get("scopes"))
            if request.path == EMAIL:
                return text(self.account.email)
            if request.path == ACCOUNT and request.query.get("recursive") == "true":
                return json({"aliases": ["default"], "email": self.account.email, "scopes": [CLOUD_PLATFORM]})
        return Answer.text("<h1>Not Found</h1>", 404, **GOOGLE)

    def _token(self, scopes):
        scopes = scopes.split(",") if scopes else [CLOUD_PLATFORM]
        return json({"access_token": self.identities.issue(self.account.email, scopes),
                     "expires_in": LIFETIME, "token_type": "Bearer"})


def text(content):
    return Answer.text(content, content_type="application/text", **GOOGLE)


def json(value):
    answer = Answer.json(value)
    return Answer(answer.status, answer.body, "application/json", GOOGLE)
