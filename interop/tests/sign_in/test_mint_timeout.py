"""Does --timeout limit the time of token mint, as that of a call?"""

import json
import os
import threading
import time

import pytest

from peers.google import signer_faults
from support.command import GROWING, LONGEST, assert_failed

MINT = ["token", "mint", "--trip", "t1"]
HINT = "raise --timeout, or find the slow step with -v"


@pytest.fixture
def signing(cast, user_file):
    return ["--access-token", user_file, "--sign-as", cast.signer.email]


def test_slow_signer_ends_at_the_deadline(cloud, signing):
    cloud.signer.fault = signer_faults.Outage(hangs=True)
    begin = time.monotonic()
    result = cloud.tripwire(*MINT, *signing, "--timeout", "1s")
    assert_failed(result, 68, error="DEADLINE_EXCEEDED: --sign-as: the deadline passed before a token was received",
                  hint=HINT)
    assert time.monotonic() - begin < 15


def test_slow_program_ends_at_the_deadline(cloud, cast, tmp_path):
    line = f"echo $$ > {tmp_path}/pid; sleep {2 * LONGEST}"
    result = cloud.tripwire(
        *MINT, "--access-token", f"command:{line}", "--sign-as", cast.signer.email, "--timeout", "1s")
    assert_failed(result, 68, "DEADLINE_EXCEEDED", hint=HINT)


def test_slow_token_endpoint_ends_at_the_deadline(cloud, signing):
    cloud.tokens.faults.slow(600)
    assert_failed(cloud.tripwire(*MINT, *signing, "--timeout", "500ms"), 68, "DEADLINE_EXCEEDED", hint=HINT)


@pytest.mark.parametrize("option", ["--credentials", "--access-token"])
def test_slow_file_ends_at_the_deadline(cloud, cast, tmp_path, option):
    """Nobody writes to this pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    signing = ["--sign-as", cast.signer.email] if option == "--access-token" else []
    result = cloud.tripwire(*MINT, option, pipe, *signing, "--timeout", "500ms")
    assert_failed(result, 1, f"{pipe}: not read before the deadline", hint="or raise --timeout")


def test_time_that_suffices_is_not_noticed(cloud, cast, signing):
    for seconds in GROWING:
        cloud.signer.fault = lambda request, call: time.sleep(0.2)
        result = cloud.tripwire(*MINT, *signing, "--timeout", f"{seconds}s")
        if result.code == 0:
            break
    assert (result.code, result.stdout.count(".")) == (0, 2), result.stderr


def test_timeout_of_a_profile_applies(cloud, signing, tmp_path):
    cloud.signer.fault = signer_faults.Outage(hangs=True)
    (tmp_path / "tripwire").mkdir()
    (tmp_path / "tripwire" / "config.json").write_text(json.dumps({"profiles": {"default": {"timeout": "1s"}}}))
    assert_failed(cloud.tripwire(*MINT, *signing, XDG_CONFIG_HOME=tmp_path), 68, "DEADLINE_EXCEEDED")


@pytest.mark.long
@pytest.mark.parametrize("command", ["mint", "get"])
def test_longer_time_than_the_default_is_given(cloud, cast, signing, command):
    """The signer has 20 s by default."""
    over = threading.Event()
    cloud.signer.fault = lambda request, call: over.wait(25) and None
    arguments = MINT if command == "mint" else ["get", cloud.fleet.trip_name("t1")]
    result = cloud.tripwire(*arguments, *signing, "--timeout", "2m")
    assert result.code == 0, result.stderr
    assert len(cloud.signer.calls) == 1
