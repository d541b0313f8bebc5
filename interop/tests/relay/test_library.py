"""Do programs that use the library receive the trips of a relay?"""

import re

from support.nats.server import NATSServer, free_port, until
from support.relay import App, Worker, status, working

NAMES = [f"providers/p/trips/t{number}" for number in (1, 2)]


def fresh(line):
    """Whether a line shows a trip, and its distance is up to date."""
    return re.fullmatch(r"\S+ \d+ fresh", line)


def test_models_receive_trips(nats, moving, worker):
    with App(nats, *NAMES) as app:
        for name in NAMES:
            until(lambda: any(line.startswith(f"{name} ") and fresh(line) for line in app.lines), name)
        count = len(app.lines)
        until(lambda: len(app.lines) > count + 2, "the trips move")
        assert status(nats)["wanted"] == 2


def test_name_that_nats_cannot_transmit_concerns_one_trip(nats, moving, worker):
    name = "providers/" + 3996 * "p" + "/trips/t1"
    with App(nats, name, NAMES[0]) as app:
        until(lambda: any(line.startswith(name) and "is too long for the relay" in line for line in app.lines), "error")
        until(lambda: any(line.startswith(f"{NAMES[0]} ") and fresh(line) for line in app.lines), "the trip")


def test_server_may_start_later(tmp_path, moving):
    port = free_port()
    with App(f"nats://127.0.0.1:{port}", NAMES[0]) as app:
        until(lambda: any("the relay sends no states: cannot connect" in line for line in app.lines), "the error")
        with NATSServer(tmp_path, port=port) as nats, Worker(nats, moving):
            working(nats, 1)
            until(lambda: fresh(app.lines[-1]), "the trip")


def test_lost_connection_makes_trips_stale(nats, moving, worker):
    with App(nats, NAMES[0]) as app:
        until(lambda: app.lines and fresh(app.lines[-1]), "the trip")
        nats.kill()
        until(lambda: " stale " in app.lines[-1] and "connection to NATS" in app.lines[-1], "the loss")
        nats.start()
        until(lambda: fresh(app.lines[-1]), "the trip")
