"""A service account with a key file as the Cloud console creates it, and the tokens it signs."""

import json
import time
import uuid
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt

from peers.tokens import jwts

AUDIENCE = "https://fleetengine.googleapis.com/"


class ServiceAccount:
    def __init__(self, info):
        """`info` is the content of a key file."""
        self.info = info
        self._signer = crypt.RSASigner.from_service_account_info(info)

    @classmethod
    def make(cls, project="p"):
        """Creates an account with a new key."""
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        email = f"fleet@{project}.iam.gserviceaccount.com"
        return cls({
            "type": "service_account",
            "project_id": project,
            "private_key_id": uuid.uuid4().hex,
            "private_key": key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption()).decode(),
            "client_email": email,
            "client_id": str(uuid.uuid4().int)[:21],
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": "https://oauth2.googleapis.com/token",
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "client_x509_cert_url":
                "https://www.googleapis.com/robot/v1/metadata/x509/" + email.replace("@", "%40"),
            "universe_domain": "googleapis.com",
        })

    def save(self, path):
        path = Path(path)
        path.touch(mode=0o600)
        path.write_text(json.dumps(self.info, indent=2) + "\n")
        return path

    @property
    def email(self):
        return self.info["client_email"]

    @property
    def key_id(self):
        return self.info["private_key_id"]

    @property
    def public_key(self):
        return jwts.private_key(self.info["private_key"]).public_key()

    def mint(self, trip_id="*", lifetime=3600, issued=None, **claims):
        """Returns a signed token for a trip. `claims` replace the default claims; None removes one."""
        issued = time.time() if issued is None else issued
        payload = {
            "iss": self.email, "sub": self.email, "aud": AUDIENCE, "iat": int(issued),
            "exp": int(issued + lifetime), "authorization": {"tripid": trip_id}} | claims
        return jwt.encode(
            self._signer, {name: value for name, value in payload.items() if value is not None},
            key_id=self.key_id).decode()
