"""The test service, with server reflection."""

import pytest

from peers.servers.reflecting import V1, V1ALPHA, reflecting_test_service


@pytest.fixture(scope="module")
def address(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1ALPHA) as address:
        yield address


@pytest.fixture(scope="module")
def both(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes(), V1, V1ALPHA) as address:
        yield address
