"""Does the client survive misbehaving servers and report the right status for each?

The cases are in peers/negative. Each of its modules is one test class here, and pytest-xdist runs the
classes in parallel. One client process runs all cases of a class.
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
    """The port of a correct server to which the driver has a channel."""
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
    def test_memory_does_not_grow(self, driver, good_port):
        some = CASES[::7]

        def round_of_calls():
            for case in some:
                run(case, driver, good_port)
            return driver.memory

        # The allocator's own memory grows at first. A leak keeps growing.
        sizes = [[round_of_calls() for _ in range(2)][-1]]
        for _ in range(4):
            sizes.append([round_of_calls() for _ in range(2)][-1])
            if sizes[-1] - sizes[-2] < 4 << 20:
                return
        pytest.fail(f"the client's memory in bytes: {sizes}")

    def test_every_case_is_run(self):
        run_here = [case for tests in Cases.__subclasses__() for case in tests.module.CASES]
        assert len(run_here) == len(CASES)

    def test_case_names_are_unique(self):
        assert len(BY_NAME) == len(CASES)
