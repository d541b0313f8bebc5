"""Are compressed answers read, and is their size limited before they are unpacked?"""

import json

import pytest

from support.command import assert_failed, get


def named(trip, name):
    return {**trip, "name": name}


@pytest.mark.parametrize("algorithm", ["gzip", "deflate"])
def test_a_compressed_trip_is_the_same(server, algorithm):
    result = get(server, f"trips/{algorithm}", "-v")
    assert result.code == 0, result.stderr
    assert f"grpc-encoding: {algorithm}" in result.stderr
    plain = json.loads(get(server, "trips/t1").stdout)
    assert json.loads(result.stdout) == named(plain, f"providers/p/trips/{algorithm}")


def test_a_message_that_unpacks_to_too_much_is_too_large(server):
    assert_failed(get(server, "trips/large-gzip"), 72, "RESOURCE_EXHAUSTED", hint="--max-message-size")


def test_it_is_read_when_the_limit_is_raised(server):
    result = get(server, "trips/large-gzip", "--max-message-size", 6 << 20)
    assert result.code == 0, result.stderr
