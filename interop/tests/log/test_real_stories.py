"""Does `tripwire log --explain` find the cause in recordings of `tripwire follow` and the log of a fleet, with a real
proxy, real tokens and a real suspended process?"""

import json
import signal

import pytest

from peers.fleet import Fleet, ServiceAccount
from peers.proxies.envoy import Envoy
from peers.recordings.server_log import ServerLog
from support.command import tripwire
from support.driver import Driver
from support.following import following

# Seconds between two calls, of the driver's app and of the client. On a busy machine calls come late, and the longer
# ones are tried.
INTERVALS = [0.3, 2]
CALLS = 12
"""The calls before, during and after a trouble."""


class Story:
    """A fleet with a driver, and a client that follows it and records its calls."""

    def __init__(self, folder, interval, is_delivery=False, has_tokens=False):
        folder.mkdir()
        self.folder, self.interval = folder, interval
        self.account = ServiceAccount.make("p") if has_tokens else None
        self.fleet = Fleet(speed=1, account=self.account, server_log=ServerLog("p"))
        self.fleet.drives = False
        self.update, self.get = "UpdateVehicle", "GetTrip"
        self.vehicle, self.resource = "vehicles/v1", "trips/t1"
        if is_delivery:
            self.fleet.new_delivery_vehicle("d1", (37.7, -122.4))
            self.update, self.get = "UpdateDeliveryVehicle", "GetDeliveryVehicle"
            self.vehicle = self.resource = "deliveryVehicles/d1"
        else:
            self.fleet.add_trip("t1", vehicle_id="v1").go("ENROUTE_TO_PICKUP")
        self.client, self.server = folder / "client.binlog", folder / "server.json"

    def run(self, trouble, address=None):
        """Lets a trouble begin and end; `trouble` is a generator that yields while it lasts."""
        options = ["--plaintext", "--record", self.client]
        if self.account:
            token = self.folder / "token.jwt"
            token.write_text(self.account.mint("t1"))
            options += ["--token-file", token]
        with Driver(self.fleet, self.vehicle, self.interval) as self.driver, following(
                address or self.fleet.address, f"providers/p/{self.resource}", options=options,
                interval=f"{self.interval * 1000:.0f}ms") as self.follow:
            self.wait(self.get)
            for _ in trouble(self):
                # The driver's app is the clock of the troubles that others have.
                self.wait(self.get if self.driver.is_silent else self.update)
            # The client may have to wait after errors before it asks again.
            self.wait(self.get)
            self.follow.process.send_signal(signal.SIGINT)
            self.follow.end()
        self.fleet.server_log.write(self.server)

    def wait(self, method):
        """Waits for more calls of a method."""
        def ended(calls):
            return sum(call.method == method and call.code == "OK" for call in calls)
        before = ended(self.fleet.journal.of())
        self.fleet.journal.wait(lambda calls: ended(calls) >= before + CALLS)

    @property
    def causes(self):
        """The pairs of side and cause of all stale spans."""
        lines = tripwire("log", self.client, "--import-cloud-logging", self.server, "--timeline", self.resource,
                         "--explain", "-o", "json").stdout.splitlines()
        spans = [line for line in map(json.loads, lines) if line["event"] == "span"]
        assert {"current", "stale"} <= {span["state"] for span in spans}, spans
        return [(span["side"], span["cause"]) for span in spans if span["state"] == "stale"]


def assert_found(side, cause, play, tmp_path, **options):
    """Asserts that the only cause is this one; `play` gets the Story and runs it."""
    for interval in INTERVALS:
        story = Story(tmp_path / str(interval), interval, **options)
        with story.fleet:
            play(story)
        found = story.causes
        if found == [(side, cause)]:
            return
    pytest.fail(f"{found}")


def test_a_proxy_that_dies_is_the_network(tmp_path):
    def play(story):
        folder = story.folder / "envoy"
        folder.mkdir()
        with Envoy(folder, int(story.fleet.address.rpartition(":")[2])) as envoy:
            def trouble(_):
                envoy.process.kill()
                envoy.process.wait()
                yield
                envoy.process = envoy.start()
                envoy.wait_until_it_listens()
            story.run(trouble, envoy.address)

    assert_found("network", "polls-failed", play, tmp_path)


def test_an_expired_token_is_the_client(tmp_path):
    def trouble(story):
        fault = story.fleet.faults.expire_tokens(7_200, method="GetTrip")
        yield
        fault.withdraw()

    assert_found("client", "token-refused", lambda story: story.run(trouble), tmp_path, has_tokens=True)


def test_a_suspended_app_is_the_client(tmp_path):
    def trouble(story):
        # No call is open just after a new location.
        story.follow.until_next(lambda line: "trip" in line)
        story.follow.process.send_signal(signal.SIGSTOP)
        yield
        story.follow.process.send_signal(signal.SIGCONT)

    assert_found("client", "not-asked", lambda story: story.run(trouble), tmp_path)


def test_a_silent_delivery_driver_is_the_driver(tmp_path):
    def trouble(story):
        story.driver.is_silent = True
        yield
        story.driver.is_silent = False

    assert_found("driver", "nothing-sent", lambda story: story.run(trouble), tmp_path, is_delivery=True)
