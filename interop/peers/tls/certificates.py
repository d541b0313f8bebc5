"""Certificates for the tests, created in each session."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass
class Certificate:
    """PEM files: the private key, and the certificate with its chain."""

    key: Path
    chain: Path


@dataclass
class Certificates:
    """A certificate authority and certificates that it issued, except for `self_signed`."""

    authority: Path
    good: Certificate
    rsa: Certificate
    """Like `good`, with an RSA key; all others have elliptic curve keys."""
    wrong_host: Certificate
    expired: Certificate
    not_yet_valid: Certificate
    self_signed: Certificate
    common_name_only: Certificate
    """For localhost as its common name, without subject alternative names."""
    fleet_engine: Certificate
    """For the host of Fleet Engine itself."""
    google: Certificate
    """For Google's token endpoints, the signer of service accounts, Fleet Engine and 127.0.0.1."""
    notes: Certificate
    """For the host of the service in the documentation."""
    wildcard: Certificate
    """For *.fleet.example, f*.part.example and *.example."""
    client: Certificate
    """A client certificate with an intermediate authority."""
    strange_client: Certificate
    """A client certificate of an unknown authority."""
    other_authority: Path
    revoking: Path
    """The authority's list of revoked certificates, which includes `good`."""
    not_revoking: Path
    """An empty list of revoked certificates."""
    outdated_revoking: Path
    """An outdated, empty list of revoked certificates."""


OTHER_HOST = "fleet.example"
GOOGLE_HOSTS = [
    f"{name}.googleapis.com" for name in ("oauth2", "sts", "iamcredentials", "fleetengine", "logging")]


def make_certificates(folder):
    now = datetime.now(timezone.utc)
    here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    there = [x509.DNSName(OTHER_HOST)]
    valid = (now - DAY, now + DAY)
    authority_key, authority = certify("tripwire test authority", [], valid, authority=None)
    other_key, other = certify("another test authority", [], valid, authority=None)
    issuer = (authority_key, authority)
    between = certify("test authority between", [], valid, issuer)

    def save(name, names, validity, authority=issuer, more=b"", common_name=None, key=None):
        key, certificate = certify(
            common_name or name, names, validity, authority, is_authority=False, key=key)
        files = Certificate(folder / f"{name}.key", folder / f"{name}.pem")
        files.key.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        files.key.chmod(0o600)
        files.chain.write_bytes(pem(certificate) + more)
        return files

    def revoke(name, certificates, validity):
        builder = (
            x509.CertificateRevocationListBuilder().issuer_name(authority.subject)
            .last_update(validity[0]).next_update(validity[1]))
        for certificate in certificates:
            serial = x509.load_pem_x509_certificate(certificate.chain.read_bytes()).serial_number
            builder = builder.add_revoked_certificate(
                x509.RevokedCertificateBuilder().serial_number(serial)
                .revocation_date(validity[0]).build())
        path = folder / f"{name}.crl"
        path.write_bytes(builder.sign(authority_key, hashes.SHA256()).public_bytes(
            serialization.Encoding.PEM))
        return path

    (folder / "authority.pem").write_bytes(pem(authority))
    (folder / "other.pem").write_bytes(pem(other))
    good = save("good", here, valid)
    return Certificates(
        authority=folder / "authority.pem",
        good=good,
        rsa=save("rsa", here, valid, key=rsa.generate_private_key(65537, 2048)),
        wrong_host=save("wrong-host", there, valid),
        expired=save("expired", here, (now - 3 * DAY, now - DAY)),
        not_yet_valid=save("not-yet-valid", here, (now + DAY, now + 3 * DAY)),
        self_signed=save("self-signed", here, valid, authority=None),
        common_name_only=save("common-name-only", [], valid, common_name="localhost"),
        fleet_engine=save(
            "fleet-engine", [x509.DNSName("fleetengine.googleapis.com")], valid),
        google=save("google", [*map(x509.DNSName, GOOGLE_HOSTS), *here], valid),
        notes=save("notes", [x509.DNSName("notes.example.com")], valid),
        wildcard=save("wildcard", [x509.DNSName(name) for name in (
            "*.fleet.example", "f*.part.example", "*.example")], valid),
        client=save("client", [], valid, between, more=pem(between[1])),
        strange_client=save("strange-client", [], valid, (other_key, other)),
        other_authority=folder / "other.pem",
        revoking=revoke("revoking", [good], valid),
        not_revoking=revoke("not-revoking", [], valid),
        outdated_revoking=revoke("outdated", [], (now - 9 * DAY, now - 2 * DAY)))


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def certify(name, names, validity, authority, is_authority=True, key=None):
    """Returns a key, new by default, and its certificate, signed by `authority` or by itself if None."""
    key = key or ec.generate_private_key(ec.SECP256R1())
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
