"""Follows trips: CPU in relation to the floor, and memory in addition to the trips themselves.

TRIPS trips are refreshed every 5 seconds from the responder of calls.py, over TLS. Moving vehicles change their
position in each response, and the subscriber is notified. The floor, Floor/follow.c, makes the same calls, and keeps
and compares the bytes of the responses. The memory of the same number of trips without following them is measured the
same way. CLIENT is the path of follow-benchmark. The numbers of grpc-go and grpc-swift were measured elsewhere, as in
calls.py.
"""

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from calls import CLIENT_CORE, build_floor, build_responder, payload_file, pinned, responder
from google.maps.fleetengine_v1 import Trip
from host import ROOT, machine, output
from ratios import Ratio, keep

sys.path.insert(0, str(ROOT / "interop"))

from peers.tls.certificates import make_certificates  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", 7))
TRIPS, INTERVAL = int(os.environ.get("TRIPS", 10_000)), 5


def run(program, port, certificates, *words):
    """The share of a core in percent, memory in MiB, and the number of late trips."""
    command = [program, f"port={port}", f"trips={TRIPS}", f"interval={INTERVAL}",
               f"cacert={certificates.authority}", *words]
    return [float(word) for word in output(*pinned(CLIENT_CORE, command)).split()]


def answers(folder, payload, places):
    """Files with the payload, each with another position of the vehicle."""
    trip = Trip.deserialize(payload_file(payload).read_bytes())
    for place in range(places):
        file = folder / f"{payload}_{place}.pb"
        file.write_bytes(Trip.serialize(trip))
        trip.last_location.location.latitude += 0.001
        yield file


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificates = make_certificates(folder)
        build_responder(folder)
        build_floor(folder)
        ours, floor = os.environ["CLIENT"], folder / "floor-follow"
        print(f"# Following, measured\n\nOutput of `make bench-follow`: medians of {ROUNDS}"
              f" rounds, {TRIPS:,} trips every {INTERVAL} s over TLS.\n\n{machine()}\n")
        print("| payload | to the floor | % of a core | floor, % | MiB beyond the trips | MiB of the trips | late |"
              " grpc-go, % | grpc-swift, % |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|")
        rows = {"small": ("small", 1), "medium": ("medium", 1), "medium, moving": ("medium", 16)}
        for payload, (name, places) in rows.items():
            messages = [*answers(folder, name, places)]
            with responder(folder, messages, certificates.good) as port:
                held = median(run(ours, port, certificates, "hold")[1] for _ in range(3))
                rounds = [[run(program, port, certificates) for program in (floor, ours)] for _ in range(ROUNDS)]
            (least, *_), (share, memory, late) = (zip(*column) for column in zip(*rounds))
            ratio = Ratio.of(share, least)
            keep({f"follow {TRIPS:,} trips, {payload}": ratio})
            quoted = " 46 | 95 |" if payload == "medium" else " | |"
            print(f"| {payload} | {ratio} | {median(share):.1f} | {median(least):.1f} | {median(memory) - held:.1f} |"
                  f" {held:.1f} | {median(late):.0f} |" + quoted, flush=True)


if __name__ == "__main__":
    main()
