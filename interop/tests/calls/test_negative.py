"""Does our client survive servers that do wrong, each with the status it deserves?

The cases are in peers/negative. Each of its modules is a class of tests here, which pytest-xdist runs
beside the others; one process of the client meets all the cases of a class.
"""

import pytest

from peers.negative.cases import (
    answers, attacks, floods, flow, frames, going_away, header_lists, messages, resets, sockets,
    statuses)
from peers.negative.cases import CASES
from peers.negative.driver import Driver
from peers.negative.run import run
from peers.negative.server import ScriptedServer
from support.interop_client import command


pytestmark = pytest.mark.interop("scripted h2")
BY_NAME = {case.name: case for case in CASES}


@pytest.fixture(scope="class")
def driver():
    with Driver(command("drive")) as driver:
        yield driver


@pytest.fixture(scope="class")
def good_port(driver):
    """The port of a good server to which the driver has a channel."""
    with ScriptedServer() as server:
        [outcome] = driver.calls(server.port)
        assert outcome["code"] == "OK", outcome
        yield server.port
        driver.close(server.port)


class Cases:
    """The tests of one module of cases."""

    module = None

    def test_case(self, case, driver, good_port):
        wrong = run(BY_NAME[case], driver, good_port)
        assert not wrong, "\n".join(wrong)


def pytest_generate_tests(metafunc):
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", [case.name for case in metafunc.cls.module.CASES])


class TestAnswers(Cases):
    module = answers


class TestAttacks(Cases):
    module = attacks


class TestFloods(Cases):
    module = floods


class TestFlow(Cases):
    module = flow


class TestFrames(Cases):
    module = frames


class TestGoingAway(Cases):
    module = going_away


class TestHeaderLists(Cases):
    module = header_lists


class TestMessages(Cases):
    module = messages


class TestResets(Cases):
    module = resets


class TestSockets(Cases):
    module = sockets


class TestStatuses(Cases):
    module = statuses


class TestAll:
    def test_memory_stays_flat(self, driver, good_port):
        some = CASES[::7]

        def round_of_calls():
            for case in some:
                run(case, driver, good_port)
            return driver.memory

        # At first the allocator's own memory grows; a leak does not stop.
        sizes = [[round_of_calls() for _ in range(2)][-1]]
        for _ in range(4):
            sizes.append([round_of_calls() for _ in range(2)][-1])
            if sizes[-1] - sizes[-2] < 4 << 20:
                return
        pytest.fail(f"the client's memory in bytes: {sizes}")

    def test_every_case_is_run(self):
        run_here = [case for tests in Cases.__subclasses__() for case in tests.module.CASES]
        assert len(run_here) == len(CASES)

    def test_names_are_unique(self):
        assert len(BY_NAME) == len(CASES)
