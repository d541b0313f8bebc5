"""Certificates for the tests, made anew in each session."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass
class Certificate:
    """PEM files: the private key, and the certificate with those that vouch for it."""

    key: Path
    chain: Path


@dataclass
class Certificates:
    """A certificate authority and what it has certified, except for `self_signed`."""

    authority: Path
    good: Certificate
    wrong_host: Certificate
    expired: Certificate
    not_yet_valid: Certificate
    self_signed: Certificate
    other_authority: Path


OTHER_HOST = "fleet.example"


def make_certificates(folder):
    now = datetime.now(timezone.utc)
    here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    there = [x509.DNSName(OTHER_HOST)]
    valid = (now - DAY, now + DAY)
    authority_key, authority = certify("tripwire test authority", [], valid, authority=None)
    _, other = certify("another test authority", [], valid, authority=None)
    issuer = (authority_key, authority)

    def save(name, names, validity, authority=issuer):
        key, certificate = certify(name, names, validity, authority, is_authority=False)
        files = Certificate(folder / f"{name}.key", folder / f"{name}.pem")
        files.key.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        files.chain.write_bytes(pem(certificate))
        return files

    (folder / "authority.pem").write_bytes(pem(authority))
    (folder / "other.pem").write_bytes(pem(other))
    return Certificates(
        authority=folder / "authority.pem",
        good=save("good", here, valid),
        wrong_host=save("wrong-host", there, valid),
        expired=save("expired", here, (now - 3 * DAY, now - DAY)),
        not_yet_valid=save("not-yet-valid", here, (now + DAY, now + 3 * DAY)),
        self_signed=save("self-signed", here, valid, authority=None),
        other_authority=folder / "other.pem")


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def certify(name, names, validity, authority, is_authority=True):
    """A new key and its certificate, signed by `authority`, or by itself when that is None."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer_key = authority[0] if authority else key
    issuer = authority[1].subject if authority else subject
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(validity[0]).not_valid_after(validity[1])
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return key, builder.sign(issuer_key, hashes.SHA256())
