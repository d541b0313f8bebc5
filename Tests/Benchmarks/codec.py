"""Compares the codec with protobuf's C++ library: time, instructions and allocations per operation.

Both sides take turns on the payloads of Tests/Payloads. A ratio above 1 is how many times faster ours
is. Prints Markdown. BENCHMARK is the path of codec-benchmark, ROUNDS the number of runs of each side.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from counts import DATA, count_all
from host import ROOT, TRIP_PROTOS, compile_protos, machine, output

ROUNDS = int(os.environ.get("ROUNDS", 3))

# Nanoseconds of swift-protobuf 1.38.1 and C++ protobuf 35.1 (on the heap), measured side by side on a
# machine of this kind (2 shared cores, Debian 12, Swift 6.3.1). Their quotient times our ratio to C++
# approximates how many times faster than swift-protobuf ours is: C++ protobuf 3.21.12 decodes as fast
# as 35.1 within 5 %.
SWIFT_PROTOBUF = {
    ("trip_small", "decode"): (3_903, 604),
    ("trip_medium", "decode"): (62_800, 19_000),
    ("trip_large", "decode"): (1_364_000, 475_000),
    ("search_50", "decode"): (3_216_000, 1_016_000),
    ("trip_small", "encode"): (1_705, 206),
    ("trip_medium", "encode"): (48_700, 3_880),
    ("trip_large", "encode"): (1_520_000, 97_000),
    ("trip_medium", "to-json"): (202_000, 291_000),
    ("trip_medium", "from-json"): (320_000, 424_000),
}
# `==` has no C++ counterpart there: only its time is known, so this quotient varies with the machine.
SWIFT_PROTOBUF_EQUAL = 8_498


def build_theirs(folder):
    compile_protos(folder)
    flags = output("pkg-config", "--cflags", "--libs", "protobuf").split()
    program = folder / "theirs"
    subprocess.run(
        ["g++", "-O2", "-std=c++17", "-Wno-deprecated-declarations", f"-I{folder}",
         ROOT / "Tests/Benchmarks/Peers/codec.cc", *(folder / f"{file}.pb.cc" for file in TRIP_PROTOS),
         *flags, "-o", program], check=True)
    return program


def times(programs):
    """Nanoseconds by side and case: the minimum of all rounds, and the median of that round."""
    best = {}
    for _ in range(ROUNDS):
        for side, program in programs.items():
            for line in output(program, DATA).splitlines():
                payload, operation, least, median = line.split()
                key, sample = (side, payload, operation), (int(least), int(median))
                best[key] = min(best.get(key, sample), sample)
    return best


def print_heading():
    print("# The codec, measured\n")
    protobuf = output("pkg-config", "--modversion", "protobuf")
    print(f"""\
Output of `make bench-codec`: minimum and median nanoseconds per operation, ours and C++ protobuf
{protobuf} in turn, {ROUNDS} rounds of 15 samples; instructions and allocations by callgrind. A ratio
above 1 is how many times faster ours is. The last column is that ratio times the time of
swift-protobuf 1.38.1 over that of C++ protobuf 35.1, which were measured together elsewhere (`==`:
their time over ours, measured separately). `touch` decodes and reads every field.
""")
    print(machine())


def main():
    with tempfile.TemporaryDirectory() as name:
        programs = {"ours": os.environ["BENCHMARK"], "theirs": build_theirs(Path(name))}
        print_heading()
        best = times(programs)
        print("| payload | operation | ours ns | median | C++ ns | median | ratio | swift-protobuf |")
        print("|---|---|---:|---:|---:|---:|---:|---:|")
        for _, payload, operation in [key for key in best if key[0] == "ours"]:
            ours, theirs = (best[side, payload, operation] for side in ("ours", "theirs"))
            ratio = theirs[0] / ours[0]
            peer = ""
            if (payload, operation) in SWIFT_PROTOBUF:
                swift, cpp = SWIFT_PROTOBUF[payload, operation]
                peer = f"{ratio * swift / cpp:.1f}x"
            elif (payload, operation) == ("trip_medium", "equal"):
                peer = f"{SWIFT_PROTOBUF_EQUAL / ours[0]:.0f}x"
            print(f"| {payload} | {operation} | {ours[0]:,} | {ours[1]:,} | {theirs[0]:,} "
                  f"| {theirs[1]:,} | {ratio:.2f}x | {peer} |")
        print("\n| payload | operation | instructions | C++ | ratio | allocations | C++ |")
        print("|---|---|---:|---:|---:|---:|---:|")
        counts = [count_all(program) for program in programs.values()]
        for case in counts[0]:
            ours, theirs = (table[case] for table in counts)
            print(f"| {case[0]} | {case[1]} | {ours[0]:,.0f} | {theirs[0]:,.0f} "
                  f"| {theirs[0] / ours[0]:.2f}x | {ours[1]:.0f} | {theirs[1]:.0f} |")


main()
