"""Does a worker serve its metrics in Prometheus's format?"""

import resource
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from peers.fleet import Fleet
from peers.proxies.fault_proxy import FaultProxy
from support.memory import resident_memory
from support.nats.server import NATSServer, free_port, until
from support.relay import Worker, relay, working

NAMES = [f"providers/p/trips/t{number}" for number in (1, 2)]
NONE = "providers/p/trips/none"


def fetch(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as response:
        return response.headers, response.read().decode()


def families(url):
    return {family.name: family for family in text_string_to_metric_families(fetch(url)[1])}


def values(url):
    """The metrics without labels, and failed polls by code."""
    found = families(url)
    samples = {sample.name.removeprefix("tripwire_relay_"): sample.value
               for family in found.values() for sample in family.samples if not sample.labels}
    samples["errors"] = {sample.labels["code"]: sample.value
                         for sample in found["tripwire_relay_poll_errors"].samples}
    return samples


@pytest.fixture
def url():
    return f"http://127.0.0.1:{free_port()}/metrics"


def metrics_of(nats, fleet, url, *options):
    return Worker(nats, fleet, "--metrics", url.split("/")[2], "--capacity", 50, *options)


def test_figures_of_a_worker(nats, moving, url):
    with metrics_of(nats, moving, url) as worker:
        worker.error(f"metrics: {url}")
        assert relay(nats, "want", *NAMES, NONE).code == 0
        found = until(lambda: (now := values(url))["resources"] == 3 and now["errors"] and now, "three trips")
        assert found["capacity"] == 50 and found["nats_connected"] == 1
        assert found["polls_total"] >= 1 and 0 <= found["lag_seconds"] < 60
        until(lambda: values(url)["published_states_total"] > 2, "published states")
        later = until(lambda: (now := values(url))["polls_total"] > found["polls_total"] + 5 and now, "polls")
        assert abs(later["last_successful_poll_timestamp_seconds"] - time.time()) < 60
        assert later["errors"].keys() == {"NOT_FOUND"} and later["publish_failures_total"] == 0
        assert later["unowned_requests"] == 0 and later["late_polls_total"] == 0
        # A publication waits for the others of 10 ms, and its answer, too.
        published = later["published_states_total"]
        assert later["publication_seconds_count"] == published
        assert 0.001 * published < later["publication_seconds_sum"] < 5 * published
        files = Path(f"/proc/{worker.process.pid}/fd")
        assert abs(later["process_open_fds"] - len(list(files.iterdir()))) < 5
        assert later["process_max_fds"] == resource.prlimit(worker.process.pid, resource.RLIMIT_NOFILE)[0]
        assert resident_memory(worker.process.pid) * 0.5 < later["process_resident_memory_bytes"]
        nats.kill()
        until(lambda: values(url)["nats_connected"] == 0, "the loss")


def test_requests_beyond_the_capacity_are_unowned(nats, url):
    other = f"http://127.0.0.1:{free_port()}/metrics"
    with Fleet(trips=6, speed=10) as fleet, \
            Worker(nats, fleet, "--metrics", url.split("/")[2], "--capacity", 2) as worker, \
            Worker(nats, fleet, "--metrics", other.split("/")[2], "--capacity", 2):
        names = [each["name"] for each in working(nats, 2)]
        for wanted, unowned in (4, 0), (6, 2):
            assert relay(nats, "want", "--pin", *list(trip.name for trip in fleet.trips.values())[:wanted]).code == 0
            for each in url, other:
                until(lambda: (now := values(each))["unowned_requests"] == unowned and now["resources"] == 2,
                      f"{unowned} unowned requests")
        with Worker(nats, fleet):
            for each in url, other:
                until(lambda: values(each)["unowned_requests"] == 0, "another worker takes them")
        for each in url, other:
            until(lambda: values(each)["unowned_requests"] == 2, "it is gone")
        drained = next(each for each in names if f"-{worker.process.pid}-" in each)
        assert relay(nats, "drain", drained).code == 0
        for each in url, other:
            until(lambda: values(each)["unowned_requests"] == 4, "a worker is drained")


def test_late_polls_are_counted(nats, url):
    with Fleet(trips=2, speed=10) as fleet, FaultProxy(int(fleet.address.rpartition(":")[2])) as proxy, \
            metrics_of(nats, SimpleNamespace(address=f"127.0.0.1:{proxy.port}"), url):
        assert relay(nats, "want", *NAMES).code == 0
        until(lambda: values(url)["published_states_total"] > 2, "published states")
        assert values(url)["late_polls_total"] == 0
        proxy.stall()
        until(lambda: values(url)["lag_seconds"] > 1.5, "the polls are late")
        proxy.flow()
        until(lambda: values(url)["late_polls_total"] >= 2, "late polls")


def test_each_metric_has_help_and_type(nats, moving, url):
    with metrics_of(nats, moving, url) as worker:
        worker.error("metrics: ")
        headers, text = fetch(url)
        assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        found = families(url)
        assert {name: family.type for name, family in found.items()} == {
            f"tripwire_relay_{name}": kind for name, kind in [
                ("resources", "gauge"), ("capacity", "gauge"), ("unowned_requests", "gauge"), ("polls", "counter"),
                ("poll_errors", "counter"), ("late_polls", "counter"), ("lag_seconds", "gauge"),
                ("last_successful_poll_timestamp_seconds", "gauge"), ("published_states", "counter"),
                ("publish_failures", "counter"), ("pending_publications", "gauge"), ("publication_seconds", "histogram"),
                ("nats_connected", "gauge")]} | {
            f"process_{name}": "gauge" for name in ("resident_memory_bytes", "open_fds", "max_fds")}
        assert all(family.documentation for family in found.values())
        for path, code in ("/", 404), ("/events", 503):
            with pytest.raises(urllib.error.HTTPError) as error:
                fetch(url.replace("/metrics", path))
            assert error.value.code == code
        with pytest.raises(urllib.error.HTTPError) as error:
            fetch(url, Host="rebound.example")
        assert error.value.code == 421


def test_publish_failures_are_counted(tmp_path, moving, url):
    with NATSServer(tmp_path, "max_payload: 400\n") as nats, metrics_of(nats, moving, url) as worker:
        worker.error("metrics: ")
        relay(nats, "want", *NAMES)
        until(lambda: values(url)["publish_failures_total"] > 0, "failures")


def test_other_machines_need_permission(nats, moving, url):
    port = free_port()
    options = ["work", "--endpoint", moving.address, "--plaintext"]
    result = relay(nats, *options, "--metrics", f"0.0.0.0:{port}")
    assert (result.code, result.stderr.splitlines()[:2]) == (2, [
        f"error: --metrics 0.0.0.0:{port}: other machines can reach this address, which requires --allow-remote",
        "hint: use 127.0.0.1, or add --allow-remote"])
    assert relay(nats, *options, "--allow-remote").code == 2
    with Worker(nats, moving, "--metrics", f"0.0.0.0:{port}", "--allow-remote") as worker:
        worker.error("metrics: http://")
        # By any name or address of the machine, as Prometheus has it.
        for host in f"192.0.2.1:{port}", f"worker1.example:{port}":
            assert "tripwire_relay_resources" in fetch(f"http://127.0.0.1:{port}/metrics", Host=host)[1]


def test_used_address_is_reported(nats, moving, url):
    with metrics_of(nats, moving, url) as worker:
        worker.error("metrics: ")
        address = url.split("/")[2]
        result = relay(nats, "work", "--endpoint", moving.address, "--plaintext", "--metrics", address)
        assert (result.code, result.stderr) == (
            1, f"error: --metrics: cannot listen on {address}: Address already in use\n"
               "hint: pass another port; port 0 selects a free port\n")
