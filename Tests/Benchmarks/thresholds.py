"""Compares instructions and allocations of codec and calls with thresholds.txt.

Fails if one of them increased by more than 5 %; for calls by more than 10 %, because the number of
calls served in one round of the loop varies. BENCHMARK is the path of codec-benchmark, CLIENT that of
rpc-benchmark. With --update, writes the counts to thresholds.txt instead.
"""

import os
import sys
from pathlib import Path

from calls import count_calls
from counts import count_all

FILE = Path(__file__).with_name("thresholds.txt")
TOLERANCE, CALL_TOLERANCE = 0.05, 0.1


def read():
    table = {}
    for line in FILE.read_text().splitlines():
        if line and not line.startswith("#"):
            payload, operation, instructions, mallocs = line.split()
            table[payload, operation] = float(instructions), float(mallocs)
    return table


def write(counts):
    lines = [
        "# Instructions and allocations per operation, from `make thresholds`. `make check-speed`",
        "# allows 5 % more, and 10 % more for calls.",
    ]
    for (payload, operation), (instructions, mallocs) in counts.items():
        lines.append(f"{payload:13} {operation:10} {instructions:11.0f} {mallocs:8.1f}")
    FILE.write_text("\n".join(lines) + "\n")


def compare(counts, limits):
    """Prints the changes; returns the number of cases that became worse."""
    worse = 0
    for case in sorted(counts.keys() | limits.keys()):
        if case not in counts or case not in limits:
            print("FAIL", *case, "is in only one of thresholds.txt and the benchmark")
            worse += 1
            continue
        tolerance = CALL_TOLERANCE if case[0] == "call" else TOLERANCE
        for what, now, before in zip(("instructions", "allocations"), counts[case], limits[case]):
            change = now / before - 1 if before else float(now > 0)
            # Half an allocation is a mean over runs that differ by one.
            if change > tolerance and now - before > 0.5:
                print(f"FAIL {case[0]} {case[1]}: {now:.0f} {what}, {change:+.0%} of {before:.0f}")
                worse += 1
            elif change < -tolerance and before - now > 0.5:
                print(f"{case[0]} {case[1]}: {now:.0f} {what}, {change:+.0%} of {before:.0f}")
    return worse


def main():
    counts = count_all(os.environ["BENCHMARK"]) | count_calls(os.environ["CLIENT"])
    if "--update" in sys.argv:
        write(counts)
        print("wrote", FILE)
        return 0
    worse = compare(counts, read())
    print(f"{len(counts)} operations counted, {worse} worse than thresholds.txt allows")
    print("if this is intended, or numbers improved: run make thresholds, and commit the file")
    return 1 if worse else 0


sys.exit(main())
