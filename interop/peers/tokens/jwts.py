"""Signs and verifies JWTs with RS256."""

import base64
import functools
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key


def sign(account, payload, key_id=None):
    """Returns a JWT with this payload, a JSON text, signed by a service account."""
    header = json.dumps({"alg": "RS256", "kid": key_id or account.key_id, "typ": "JWT"})
    signed = f"{encoded(header.encode())}.{encoded(payload.encode())}"
    signature = private_key(account.info["private_key"]).sign(signed.encode(), padding.PKCS1v15(), SHA256())
    return f"{signed}.{encoded(signature)}"


@functools.cache
def private_key(pem):
    # It is checked when it is loaded, which takes much longer than a signature.
    return load_pem_private_key(pem.encode(), None)


def parts(token):
    """Returns header and claims of a JWT, which is not verified, and its signature; raises ValueError."""
    try:
        header, claims, signature = map(decoded, token.split("."))
        header, claims = json.loads(header), json.loads(claims)
    except ValueError:
        raise ValueError("it cannot be read") from None
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise ValueError("it cannot be read")
    return header, claims, signature


def verified(account, token):
    """Returns the claims of a JWT that the service account signed; raises ValueError."""
    header, claims, signature = parts(token)
    if (header.get("alg"), header.get("kid")) != ("RS256", account.key_id):
        raise ValueError("it is not signed with a key of this project")
    try:
        account.public_key.verify(
            signature, token.rpartition(".")[0].encode(), padding.PKCS1v15(), SHA256())
    except InvalidSignature:
        raise ValueError("its signature is wrong") from None
    return claims


def encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
