"""Does the emulator survive any request, over gRPC and HTTP, and keep its memory?"""

import http.client
import os
import random
import time
from urllib.parse import quote, urlsplit

import grpc
import pytest
from google.protobuf import json_format

from peers.fleet.methods import METHODS
from support.emulator import emulating
from support.fleet_model import Model
from support.memory import resident_memory
from support.mutation import mutated
from support.random_calls import RandomRequests, request_of

DEADLINE = 60
"""In seconds, for one call. A busy machine does not reach it."""
ANSWERS = {"OK", "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION", "RESOURCE_EXHAUSTED"}
STATUSES = {200, 400, 404, 409, 413, 429}
MOST_MEMORY = 400e6
"""In bytes. Each call may add a resource of some kilobytes."""
PATHS = [
    "/v1/providers/p/trips?tripId=t1", "/v1/providers/p/trips/t1", "/v1/providers/p/trips/t1?updateMask=tripStatus",
    "/v1/providers/p/trips:search", "/v1/providers/p/billableTrips/b1:report", "/v1/providers/p/vehicles?vehicleId=v1",
    "/v1/providers/p/vehicles/v1?waypointsVersion=2026-01-01T00:00:00Z", "/v1/providers/p/vehicles:search",
    "/v1/providers/p/vehicles/v1:updateAttributes", "/v1/providers/p/tasks?taskId=k1", "/v1/providers/p/tasks/k1",
    "/v1/providers/p/tasks:batchCreate", "/v1/providers/p/deliveryVehicles/d1?updateMask=attributes",
    "/v1/providers/p/taskTrackingInfo/x1", "/emulator/v1/providers/p/vehicles/v1:drive"]


class Fuzzer:
    def __init__(self, emulator, seed):
        self.dice, self._pid = random.Random(seed), emulator.process.pid
        self._requests = RandomRequests(self.dice, Model(time.time()))
        self._address, self._channel = urlsplit(emulator.url).netloc, grpc.insecure_channel(emulator.address)
        self._http = http.client.HTTPConnection(self._address, timeout=DEADLINE)

    def run(self, seconds):
        """Makes calls for some time; returns their number, and the memory of the emulator in bytes."""
        made, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            method, fields = self._requests.next()
            request = request_of(method, fields)
            # Half of the requests are valid, so that resources exist.
            data = request.SerializeToString()
            self._call(method, data if self.dice.random() < 0.5 else mutated(data, self.dice))
            self._request(request)
            made += 2
        self._channel.close(), self._http.close()
        return made, resident_memory(self._pid)

    def _call(self, method, data):
        try:
            self._channel.unary_unary(METHODS[method].path)(data, timeout=DEADLINE)
        except grpc.RpcError as error:
            assert error.code().name in ANSWERS, (method, data, error.details())

    def _request(self, message):
        verb, path = self.dice.choice(["GET", "POST", "PUT", "PATCH", "DELETE"]), self.dice.choice(PATHS).encode()
        body = json_format.MessageToJson(message, indent=None).encode()
        path = mutated(path, self.dice) if self.dice.random() < 0.5 else path
        body = mutated(body, self.dice) if self.dice.random() < 0.5 else body
        target = quote(b"/" + path.lstrip(b"/"), safe="/?&=:%")
        self._http.request(verb, target, body, {"content-type": "application/json"})
        answer = self._http.getresponse()
        content = answer.read()
        assert answer.status in STATUSES, (verb, path, body, answer.status, content)


def fuzz(seed, seconds):
    with emulating("--rest", "127.0.0.1:0", "--seed", "demo", "--deliveries", "1") as emulator:
        made, used = Fuzzer(emulator, seed).run(seconds)
        assert emulator.process.poll() is None
        assert used < MOST_MEMORY, f"{used / 1e6:.0f} MB after {made} calls"
        return made, used


def test_any_bytes_are_answered():
    assert fuzz(seed=1, seconds=8)[0] > 0


@pytest.mark.long
def test_any_bytes_are_answered_for_long():
    """Runs for FUZZ_MINUTES, 10 by default."""
    seed = random.randrange(10**9)
    made, used = fuzz(seed, 60 * float(os.environ.get("FUZZ_MINUTES", 10)))
    print(f"seed {seed}: {made} calls, {used / 1e6:.0f} MB")
