"""Do routing rules, timeouts and the retry policy match Google's own clients?"""

import json

import pytest
from google.api import routing_pb2
from google.api_core import exceptions

from support.paths import PROTOS
from descriptors.apis import APIS

each_api = pytest.mark.parametrize("api", APIS, ids=str)


def seconds(text):
    assert text.endswith("s")
    return float(text[:-1])


def our_config(api):
    """Returns the timeout in seconds and the retry policy by method path."""
    return {
        f"/{name['service']}/{name['method']}": (seconds(config["timeout"]), config["retryPolicy"])
        for config in json.loads((PROTOS / api.config_path).read_text())["methodConfig"]
        for name in config["name"]
    }


@each_api
def test_timeouts_and_retries_equal_those_of_pypi(api):
    ours, theirs = our_config(api), api.their_config()
    assert len(theirs) == api.methods
    assert set(ours) == {path for path, (_, retry) in theirs.items() if retry}
    for path, (timeout, policy) in ours.items():
        their_timeout, retry = theirs[path]
        assert timeout == getattr(their_timeout, "_timeout", their_timeout)
        assert seconds(policy["initialBackoff"]) == retry._initial
        assert seconds(policy["maxBackoff"]) == retry._maximum
        assert policy["backoffMultiplier"] == retry._multiplier
        assert policy["maxAttempts"] == 5
        assert policy["retryableStatusCodes"] == ["UNAVAILABLE"]
        assert retry._predicate(exceptions.ServiceUnavailable("down"))
        assert not retry._predicate(exceptions.DeadlineExceeded("late"))


@each_api
def test_every_method_is_routed_by_the_provider(our_files, api):
    ours = {
        f"/{file.package}.{service.name}/{method.name}":
            method.options.Extensions[routing_pb2.routing].routing_parameters
        for file in our_files if file.name in api.paths
        for service in file.service for method in service.method
    }
    assert len(ours) == api.methods
    assert {path: parameter.field for path, [parameter] in ours.items()} == api.their_routing()
    for [parameter] in ours.values():
        assert parameter.path_template == "{provider_id=providers/*}"
