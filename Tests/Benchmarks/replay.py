"""Compares servers under h2load: a replay, gRPC's C++ library and grpcio, with the same response.

Each runs alone on one core, h2load on another. A case is measured ROUNDS times, and medians are
printed as Markdown. TRIPWIRE_BIN is the path of the command.

The other servers decode and encode nothing: they answer every request with fixed bytes. Ours looks up
the request. All send the same headers, except for gRPC's header fields for compression.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from calls import CLIENT_CORE, COMPILER, HERE, METHOD, NAME, SERVER_CORE, payload_file, pinned
from host import ROOT, machine, output

sys.path.insert(0, str(ROOT / "interop"))

from peers.recordings import binary_log  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", 5))
CASES = [("small", 1, 100), ("small", 10, 10), ("medium", 1, 100), ("medium", 10, 10)]
CALLS = {
    "tripwire replay": 100_000, "gRPC C++, callbacks": 50_000, "gRPC C++, queue": 50_000,
    "grpcio": 10_000}

GRPCIO = """
import sys
from concurrent import futures
import grpc

message = open(sys.argv[1], "rb").read()


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(lambda request, context: message)


server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
server.add_generic_rpc_handlers((Handler(),))
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
sys.stdin.read()
"""


def recording(path, message):
    """Writes a log with one call."""
    request = b"\x1a" + bytes([len(NAME)]) + NAME
    entries = []

    def add(event, **payload):
        entries.append(binary_log.GrpcLogEntry(
            call_id=1, sequence_id_within_call=len(entries) + 1, logger="LOGGER_CLIENT",
            type=f"EVENT_TYPE_{event}", **payload))

    add("CLIENT_HEADER", client_header={"method_name": f"/{METHOD}"})
    add("CLIENT_MESSAGE", message={"length": len(request), "data": request})
    add("CLIENT_HALF_CLOSE")
    add("SERVER_HEADER", server_header={})
    add("SERVER_MESSAGE", message={"length": len(message), "data": message})
    add("SERVER_TRAILER", trailer={})
    binary_log.write(path, entries)


def servers(folder, payload):
    """The commands that start the servers, by name."""
    message = payload_file(payload)
    recording(folder / f"{payload}.binlog", message.read_bytes())
    return {
        "tripwire replay": [os.environ["TRIPWIRE_BIN"], "replay", folder / f"{payload}.binlog"],
        "gRPC C++, callbacks": [folder / "answerer", message, "callback"],
        "gRPC C++, queue": [folder / "answerer", message, "queue"],
        "grpcio": [sys.executable, folder / "grpcio.py", message],
    }


def h2load(folder, port, connections, streams, calls):
    """Runs h2load and returns calls per second."""
    text = output(*pinned(CLIENT_CORE, [
        "h2load", "-c", connections, "-m", streams, "-n", calls, "-d", folder / "request",
        "-H", "content-type: application/grpc", "-H", "te: trailers",
        f"http://127.0.0.1:{port}/{METHOD}"]))
    if f" {calls} succeeded" not in text:
        sys.exit(f"h2load: {text}")
    return float(re.search(r"finished in .*?, ([\d.]+) req/s", text)[1])


def cpu(pid):
    """The CPU time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(folder, name, command, connections, streams):
    """Calls per second, and the server's CPU per call in microseconds."""
    server = subprocess.Popen(
        pinned(SERVER_CORE, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"(?:127\.0\.0\.1:|^)(\d+)", server.stdout.readline())[1])
        h2load(folder, port, connections, streams, CALLS[name] // 10)
        before = cpu(server.pid)
        rate = h2load(folder, port, connections, streams, CALLS[name])
        return rate, (cpu(server.pid) - before) / CALLS[name] * 1e6
    finally:
        server.kill()
        server.wait()


def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        request = b"\x1a" + bytes([len(NAME)]) + NAME
        (folder / "request").write_bytes(b"\0" + len(request).to_bytes(4, "big") + request)
        (folder / "grpcio.py").write_text(GRPCIO)
        subprocess.run(
            [*COMPILER, HERE / "Peers/answerer.cc", "-o", folder / "answerer",
             *output("pkg-config", "--cflags", "--libs", "grpc++").split()], check=True)
        print("# Servers, measured\n")
        print(f"Output of `make bench-replay`: medians of {ROUNDS} rounds.\n")
        print(machine())
        print("\nCalls per second, and the server's CPU in microseconds per call:\n")
        ours, *others = CALLS
        print(f"| response, connections x streams | {' | '.join(CALLS)} | their CPU to tripwire's |")
        print("|---|" + "---:|" * (len(CALLS) + 1))
        for payload, connections, streams in CASES:
            runs = {name: [] for name in CALLS}
            for _ in range(ROUNDS):
                for name, command in servers(folder, payload).items():
                    runs[name].append(run(folder, name, command, connections, streams))
            rates = {name: median(rate for rate, _ in some) for name, some in runs.items()}
            costs = {name: median(cost for _, cost in some) for name, some in runs.items()}
            cells = [f"{rates[name]:,.0f}; {costs[name]:.1f}" for name in CALLS]
            ratios = ", ".join(f"{costs[name] / costs[ours]:.1f}x" for name in others)
            print(f"| {payload}, {connections} x {streams} | {' | '.join(cells)} | {ratios} |",
                  flush=True)


if __name__ == "__main__":
    main()
