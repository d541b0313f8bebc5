"""Faults of the signer: values for `Signer.fault`."""

import itertools
import json
import threading

from google.rpc import error_details_pb2

from peers.google.signer import Failed, SignJwtResponse, denied_permission, not_found


def fails(code, message="failed on purpose", *details, times=None):
    """Fails all calls, or the first `times`, with a code name and details of google.rpc."""
    return limited(times, lambda request, call: raised(Failed(code, message, *details)))


def denies(times=None):
    """Lacks the permission iam.serviceAccounts.signJwt."""
    return limited(times, lambda request, call: raised(denied_permission()))


def knows_no_account():
    return lambda request, call: raised(not_found(call.account))


def exceeds_quota(seconds=None, times=None):
    """Fails with RESOURCE_EXHAUSTED, and a RetryInfo with this delay if given."""
    details = []
    if seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMicroseconds(round(seconds * 1e6))
        details = [retry]
    return fails("RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Generate credentials requests'.",
                 *details, times=times)


def answers(**fields):
    """Answers with these fields, such as `signed_jwt="no JWT"`."""
    return lambda request, call: SignJwtResponse(**fields)


class Outage:
    """Fails with UNAVAILABLE, or without an answer if `hangs`, until its end."""

    def __init__(self, hangs=False):
        self._hangs, self._over = hangs, threading.Event()

    def __call__(self, request, call):
        if self._hangs:
            self._over.wait()
        elif not self._over.is_set():
            raise Failed("UNAVAILABLE", "The service is currently unavailable.")

    def end(self):
        self._over.set()


def signs(signer, key_id=None, **claims):
    """Signs other claims than the requested ones, or with another key ID in the header and the answer."""
    return lambda request, call: signer.signed(
        request, call, json.dumps(call.claims | claims), key_id)


def limited(times, fault):
    count = itertools.count()
    return lambda request, call: fault(request, call) if times is None or next(count) < times else None


def raised(error):
    raise error
