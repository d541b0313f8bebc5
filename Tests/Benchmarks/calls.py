"""Compares calls with h2load and gRPC's C++ library: CPU per call, calls per second, latency, memory.

All make the same call to the same responder, which runs on one core while they take turns on
another. A case is measured ROUNDS times, and medians are printed as Markdown. CLIENT is the path of
rpc-benchmark. CASES, if set, contains the numbers of the cases to run.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from counts import each
from host import ROOT, compile_protos, machine, output

sys.path.insert(0, str(ROOT / "interop"))

from peers.tls.certificates import make_certificates  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", 5))
SERVER_CORE, CLIENT_CORE = 0, os.cpu_count() - 1
# The maximum size of a call in a binary log, in bytes.
RECORDED_SIZE = {"small": 2_000, "medium": 8_000}
METHOD = "maps.fleetengine.v1.TripService/GetTrip"
NAME = b"providers/demo/trips/t1"


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
    cpu: float
    seconds: float
    memory: float
    p50: float | None = None
    p99: float | None = None


HERE, COMPILER = ROOT / "Tests/Benchmarks", ["g++", "-O2", "-std=c++17"]


def build_responder(folder):
    subprocess.run(
        [*COMPILER, HERE / "Peers/responder.cc", "-o", folder / "responder",
         *output("pkg-config", "--libs", "libnghttp2", "openssl").split()], check=True)


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


def clients(case, port, folder, certificates):
    """The commands that make the calls of a case, by name."""
    words = [f"port={port}", f"calls={case.calls}", f"in-flight={case.in_flight}"]
    words += [f"cacert={certificates.authority}"] * case.tls
    words += ["decode"] * case.decode
    words += [f"rate={case.rate}"] * bool(case.rate)
    ours = os.environ["CLIENT"]
    table = {
        "tripwire": [ours, *words],
        "from the pool": [ours, *words, "pool"],
        "recording": [ours, *words, f"record={folder / 'calls.binlog'}"],
        "gRPC C++": [folder / "calls", *words],
    }
    if case.decode or case.rate:
        return table
    scheme = "https" if case.tls else "http"
    h2load = ["h2load", "-c", 1, "-m", case.in_flight, "-n", case.calls, "-d", folder / "request",
              "-H", "content-type: application/grpc", "-H", "te: trailers",
              "-H", "grpc-accept-encoding: identity,gzip,deflate", "-H", "grpc-timeout: 60000m",
              f"{scheme}://localhost:{port}/{METHOD}"]
    return {"h2load": h2load, **table}


def run(name, command, case, log):
    """Runs a client once, alone on its core."""
    latencies = name == "h2load" and case.in_flight == 1
    if latencies:
        log.unlink(missing_ok=True)
        command = [*command[:1], f"--log-file={log}", *command[1:]]
    # Through time(1), because a direct child would count Python's memory as its own.
    peak = log.with_name("peak")
    client = subprocess.Popen(
        pinned(CLIENT_CORE, ["time", "--format=%M", f"--output={peak}", *command]),
        stdout=subprocess.PIPE, text=True)
    with client.stdout:
        text = client.stdout.read()
    _, status, usage = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    if client.returncode or (name == "h2load" and f" {case.calls} succeeded" not in text):
        sys.exit(f"{name}, {case}: {text}")
    result = Run((usage.ru_utime + usage.ru_stime) / case.calls * 1e6, 0, int(peak.read_text()) / 1024)
    if name != "h2load":
        result.seconds, result.p50, result.p99 = map(float, text.split())
        return result
    finished = next(line for line in text.splitlines() if line.startswith("finished in"))
    result.seconds = case.calls / float(finished.split(",")[1].split()[0])
    if latencies:
        times = sorted(int(line.split()[2]) for line in log.read_text().splitlines())
        result.p50, result.p99 = (times[len(times) * share // 100] for share in (50, 99))
    return result


def preallocate_memory(size):
    """Allocates this many bytes and frees them.

    The host may first have to provide memory to a virtual machine, which would otherwise count as a
    cost of filling the page cache.
    """
    b"-" * size


def measure(case, folder, certificates):
    runs = defaultdict(list)
    certificate = certificates.good if case.tls else None
    with responder(folder, [payload_file(case.payload)], certificate) as port:
        for _ in range(ROUNDS):
            for name, command in clients(case, port, folder, certificates).items():
                for log in folder.glob("calls.binlog*"):
                    log.unlink()
                if name == "recording":
                    preallocate_memory(case.calls * RECORDED_SIZE[case.payload])
                runs[name].append(run(name, command, case, folder / "h2load.log"))
    return {
        name: Run(*(median(values) if None not in values else None for values in zip(
            *((run.cpu, run.seconds, run.memory, run.p50, run.p99) for run in some))))
        for name, some in runs.items()}


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
    return "" if value is None or value == "" else f"{value:,.{digits}f}"


def main():
    chosen = [int(word) for word in os.environ.get("CASES", "").split()]
    cases = [case for number, case in enumerate(CASES, 1) if not chosen or number in chosen]
    names = ["h2load", "tripwire", "from the pool", "recording", "gRPC C++"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificates = make_certificates(folder)
        request = b"\x1a" + bytes([len(NAME)]) + NAME
        (folder / "request").write_bytes(b"\0" + len(request).to_bytes(4, "big") + request)
        build_responder(folder)
        build_client(folder)
        results = {case: measure(case, folder, certificates) for case in cases}
    print("# Calls, measured\n")
    print(f"Output of `make bench-rpc`: medians of {ROUNDS} rounds.\n")
    print(machine())
    print("\nMicroseconds of the client's CPU per call:\n")
    print(f"| case | {' | '.join(names)} | to h2load | recorded | grpc-go | grpc-swift |")
    print(f"|---|{'---:|' * (len(names) + 4)}")
    for case, row in results.items():
        cells = [cell(row[name].cpu) if name in row else "" for name in names]
        ratio = f"{row['tripwire'].cpu / row['h2load'].cpu:.2f}x" if "h2load" in row else ""
        recorded = f"{row['recording'].cpu / row['tripwire'].cpu - 1:+.0%}"
        print(f"| {case} | {' | '.join(cells)} | {ratio} | {recorded} |"
              f" {' | '.join(map(cell, case.quoted))} |")
    print("\nCalls per second:\n")
    print(f"| case | {' | '.join(names)} |")
    print(f"|---|{'---:|' * len(names)}")
    for case, row in results.items():
        cells = [cell(case.calls / row[name].seconds, 0) if name in row else "" for name in names]
        if not case.rate:
            print(f"| {case} | {' | '.join(cells)} |")
    print("\nLatency of a call in microseconds, median and 99th percentile, and memory in MiB:\n")
    print(f"| case | {' | '.join(names)} |")
    print(f"|---|{'---:|' * len(names)}")
    for case, row in results.items():
        cells = []
        for name in names:
            run = row.get(name)
            times = f"{cell(run.p50, 0)} / {cell(run.p99, 0)}" if run and run.p50 else ""
            cells.append(f"{times}; {cell(run.memory)}" if run else "")
        print(f"| {case} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
