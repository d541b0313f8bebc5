"""Calls over TLS."""

from support.command import PATIENT, tripwire


def get(port, certificates, *arguments, host="localhost", name="trips/t1", timeout=PATIENT, **more):
    return tripwire(
        "get", f"providers/p/{name}", "--endpoint", f"{host}:{port}", "--cacert",
        certificates.authority, "--timeout", timeout, "--retries", 0, *arguments, **more)
