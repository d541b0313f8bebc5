"""Counts instructions and calls of malloc per operation of the codec and per call.

Callgrind counts a run of N operations and one of 2N. The difference excludes what the program does
before and after. Unlike times, the counts hardly depend on the machine.
"""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PAYLOADS = {"trip_small": 400, "trip_medium": 40, "trip_unknown": 40, "trip_large": 4, "search_50": 2}
OPERATIONS = ["decode", "touch", "encode", "equal", "to-json", "from-json"]
DATA = Path(__file__).resolve().parents[1] / "Payloads"
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"}


def count_all(program):
    """Instructions and allocations of every case, by payload and operation."""
    cases = [(payload, operation) for payload in PAYLOADS for operation in OPERATIONS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(cases, pool.map(lambda case: count(program, *case), cases)))


def count(program, payload, operation):
    """Instructions and allocations of one operation."""
    return each(PAYLOADS[payload], lambda times: [program, DATA, payload, operation, str(times)])


def each(times, command):
    """Instructions and allocations of one operation, where `command(n)` performs n of them."""
    once, twice = (profile(command(n)) for n in (times, 2 * times))
    return tuple(round((b - a) / times, 1) for a, b in zip(once, twice))


def profile(command):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "callgrind.out"
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}",
             *command],
            # By default, Swift seeds its hashes randomly in each process.
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = output.read_text(errors="replace")
    instructions = int(re.search(r"^(?:summary|totals): (\d+)$", text, re.MULTILINE)[1])
    return instructions, allocations(text)


def allocations(text):
    """The number of calls of malloc and similar functions. A nested call counts separately."""
    names, called, calls = {}, None, 0
    for line in text.splitlines():
        if line.startswith("cfn="):
            # The first occurrence is "(id) name", later ones are "(id)"; fn= and cfn= share the ids.
            called = name(line, names)
        elif line.startswith("fn="):
            name(line, names)
        elif line.startswith("calls=") and called in ALLOCATORS:
            calls += int(line[len("calls="):].split()[0])
    return calls


def name(line, names):
    identifier, _, text = line.partition("=")[2].partition(" ")
    return names.setdefault(identifier, text)
