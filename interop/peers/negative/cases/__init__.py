"""All cases of misbehaving servers: `CASES`, which `run` executes.

    from peers.negative.cases import CASES
    from peers.negative.run import run
"""

from peers.negative.cases import (
    answers, attacks, floods, flow, frames, going_away, header_lists, messages, resets, sockets,
    statuses)

MODULES = (resets, going_away, statuses, answers, messages, header_lists, frames, floods, flow,
           sockets, attacks)
CASES = [case for module in MODULES for case in module.CASES]
