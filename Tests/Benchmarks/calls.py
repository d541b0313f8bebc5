"""Compares calls with the floor and with gRPC's C++ library: CPU per call, calls per second, latency, memory.

The floor is a C program on libnghttp2 and OpenSSL, in Floor/. All make the same call to the same responder, which runs
on one core while they take turns on another. A case is measured ROUNDS times, and medians are printed as Markdown, and
the medians and the spread of the ratios of all rounds. CLIENT is the path of rpc-benchmark. CASES, if set, contains the
numbers of the cases to run.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from counts import each
from host import ROOT, compile_protos, machine, output
from ratios import Ratio, keep

sys.path.insert(0, str(ROOT / "interop"))

from peers.tls.certificates import make_certificates  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", 7))
SERVER_CORE, CLIENT_CORE = 0, os.cpu_count() - 1


@dataclass(frozen=True)
class Case:
    in_flight: int
    tls: bool
    payload: str
    decode: bool = False
    rate: int = 0
    calls: int = 100_000
    # CPU of grpc-go 1.85 and of grpc-swift-2 in microseconds per call, measured elsewhere on a
    # machine of this kind, with Trips of 348 bytes (small) and 6,078 (medium).
    quoted: tuple = ("", "")

    def __str__(self):
        how = f"{self.rate:,} calls/s" if self.rate else f"{self.in_flight} in flight"
        words = [how, "TLS" if self.tls else "plaintext", self.payload]
        return ", ".join(words + ["decoded"] * self.decode)


CASES = [
    Case(100, False, "small", quoted=(14.5, 129)),
    Case(100, False, "medium", quoted=(17.2, 135)),
    Case(100, True, "small", quoted=(14.1, 121)),
    Case(100, True, "medium", quoted=(18.6, 149)),
    Case(100, False, "medium", decode=True, quoted=(61, 225)),
    Case(100, True, "medium", decode=True, quoted=(70, 268)),
    Case(1, False, "medium", calls=10_000),
    Case(1, True, "medium", calls=10_000, quoted=(123, 453)),
    Case(100, True, "medium", decode=True, rate=2_000, calls=10_000, quoted=(198, 435)),
]


@dataclass
class Run:
    """CPU of a call in microseconds, all seconds, memory in MiB, and percentiles of a call's time in microseconds."""

    cpu: float
    seconds: float
    memory: float
    p50: float
    p99: float


HERE, COMPILER = ROOT / "Tests/Benchmarks", ["g++", "-O2", "-std=c++17"]


def build_responder(folder):
    subprocess.run(
        [*COMPILER, HERE / "Peers/responder.cc", "-o", folder / "responder",
         *output("pkg-config", "--libs", "libnghttp2", "openssl").split()], check=True)


def build_floor(folder):
    """Compiles the floor programs."""
    for name in "call", "follow":
        subprocess.run(
            ["gcc", "-std=gnu2x", "-O2", "-Wall", "-Wextra", "-Werror", HERE / f"Floor/{name}.c", "-o",
             folder / f"floor-{name}", *output("pkg-config", "--libs", "libnghttp2", "openssl").split()], check=True)


def build_client(folder):
    """Compiles the client of gRPC's C++ library."""
    compile_protos(
        folder, f"--grpc_out={folder}",
        f"--plugin=protoc-gen-grpc={output('which', 'grpc_cpp_plugin')}")
    subprocess.run(
        [*COMPILER, "-w", f"-I{folder}", HERE / "Peers/calls.cc", *folder.rglob("*.pb.cc"),
         "-o", folder / "calls", *output("pkg-config", "--libs", "grpc++", "protobuf").split()],
        check=True)


def payload_file(payload):
    return ROOT / f"Tests/Payloads/trip_{payload}.pb"


@contextmanager
def responder(folder, messages, certificate=None):
    """Serves the messages of files in turn; yields the port."""
    command = [folder / "responder", ",".join(map(str, messages))]
    if certificate:
        command += [certificate.chain, certificate.key]
    server = subprocess.Popen(
        pinned(SERVER_CORE, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(server.stdout.readline())
    finally:
        server.stdin.close()
        server.wait()


def pinned(core, command):
    return ["taskset", "--cpu-list", str(core), *map(str, command)]


def clients(case, port, folder, certificates, recorded_size):
    """The commands that make the calls of a case, by name."""
    words = [f"port={port}", f"calls={case.calls}", f"in-flight={case.in_flight}"]
    words += [f"cacert={certificates.authority}"] * case.tls
    words += [f"rate={case.rate}"] * bool(case.rate)
    ours = [os.environ["CLIENT"], *words, *["decode"] * case.decode]
    record = f"record={folder / 'calls.binlog'}"
    return {
        "floor": [folder / "floor-call", *words],
        "tripwire": ours,
        "from the pool": [*ours, "pool"],
        "floor recording": [folder / "floor-call", *words, record, f"record-size={recorded_size}"],
        "recording": [*ours, record],
        "gRPC C++": [folder / "calls", *words, *["decode"] * case.decode],
    }


def run(name, command, case, folder):
    """Runs a client once, alone on its core."""
    # Through time(1), because a direct child would count Python's memory as its own.
    peak = folder / "peak"
    client = subprocess.Popen(
        pinned(CLIENT_CORE, ["time", "--format=%M", f"--output={peak}", *command]),
        stdout=subprocess.PIPE, text=True)
    with client.stdout:
        text = client.stdout.read()
    _, status, usage = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    if client.returncode:
        sys.exit(f"{name}, {case}: {text}")
    seconds, p50, p99 = map(float, text.split())
    cpu = (usage.ru_utime + usage.ru_stime) / case.calls * 1e6
    return Run(cpu, seconds, int(peak.read_text()) / 1024, p50, p99)


def size_of_recorded_call(case, port, folder, certificates):
    """The bytes of a call in a binary log."""
    few = replace(case, calls=1_000)
    run("recording", clients(few, port, folder, certificates, 0)["recording"], few, folder)
    return (folder / "calls.binlog").stat().st_size // few.calls


def preallocate_memory(size):
    """Allocates this many bytes and frees them.

    The host may first have to provide memory to a virtual machine, which would otherwise count as a
    cost of filling the page cache.
    """
    b"-" * size


def measure(case, folder, certificates):
    """Returns the runs of all rounds by the name of the program."""
    runs = defaultdict(list)
    certificate = certificates.good if case.tls else None
    with responder(folder, [payload_file(case.payload)], certificate) as port:
        size = size_of_recorded_call(case, port, folder, certificates)
        for _ in range(ROUNDS):
            for name, command in clients(case, port, folder, certificates, size).items():
                for log in folder.glob("calls.binlog*"):
                    log.unlink()
                if "recording" in name:
                    preallocate_memory(case.calls * size)
                runs[name].append(run(name, command, case, folder))
    return runs


def ratios(case, runs):
    """The ratios of a case, by the names of the goals."""

    def ratio(ours, theirs, what="cpu"):
        return Ratio.of(*([getattr(run, what) for run in runs[name]] for name in (ours, theirs)))

    return {
        f"call, {case}": ratio("tripwire", "floor"),
        f"recorded call to call, {case}": ratio("recording", "tripwire"),
        f"recorded call, {case}": ratio("recording", "floor recording"),
        f"median time of a call, {case}": ratio("tripwire", "floor", "p50"),
    }


def count_calls(client):
    """Instructions and allocations of our client per call, with 100 calls in flight."""
    counts = {}
    with tempfile.TemporaryDirectory() as name:
        build_responder(Path(name))
        for words in ([], ["decode"], ["fleet"]):
            with responder(Path(name), [payload_file(CASES[0].payload)]) as port:
                counts["call", *words or ["raw"]] = each(5_000, lambda calls: [
                    client, f"port={port}", f"calls={calls}", "in-flight=100", *words])
    return counts


def cell(value, digits=1):
    return "" if value == "" else f"{value:,.{digits}f}"


def table(title, names, results, text):
    print(f"\n{title}:\n\n| case | {' | '.join(names)} |\n|---|{'---:|' * len(names)}")
    for case, runs in results.items():
        cells = (text(case, runs[name]) for name in names)
        print(f"| {case} | {' | '.join(cells)} |")


def middle(runs, what):
    return median(getattr(run, what) for run in runs)


def main():
    chosen = [int(word) for word in os.environ.get("CASES", "").split()]
    cases = [case for number, case in enumerate(CASES, 1) if not chosen or number in chosen]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificates = make_certificates(folder)
        build_responder(folder)
        build_floor(folder)
        build_client(folder)
        results = {case: measure(case, folder, certificates) for case in cases}
    print(f"# Calls, measured\n\nOutput of `make bench-rpc`: medians of {ROUNDS} rounds.\n\n{machine()}")
    print("Ratios of each round, medians and half the distance of the quartiles. They are to the floor, except that"
          " the second is that of a recorded call to one that is not:\n")
    print("| case | call | recorded to not | recorded | median time |\n|---|---:|---:|---:|---:|")
    for case, runs in results.items():
        found = ratios(case, runs)
        keep(found)
        print(f"| {case} | {' | '.join(map(str, found.values()))} |")
    names = list(next(iter(results.values())))
    table("Microseconds of the client's CPU per call", names, results, lambda _, runs: cell(middle(runs, "cpu")))
    print("\nThe same of grpc-go and grpc-swift, measured elsewhere:\n")
    print("| case | grpc-go | grpc-swift |\n|---|---:|---:|")
    for case in cases:
        print(f"| {case} | {' | '.join(map(cell, case.quoted))} |")
    table("Calls per second", names, results, lambda case, runs: cell(case.calls / middle(runs, "seconds"), 0))
    table("Latency of a call in microseconds, median and 99th percentile, and memory in MiB", names, results,
          lambda _, runs: "; ".join((f"{middle(runs, 'p50'):,.0f} / {middle(runs, 'p99'):,.0f}",
                                     cell(middle(runs, "memory")))))


if __name__ == "__main__":
    main()
