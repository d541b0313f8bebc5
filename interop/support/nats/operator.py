"""Operators, accounts and users of NATS: JWTs that nkeys sign, without nsc.

https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt
"""

import base64
import binascii
import json
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# The first byte of each kind of key: its letter is the first of the text.
SEED, OPERATOR, ACCOUNT, USER = 18 << 3, 14 << 3, 0, 20 << 3


class Key:
    def __init__(self, kind):
        self._kind, self._key = kind, Ed25519PrivateKey.generate()

    @property
    def public(self):
        return encoded(bytes([self._kind]) + self._key.public_key().public_bytes_raw())

    @property
    def seed(self):
        first = bytes([SEED | self._kind >> 5, (self._kind & 31) << 3])
        return encoded(first + self._key.private_bytes_raw())

    def token(self, key, name, claims):
        """A JWT that says something about another key."""
        parts = [
            {"typ": "JWT", "alg": "ed25519-nkey"},
            {"jti": name, "iat": int(time.time()), "iss": self.public, "sub": key.public, "name": name,
             "nats": claims | {"version": 2}}]
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        return f"{text}.{base64url(self._key.sign(text.encode()))}"


class Operator:
    """The configuration of a server in operator mode, and the credentials of a user."""

    def __init__(self):
        self._key, self._account = Key(OPERATOR), Key(ACCOUNT)
        system = Key(ACCOUNT)
        unlimited = dict.fromkeys(
            ["subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage",
             "streams", "consumer"], -1) | {"wildcards": True}
        none = dict.fromkeys(["mem_storage", "disk_storage", "streams", "consumer"], 0)
        self.configuration = "\n".join([
            f"operator: {self._key.token(self._key, 'operator', {'type': 'operator'})}",
            f"system_account: {system.public}", "resolver: MEMORY", "resolver_preload: {",
            *(f"  {key.public}: {self._key.token(key, name, {'type': 'account', 'limits': limits})}"
              for key, name, limits in [
                  (self._account, "fleet", unlimited), (system, "system", unlimited | none)]),
            "}\n"])

    def credentials(self, path, **claims):
        """Writes the file of a new user."""
        user = Key(USER)
        claims = {"type": "user", "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1} | claims
        token = self._account.token(user, "worker", claims)
        path.write_text(
            f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.seed}\n------END USER NKEY SEED------\n")
        path.chmod(0o600)
        return path


def encoded(data):
    """An nkey: its bytes and their CRC-16 in Base32."""
    checksum = binascii.crc_hqx(data, 0).to_bytes(2, "little")
    return base64.b32encode(data + checksum).decode().rstrip("=")


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
