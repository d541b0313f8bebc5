"""Are compressed responses read, and is their size limited during decompression?"""

import json

import pytest

from support.command import assert_failed, get


def named(trip, name):
    return {**trip, "name": name}


@pytest.mark.parametrize("algorithm", ["gzip", "deflate"])
def test_compressed_trip_equals_the_uncompressed_one(server, algorithm):
    result = get(server, f"trips/{algorithm}", "-v")
    assert result.code == 0, result.stderr
    assert f"grpc-encoding: {algorithm}" in result.stderr
    plain = json.loads(get(server, "trips/t1").stdout)
    assert json.loads(result.stdout) == named(plain, f"providers/p/trips/{algorithm}")


def test_message_too_large_after_decompression_is_rejected(server):
    assert_failed(get(server, "trips/large-gzip"), 72, "RESOURCE_EXHAUSTED", hint="--max-message-size")


def test_large_compressed_message_is_read_with_a_raised_limit(server):
    result = get(server, "trips/large-gzip", "--max-message-size", 6 << 20)
    assert result.code == 0, result.stderr
