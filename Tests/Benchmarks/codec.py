"""Decoding and encoding the payloads: our codec beside Debian's C++ protobuf, in turn.

Prints medians of the rounds in ns per operation, and how many times as long C++ takes.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAYLOADS = ROOT / "Tests" / "Payloads"
ROUNDS = 5


def build_cpp(folder):
    """The C++ twin, from our protos."""
    protos = ROOT / "protos"
    service = "google/maps/fleetengine/v1"
    files = ["google/api/routing.proto", "google/type/latlng.proto"] + [
        f"{service}/{name}.proto"
        for name in ("fleetengine", "header", "traffic", "trips", "trip_api")]
    subprocess.run(["protoc", "-I", protos, f"--cpp_out={folder}", *files], check=True)
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "protobuf"],
        check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    sources = [folder / file.replace(".proto", ".pb.cc") for file in files]
    subprocess.run(
        ["g++", "-O2", "-std=c++17", "-I", folder, HERE / "codec.cpp", *sources, *flags,
         "-o", folder / "codec-cpp"], check=True)
    return folder / "codec-cpp"


def run(program):
    """ns per operation, by operation and payload."""
    lines = subprocess.run(
        [program, PAYLOADS], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    return {tuple(line.split()[:2]): float(line.split()[2]) for line in lines}


def main():
    with tempfile.TemporaryDirectory() as name:
        cpp = build_cpp(Path(name))
        rounds = [(run(os.environ["CODEC_BENCHMARK_BIN"]), run(cpp)) for _ in range(ROUNDS)]
    print("codec, ns per operation, medians of", ROUNDS, "rounds in turn")
    print(f"{'':8}{'':14}{'tripwire':>12} {'C++ 3.21':>12} {'C++/ours':>9}")
    for operation, payload in sorted(rounds[0][0]):
        ours = median(mine[operation, payload] for mine, _ in rounds)
        line = f"{operation:8}{payload:14}{ours:12.0f}"
        if (operation, payload) in rounds[0][1]:
            theirs = median(other[operation, payload] for _, other in rounds)
            line += f" {theirs:12.0f} {theirs / ours:9.2f}"
        print(line)


main()
