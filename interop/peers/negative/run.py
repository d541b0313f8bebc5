"""Runs one case: the bad call, the next over the same channel, and one to a good server."""

import time
from dataclasses import replace

from peers.negative.server import ScriptedServer

# The tolerance beyond the deadline on a machine under load, in seconds.
SLACK = 100
# The maximum CPU time of a case in seconds, including debug builds of the client.
COSTLY = 0.8
# The timeout in seconds of a call that must not reach it.
PATIENT = 60
LATE = "DEADLINE_EXCEEDED"


def run(case, driver, good_port):
    """Returns the errors as sentences. `good_port` is that of a good server to which the driver has a
    channel.

    On a busy machine, a short timeout may expire too early, and CPU time increases. The case is then run
    again, after an expired timeout with a longer one.
    """
    for _ in range(3):
        spent = driver.cpu_time
        outcomes, wrong = once(case, driver, good_port)
        cost = driver.cpu_time - spent
        was_late = case.timeout < PATIENT and any(outcome["code"] == LATE for outcome in outcomes)
        if not (was_late if wrong else cost > COSTLY):
            return wrong
        if wrong:
            case = replace(case, timeout=min(8 * case.timeout, PATIENT))
    return wrong or [f"it took {cost:.2f} s of CPU time"]


def once(case, driver, good_port):
    """Returns the outcomes of the bad call, and the errors in them and their effects."""
    descriptors = driver.descriptors
    with ScriptedServer(*case.scripts) as server:
        outcomes = driver.calls(
            server.port, kind=case.kind, timeoutMs=int(case.timeout * 1000), **case.order)
        wrong = [sentence for outcome in outcomes for sentence in judge(case, outcome)]
        connections = len(server.peers)
        if connections > case.connections:
            wrong.append(f"it took {connections} connections")
        if case.after:
            wrong += again(case, driver, server, connections)
        driver.close(server.port)
        wrong += [f"the client did not send {item}, but {server.client_errors}" for item in case.client_sends
                  if not wait(lambda: item in server.client_errors)]
    wrong += [f"an error in the server: {fault}" for fault in server.faults]
    [outcome] = driver.calls(good_port, timeoutMs=60_000)
    if outcome["code"] != "OK":
        wrong.append(f"the next call to a good server ended with {outcome}")
    if not wait(lambda: driver.descriptors <= descriptors):
        wrong.append(f"{driver.descriptors} descriptors are open, {descriptors} before the case")
    return outcomes, wrong


def judge(case, outcome):
    """Returns the errors in the outcome of the bad call."""
    code, message = outcome["code"], outcome["message"]
    if code not in case.codes:
        yield f"it ended with {code} instead of {' or '.join(case.codes)}: {outcome}"
    elif case.message is not None and message != case.message:
        yield f"the message is {message!r} instead of {case.message!r}"
    for word in case.words:
        if word.lower() not in message.lower():
            yield f"the message does not say {word!r}: {message!r}"
    if case.messages not in (None, outcome["messages"]):
        yield f"{outcome['messages']} messages arrived instead of {case.messages}"
    if case.attempts not in (None, outcome["attempts"]):
        yield f"it was sent {outcome['attempts']} times instead of {case.attempts}"
    if outcome["seconds"] > case.timeout + SLACK:
        yield f"it took {outcome['seconds']} s with a deadline of {case.timeout} s"
    if case.check and (error := case.check(outcome)):
        yield f"{error}: {outcome}"


def again(case, driver, server, connections):
    """Returns the errors in the next call over the same channel."""
    [outcome] = driver.calls(server.port, timeoutMs=60_000)
    if outcome["code"] != "OK":
        yield f"the next call over the channel ended with {outcome}"
    elif (len(server.peers) == connections) != (case.after == "same"):
        yield (f"there are {len(server.peers)} connections after the next call and {connections} before it, "
               f"so it did not use the {case.after} one")


def wait(condition, longest=60):
    """Waits until the condition holds; returns whether it does."""
    end = time.monotonic() + longest
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    return True
