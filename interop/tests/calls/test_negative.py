"""Does our client survive servers that do wrong, each with the status it deserves?

The cases are in peers/negative. One process of the client meets them all.
"""

import pytest

from support.interop_client import command
from peers.negative.cases import CASES
from peers.negative.driver import Driver
from peers.negative.run import run
from peers.negative.server import ScriptedServer


pytestmark = pytest.mark.interop("scripted h2")
BY_NAME = {case.name: case for case in CASES}


@pytest.fixture(scope="module")
def driver():
    with Driver(command("drive")) as driver:
        yield driver


@pytest.fixture(scope="module")
def good_port(driver):
    """The port of a good server to which the driver has a channel."""
    with ScriptedServer() as server:
        [outcome] = driver.calls(server.port)
        assert outcome["code"] == "OK", outcome
        yield server.port
        driver.close(server.port)


@pytest.mark.parametrize("case", BY_NAME)
def test_case(case, driver, good_port):
    wrong = run(BY_NAME[case], driver, good_port)
    assert not wrong, "\n".join(wrong)


def test_memory_stays_flat(driver, good_port):
    """The last of all: by now the client has met everything."""
    some = CASES[::7]

    def round_of_calls():
        for case in some:
            run(case, driver, good_port)
        return driver.memory

    # What the allocator keeps for itself grows at first.
    first = [round_of_calls() for _ in range(2)][-1]
    later = [round_of_calls() for _ in range(2)][-1]
    assert later - first < 4 << 20, f"{first} bytes became {later}"


def test_names_are_unique():
    assert len(BY_NAME) == len(CASES)
