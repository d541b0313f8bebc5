"""Do the clients of a leaf node use the streams of a hub with a JetStream domain, and what do they see if it is lost?"""

import json
import subprocess
import time

import pytest

from peers.fleet import Fleet
from support.command import LONGEST, assert_failed, environment, start
from support.following import Following
from support.nats.leaf import DOMAIN, Regions
from support.nats.server import until
from support.relay import Reader, Worker, program, relay, status, working

NAMES = [f"providers/p/trips/t{number}" for number in range(1, 11)]
OPTIONS = ["--nats-domain", DOMAIN]


@pytest.fixture
def fleet():
    with Fleet(trips=len(NAMES), speed=1) as fleet:
        yield fleet


def versions(*cases):
    return pytest.mark.parametrize("version, jetstream", cases, ids=[
        f"{version}-{'domains' if jetstream else 'leaf'}" for version, jetstream in map(values, cases)])


def values(case):
    return getattr(case, "values", case)


@versions(("debian", False), ("debian", True), ("newest", False), ("newest", True))
def test_regions_share_the_work(tmp_path, fleet, version, jetstream):
    with (Regions(tmp_path, version, jetstream) as regions, Worker(regions.leaf, fleet, *OPTIONS) as far,
          Worker(regions.hub, fleet) as near):
        workers = working(regions.leaf, 2, *OPTIONS)
        assert [each["name"] for each in working(regions.hub, 2)] == [each["name"] for each in workers]
        result = relay(regions.leaf, "want", *NAMES, "--pin", *OPTIONS)
        assert (result.code, result.stderr) == (0, "")
        until(lambda: sum(each["resources"] for each in status(regions.hub)["workers"]) == len(NAMES), "all trips")
        with (Reader(regions.leaf, *NAMES, options=OPTIONS) as there, Reader(regions.hub, *NAMES) as here):
            for reader in there, here:
                until(lambda: {state.name for state in reader.states} == set(NAMES), "all states")
                # Also those that the worker of the other region publishes.
                until(lambda: {state.worker for state in reader.states} == {each["name"] for each in workers}, "both")
                seen = len(reader.states)
                until(lambda: len({state.name for state in reader.states[seen:]}) == len(NAMES), "live states")
        drained = next(each["name"] for each in workers if f"-{far.process.pid}-" in each["name"])
        assert relay(regions.leaf, "drain", drained, *OPTIONS).code == 0
        result = relay(regions.leaf, "unwant", *NAMES, *OPTIONS)
        assert (result.code, result.stderr) == (0, "")
        assert status(regions.leaf, *OPTIONS)["wanted"] == 0
        assert (far.errors, near.errors, there.errors, here.errors) == ([], [], [], [])


@versions(("debian", False), ("newest", True))
def test_worker_of_a_leaf_node_reads_many_requests(tmp_path, fleet, version, jetstream):
    """So many that NATS asks for flow control."""
    names = tmp_path / "names"
    names.write_text("".join(f"trips/{number}{'🚕' * 50}\n" for number in range(4_000)))
    with Regions(tmp_path, version, jetstream) as regions:
        result = relay(regions.leaf, "want", f"@{names}", "--provider", "p", *OPTIONS)
        assert (result.code, result.stderr) == (0, "")
        with Worker(regions.leaf, fleet, "--capacity", 1, *OPTIONS) as worker:
            working(regions.leaf, 1, *OPTIONS)
            assert status(regions.leaf, *OPTIONS)["wanted"] == 4_000 and worker.errors == []


def test_missing_domain_is_reported(tmp_path, fleet):
    with Regions(tmp_path, "newest") as regions:
        result = relay(regions.leaf, "want", NAMES[0])
        assert_failed(result, 1, "NATS has no JetStream", hint="on a leaf node, pass --nats-domain")
        result = relay(regions.leaf, "want", NAMES[0], "--nats-domain", "hubb")
        assert_failed(result, 1, "NATS does not reach the JetStream domain hubb", hint="check --nats-domain")


def test_domain_of_a_profile_is_for_its_server(tmp_path, nats):
    path = tmp_path / "tripwire/config.json"
    path.parent.mkdir()
    settings = {"nats": nats.url, "nats-domain": DOMAIN}
    path.write_text(json.dumps({"currentProfile": "default", "profiles": {"default": settings}}))
    variables = {"XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run([program(), "want", NAMES[0]], env=environment(**variables), capture_output=True, text=True,
                          timeout=LONGEST)
    assert done.returncode == 1 and f"NATS does not reach the JetStream domain {DOMAIN}" in done.stderr
    for url, options in (nats, []), ("nats://127.0.0.1:1", ["--nats", nats.url]):
        result = relay(url, "want", NAMES[0], *options, **variables)
        assert (result.code, result.stderr) == (0, "")


@pytest.mark.parametrize("name", ["", "a.b", "*", "a>", "a b", "ä"])
def test_domain_is_a_token(name):
    assert_failed(relay("nats://127.0.0.1:1", "status", "--nats-domain", name), 2,
                  "expected the name of a domain without a dot or a wildcard, such as hub")


@versions(("newest", False), pytest.param("debian", True, marks=pytest.mark.long))
def test_reader_reports_a_lost_hub(tmp_path, fleet, version, jetstream):
    with (Regions(tmp_path, version, jetstream) as regions, Worker(regions.leaf, fleet, *OPTIONS) as far,
          Worker(regions.hub, fleet)):
        working(regions.leaf, 2, *OPTIONS)
        follow = Following(start("follow", NAMES[0], "--from", regions.leaf.url, *OPTIONS, "-o", "json",
                                 env=environment()))
        with Reader(regions.leaf, *NAMES, options=OPTIONS) as reader:
            until(lambda: {state.name for state in reader.states} == set(NAMES), "all states")
            follow.until(lambda line: "trip" in line)
            regions.hub.kill()
            lost = time.monotonic()
            follow.until(lambda line: line.get("stale"))
            # The states are stale after three intervals or 3 s.
            assert time.monotonic() - lost < 3 + 10
            # The reason follows when the last state is read again, after 30 s without states.
            error = follow.until(lambda line: "error" in line)["error"]
            assert error["code"] == "UNAVAILABLE" and "NATS does not reach the domain" in error["message"]
            assert 20 < time.monotonic() - lost < 30 + 15
            until(lambda: {state.name for state in reader.states if state.HasField("relay_error")} == set(NAMES),
                  "the problem of each trip")
            far.error("NATS does not reach the JetStream domain hub")
            # The worker of the leaf node still polls.
            before = len(fleet.journal.of())
            fleet.journal.wait_for_calls(before + 20)
            seen = len(reader.states)
            regions.hub.start()
            until(lambda: {state.name for state in reader.states[seen:] if state.HasField("trip")} == set(NAMES),
                  "all states again")
            follow.until(lambda line: "trip" in line and not line.get("stale"))
            working(regions.leaf, 2, *OPTIONS)
            # Each problem is reported once.
            assert len([line for line in reader.errors if line.startswith("warning: ")]) <= 2, reader.errors
        follow.process.kill()
        follow.process.wait()
        assert len(json.dumps(follow.errors)) < 200, follow.errors


@versions(("newest", False))
def test_trips_of_a_lost_leaf_node_move_to_the_hub(tmp_path, fleet, version, jetstream):
    with (Regions(tmp_path, version, jetstream) as regions, Worker(regions.leaf, fleet, *OPTIONS),
          Worker(regions.hub, fleet) as near):
        workers = working(regions.hub, 2)
        relay(regions.hub, "want", *NAMES, "--pin")
        owner = next(each["name"] for each in workers if f"-{near.process.pid}-" in each["name"])
        until(lambda: sum(each["resources"] for each in status(regions.hub)["workers"]) == len(NAMES), "all trips")
        with Reader(regions.hub, *NAMES) as reader:
            until(lambda: {state.name for state in reader.states} == set(NAMES), "all states")
            regions.leaf.kill()
            seen = len(reader.states)
            until(lambda: {state.name for state in reader.states[seen:] if state.worker == owner} == set(NAMES),
                  "the worker of the hub has all trips")
            regions.leaf.start()
            working(regions.hub, 2)
