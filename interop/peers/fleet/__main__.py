"""Runs a simulated fleet: python -m peers.fleet --help (from interop/)."""

import argparse
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path

from peers.tls.certificates import Certificate, make_certificates
from peers.fleet import Fleet, ServiceAccount
from peers.fleet.console import run_console


def main():
    options = arguments()
    if reason := refusal(options.host, options.port):
        sys.exit(f"error: port {options.port}: {reason}\nhint: use another port, or PORT=0 for a free one")
    authority, certificate = tls(options.tls) if options.tls else (None, None)
    account = options.credentials and ServiceAccount.load_or_create(options.credentials, options.provider)
    fleet = Fleet(
        options.trips, options.speed, options.provider, account, certificate, options.host, options.port,
        options.start, options.log, options.deliveries, options.idle)
    stopped = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    with fleet:
        print(f"listening on {fleet.address}", flush=True)
        print(example(fleet, options, authority), flush=True)
        print(f"{contents(fleet)}; type help for the commands", flush=True)
        threading.Thread(target=run_console, args=(fleet, sys.stdin, sys.stdout), daemon=True).start()
        stopped.wait()


def arguments():
    parser = argparse.ArgumentParser(
        prog="python -m peers.fleet",
        description="Serves a simulated fleet on loopback: TripService and VehicleService with the moving "
        "trips t1, t2, …, and DeliveryService with the delivery vehicles d1, d2, …, their tasks d1-1, d1-2, "
        "… and the tracking IDs track-d1-1, …. Clients can also create trips, vehicles and tasks.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="default: a free port")
    parser.add_argument("--provider", default="demo", help="provider in the names of trips; default: demo")
    parser.add_argument("--trips", type=int, default=3, help="number of trips; default: 3")
    parser.add_argument(
        "--deliveries", type=int, default=1, help="number of delivery vehicles; default: 1")
    parser.add_argument(
        "--idle", type=int, default=2,
        help="number of vehicles without trips, idle1, idle2, …; default: 2")
    parser.add_argument(
        "--speed", type=positive, default=10.0,
        help="factor by which vehicles are faster; default: 10")
    parser.add_argument(
        "--tls", type=Path, metavar="DIR",
        help="serve TLS with the certificates in DIR, created if missing")
    parser.add_argument(
        "--credentials", type=Path, metavar="FILE",
        help="check tokens with the service account key in FILE, created if missing")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write a line for each call")
    parser.add_argument(
        "--start", type=float, metavar="SECONDS",
        help="start time of the simulation, in seconds since 1970; default: now")
    return parser.parse_args()


def positive(text):
    if not 0 < (number := float(text)) < float("inf"):
        raise ValueError
    return number


def refusal(host, port):
    """Returns the reason why a port cannot be used; None if it can. gRPC would share it with another fleet."""
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        return os.strerror(error.errno)
    return None


def tls(folder):
    """Returns the authority to trust and the certificate of the server."""
    authority, good = folder / "authority.pem", Certificate(
        folder / "good.key", folder / "good.pem")
    if not good.chain.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as made:
            make_certificates(Path(made))
            for path in (authority, good.key, good.chain):
                shutil.copy(Path(made) / path.name, path)
    return authority, good


def contents(fleet):
    """Returns the IDs of the simulated trips and delivery vehicles."""
    found = {"trips": fleet.trips, "delivery vehicles": fleet.delivery_vehicles}
    return "; ".join(f"{kind} {', '.join(ids)}" for kind, ids in found.items() if ids)


def example(fleet, options, authority):
    """Returns an example command."""
    words = [f"--cacert {authority}" if authority else "--plaintext"]
    if options.credentials:
        words.append(f"--credentials {options.credentials}")
    name = fleet.trip_name("t1")
    if not fleet.trips and fleet.delivery_vehicles:
        name = f"providers/{fleet.provider}/deliveryVehicles/d1"
    verb = "follow" if fleet.trips or not fleet.delivery_vehicles else "get"
    return f"tripwire {verb} {name} --endpoint {fleet.address} " + " ".join(words)


if __name__ == "__main__":
    main()
