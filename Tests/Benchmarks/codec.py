"""The codec beside protobuf's C++ library: time, instructions and allocations per operation.

Both sides run by turns on the payloads of Tests/Payloads; a ratio above 1 says how much faster
ours is. Prints Markdown. BENCHMARK names codec-benchmark, ROUNDS says how often each side runs.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from counts import DATA, count_all
from host import ROOT, TRIP_PROTOS, compile_protos, machine, output

ROUNDS = int(os.environ.get("ROUNDS", 3))

# Nanoseconds of swift-protobuf 1.38.1 and C++ protobuf 35.1 (on the heap), measured side by side
# in one sitting on a machine of this kind (2 shared cores, Debian 12, Swift 6.3.1). Its quotient
# times our ratio to C++ is how much faster than swift-protobuf ours is, nearly: C++ protobuf
# 3.21.12 decodes as fast as 35.1 within 5 %.
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
# `==` has no counterpart there: its time alone, so that the quotient drifts with the machine.
SWIFT_PROTOBUF_EQUAL = 8_498


def build_theirs(folder):
    compile_protos(folder)
    flags = output("pkg-config", "--cflags", "--libs", "protobuf").split()
    program = folder / "theirs"
    subprocess.run(
        ["g++", "-O2", "-std=c++17", "-Wno-deprecated-declarations", f"-I{folder}",
         ROOT / "Tests/Benchmarks/codec.cc", *(folder / f"{file}.pb.cc" for file in TRIP_PROTOS),
         *flags, "-o", program], check=True)
    return program


def times(programs):
    """Nanoseconds by side and case: the least of all rounds, and the median of that round."""
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
What `make bench-codec` printed. Least and median nanoseconds per operation, ours and C++ protobuf
{protobuf} by turns, {ROUNDS} rounds of 15 samples; instructions and allocations by callgrind. A ratio
above 1 says how much faster ours is. The last column is that ratio times swift-protobuf 1.38.1's
time over C++ protobuf 35.1's, which were measured elsewhere in one sitting (`==`: their time over
ours, with no sitting in common). `touch` decodes and reads every field.
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
