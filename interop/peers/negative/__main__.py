"""Runs all cases, or those whose names contain one of the words, and prints a line for each.

    INTEROP_CLIENT=… python -m peers.negative [WORD…]
"""

import os
import sys

from peers.negative.cases import CASES
from peers.negative.driver import Driver
from peers.negative.run import run
from peers.negative.server import ScriptedServer

words = sys.argv[1:]
chosen = [case for case in CASES if not words or any(word in case.name for word in words)]
failed = 0
with Driver([os.environ["INTEROP_CLIENT"], "drive"]) as driver, ScriptedServer() as good:
    driver.calls(good.port)
    for case in chosen:
        wrong = run(case, driver, good.port)
        failed += bool(wrong)
        print("FAILED" if wrong else "ok", case.name, flush=True)
        for sentence in wrong:
            print("   ", sentence, flush=True)
print(f"{len(chosen) - failed} passed, {failed} failed")
sys.exit(failed > 0 or not chosen)
