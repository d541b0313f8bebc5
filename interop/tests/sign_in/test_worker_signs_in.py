"""Does a worker of a relay call with access tokens, and with tokens that Google signs?"""

import json

import pytest

from support.nats.server import NATSServer
from support.relay import Process, Reader, relay


@pytest.fixture
def nats(tmp_path):
    folder = tmp_path / "nats"
    folder.mkdir()
    with NATSServer(folder) as server:
        yield server


@pytest.mark.parametrize("signs", [False, True], ids=["access token", "signed"])
def test_worker_signs_in(cloud, cast, user_file, nats, signs):
    name = cloud.fleet.trip_name("t1")
    signing = ["--sign-as", cast.signer.email] if signs else []
    with Process(nats, "work", "--interval", "200ms", "--access-token", user_file, *signing, *cloud.options), \
            Reader(nats, name) as reader:
        assert relay(nats, "want", "--pin", name).code == 0
        reader.until(lambda state: state.trip.name == name)
    assert len(cloud.tokens.requests) == 1
    if signs:
        (call,) = cloud.signer.calls
        assert json.loads(call.payload)["authorization"] == {"tripid": "t1"}
    else:
        (token,) = set(cloud.guard.tokens)
        assert cloud.identities.tokens[token].principal == cast.user.email
