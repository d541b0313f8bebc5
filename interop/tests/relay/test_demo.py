"""Does `make demo-relay` end by itself?"""

import re
import subprocess
from pathlib import Path

from support.command import LONGEST, binary, environment
from support.paths import INTEROP


def test_demo_kills_a_worker_and_ends():
    done = subprocess.run(
        ["sh", INTEROP / "demo_relay.sh", Path(binary()).parent], capture_output=True, text=True,
        timeout=2 * LONGEST, env=environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n$ kill -9 " in done.stdout
    assert re.fullmatch(
        r"The other worker polls all 4 trips since \d+ s after the kill, and the reader has new updates\.",
        done.stdout.splitlines()[-1])
