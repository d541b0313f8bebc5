"""Runs a moving fleet by hand: python -m peers.fleet --help (from interop/)."""

import argparse
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from peers.tls.certificates import Certificate, make_certificates
from peers.fleet import Fleet, ServiceAccount
from peers.fleet.console import obey


def main():
    said = arguments()
    authority, certificate = tls(said.tls) if said.tls else (None, None)
    account = said.credentials and ServiceAccount.kept_in(said.credentials, said.provider)
    fleet = Fleet(
        said.trips, said.speed, said.provider, account, certificate, said.host, said.port,
        said.start, said.log)
    stopped = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: stopped.set())
    with fleet:
        print(f"listening on {fleet.address}", flush=True)
        print(example(fleet, said, authority), flush=True)
        print(f"trips {', '.join(fleet.trips)}; type help for what can be done to them", flush=True)
        threading.Thread(target=obey, args=(fleet, sys.stdin, sys.stdout), daemon=True).start()
        stopped.wait()


def arguments():
    parser = argparse.ArgumentParser(
        prog="python -m peers.fleet",
        description="A Fleet Engine whose trips t1, t2, … move, on the loopback.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--provider", default="demo", help="of the trips' names; default: demo")
    parser.add_argument("--trips", type=int, default=3, help="how many; default: 3")
    parser.add_argument(
        "--speed", type=positive, default=10.0,
        help="how many times faster than usual the vehicles are; default: 10")
    parser.add_argument(
        "--tls", type=Path, metavar="DIR",
        help="speak TLS, with the certificates in DIR, which are made if they are not there")
    parser.add_argument(
        "--credentials", type=Path, metavar="FILE",
        help="check tokens, by the service-account key in FILE, which is made if it is not there")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write a line for each call")
    parser.add_argument(
        "--start", type=float, metavar="SECONDS",
        help="when it began, in seconds since 1970, to be where an earlier one was; default: now")
    return parser.parse_args()


def positive(text):
    if not 0 < (number := float(text)) < float("inf"):
        raise ValueError
    return number


def tls(folder):
    """The authority to trust and the certificate to show."""
    authority, good = folder / "authority.pem", Certificate(
        folder / "good.key", folder / "good.pem")
    if not good.chain.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as made:
            make_certificates(Path(made))
            for path in (authority, good.key, good.chain):
                shutil.copy(Path(made) / path.name, path)
    return authority, good


def example(fleet, said, authority):
    """A command to begin with."""
    options = [f"--cacert {authority}" if authority else "--plaintext"]
    if said.credentials:
        options.append(f"--credentials {said.credentials}")
    return (f"tripwire follow {fleet.trip_name('t1')} --endpoint {fleet.address} "
            + " ".join(options))


if __name__ == "__main__":
    main()
