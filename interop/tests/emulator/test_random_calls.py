"""Does the emulator answer random calls as a model does that is written from the documentation of Fleet Engine?"""

import os
import random
import time

import pytest

from support.random_calls import episode

CALLS = 250
"""Calls to one emulator, so that a difference has a short history."""


def test_random_calls_are_answered_as_documented():
    for seed in range(6):
        assert not (found := episode(seed, CALLS)), found


@pytest.mark.long
def test_many_random_calls_are_answered_as_documented():
    """Runs for RANDOM_CALLS_MINUTES, 10 by default, from RANDOM_CALLS_SEED."""
    end = time.monotonic() + 60 * float(os.environ.get("RANDOM_CALLS_MINUTES", 10))
    seed = int(os.environ.get("RANDOM_CALLS_SEED", random.randrange(10**9)))
    made = 0
    while time.monotonic() < end:
        assert not (found := episode(seed, CALLS)), found
        seed, made = seed + 1, made + CALLS
    print(f"{made} calls, seeds up to {seed}")
