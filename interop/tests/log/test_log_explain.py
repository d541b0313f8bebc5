"""Does `tripwire log --explain` find the cause that a story has, and no other?"""

import json
import re
from datetime import datetime

import pytest

from peers.recordings import binary_log
from peers.recordings.two_sides import POLLS, TwoSides, UPDATES
from support.command import assert_failed, tripwire

SPARE = 60
"""The time before and after a trouble, in seconds."""


def driver_stops(trip):
    trip.is_driver_silent = True


def gps_jumps(trip):
    trip.jump = 3.0


def update_refused(trip):
    trip.refused = "PERMISSION_DENIED", "vehicle_id does not match the token"


def token_expires(trip):
    trip.failing = "UNAUTHENTICATED", "the token has expired"


def app_in_background(trip):
    trip.is_suspended = True


def quota(trip):
    trip.failing = "RESOURCE_EXHAUSTED", "Quota exceeded."


def proxy_cuts(trip):
    trip.is_cut = True


def server_slow(trip):
    trip.latency = 35.0


def server_later_than_the_client_waits(trip):
    trip.latency, trip.timeout = 35.0, 4.0


def traffic_jam(trip):
    trip.is_jammed = True


STORIES = {
    driver_stops: ("driver", "nothing-sent", "UpdateVehicle calls missing (usual interval 5 s"),
    gps_jumps: ("driver", "updates-discarded", "334 km in 5 s is too fast"),
    update_refused: ("driver", "updates-failed",
                     "UpdateVehicle calls ended with PERMISSION_DENIED: vehicle_id does not match the token"),
    token_expires: ("client", "token-refused", "s apart, ended with UNAUTHENTICATED: the token has expired"),
    app_in_background: ("client", "not-asked", "the app was suspended or closed"),
    quota: ("client", "polls-failed", "s apart, ended with RESOURCE_EXHAUSTED: Quota exceeded."),
    proxy_cuts: ("network", "polls-failed",
                 "s apart, ended with UNAVAILABLE (local): connection reset by peer"),
    server_slow: ("server", "slow-answer", "an answer took 35"),
    server_later_than_the_client_waits: ("server", "slow-answer", "an answer took 35"),
}


class RecordedStory:
    """A story that was recorded, and where its trouble began and ended."""

    def __init__(self, folder, trouble, clock_error=0.0):
        trip = TwoSides(clock_error)
        healthy = dict(vars(trip))
        trip.run(SPARE)
        trouble(trip)
        self.begin = trip.run(60)
        for name in ("is_driver_silent", "is_suspended", "is_cut", "is_jammed", "jump", "refused", "failing",
                     "latency", "timeout"):
            setattr(trip, name, healthy[name])
        self.end = trip.run(SPARE)
        self.client, self.server = trip.write(folder)

    def explain(self, *options, sides=("client", "server")):
        files = [self.client] * ("client" in sides)
        if "server" in sides:
            files += ["--import-cloud-logging", self.server]
        return tripwire("log", *files, "--trip", "t1", "--explain", *options, TZ="UTC")

    def spans(self, **more):
        lines = [json.loads(line) for line in self.explain("-o", "json", **more).stdout.splitlines()]
        return [line for line in lines if line["event"] == "span"]

    @property
    def clock(self):
        first = json.loads(self.explain("-o", "json").stdout.splitlines()[0])
        assert first["event"] == "clock"
        return first


def seconds(text):
    return datetime.fromisoformat(text).timestamp()


def assert_partition(spans):
    for one, other in zip(spans, spans[1:]):
        assert one["end"] == other["start"]
    total = seconds(spans[-1]["end"]) - seconds(spans[0]["start"])
    assert sum(span["seconds"] for span in spans) == pytest.approx(total, abs=0.01)


@pytest.mark.parametrize("trouble", STORIES, ids=lambda trouble: trouble.__name__)
def test_each_story_has_its_cause_and_no_other(trouble, tmp_path):
    story = RecordedStory(tmp_path, trouble)
    spans = story.spans()
    assert_partition(spans)
    side, cause, words = STORIES[trouble]
    stale = [span for span in spans if span["state"] == "stale"]
    assert [(span["side"], span["cause"]) for span in stale] == [(side, cause)], stale
    assert words in stale[0]["text"]
    late = 35 if trouble in (server_slow, server_later_than_the_client_waits, proxy_cuts, quota, token_expires) else UPDATES + POLLS
    assert -UPDATES - POLLS <= seconds(stale[0]["start"]) - story.begin <= UPDATES + POLLS
    assert -UPDATES <= seconds(stale[0]["end"]) - story.end <= late
    assert {span["state"] for span in spans} <= {"waiting", "current", "stale"}
    text = story.explain().stdout
    assert words in text and text.count("stale ") == 1, text


@pytest.mark.parametrize("name, fault", [
    ("failing", ("INTERNAL", "internal error")), ("failing", ("UNAVAILABLE", "try later")), ("is_cut", True)])
def test_silence_after_errors_is_the_clients(name, fault, tmp_path):
    def errors_and_background(trip):
        setattr(trip, name, fault)
        trip.run(7)
        trip.is_suspended = True

    story = RecordedStory(tmp_path, errors_and_background)
    stale, = (span for span in story.spans() if span["state"] == "stale")
    assert (stale["side"], stale["cause"]) == ("client", "not-asked")
    code = "UNAVAILABLE (local): connection reset" if name == "is_cut" else ": ".join(fault)
    assert f" after {code}" in stale["text"] and "the app was backing off, suspended or closed" in stale["text"]
    stale, = (span for span in story.spans(sides=["server"]) if span["state"] == "stale")
    assert stale["cause"] == "not-asked" and "pass its recording to see why" in stale["text"]


def test_updates_on_which_the_server_fails_are_its_side(tmp_path):
    def trouble(trip):
        trip.refused = "INTERNAL", "internal error"

    stale, = (span for span in RecordedStory(tmp_path, trouble).spans() if span["state"] == "stale")
    assert (stale["side"], stale["cause"]) == ("server", "updates-failed")
    assert stale["text"].startswith("the server failed on the driver's updates: ")


def test_a_traffic_jam_is_no_trouble_of_the_app(tmp_path):
    story = RecordedStory(tmp_path, traffic_jam)
    spans = story.spans()
    assert_partition(spans)
    assert [span["state"] for span in spans if span["state"] != "waiting"] == ["current", "still", "current"]
    still = next(span for span in spans if span["state"] == "still")
    assert still["seconds"] == pytest.approx(60, abs=UPDATES + POLLS)
    assert "the vehicle stood still" in still["text"]


@pytest.mark.parametrize("error", [90.0, -90.0, 0.0])
def test_a_wrong_clock_is_no_trouble_of_the_app(error, tmp_path):
    story = RecordedStory(tmp_path, lambda _: None, clock_error=error)
    assert {span["state"] for span in story.spans()} == {"waiting", "current"}
    clock = story.clock
    assert abs(clock["offsetSeconds"] + error) <= clock["uncertaintySeconds"] + 0.001
    assert clock["uncertaintySeconds"] < 0.1
    line = story.explain().stdout.splitlines()[1]
    expected = {90.0: r"1 min (29|30) s ahead of", -90.0: r"1 min (29|30) s behind", 0.0: "equal to"}
    assert re.match(f"client clock: {expected[error]} the server's clock \\(±", line), line


@pytest.mark.parametrize("step", [150.0, -150.0])
def test_a_clock_that_is_set_is_corrected_before_and_after(step, tmp_path):
    def set_clock(trip):
        trip.clock_error += step

    story = RecordedStory(tmp_path, set_clock)
    assert {span["state"] for span in story.spans()} == {"waiting", "current"}
    lines = [json.loads(line) for line in story.explain("-o", "json").stdout.splitlines()]
    before, after = (line for line in lines if line["event"] == "clock")
    assert abs(before["offsetSeconds"]) < 0.1 and abs(after["offsetSeconds"] + step) < 0.1
    assert abs(seconds(after["start"]) - story.begin) <= POLLS
    result = story.explain()
    direction = "forward" if step > 0 else "back"
    assert f"warning: the client's clock was set {direction} by 2 min 30 s, to 09:" in result.stderr
    assert result.stdout.splitlines()[2].startswith("client clock: from 09:")


def test_a_recording_alone_shows_that_its_clock_was_set_back(tmp_path):
    def set_clock(trip):
        trip.clock_error -= 150

    story = RecordedStory(tmp_path, set_clock)
    spans = story.spans(sides=["client"])
    assert_partition(spans)
    assert {span["state"] for span in spans} == {"waiting", "current"}
    # As with the server's log, except for the calls before the client began.
    assert sum(span["seconds"] for span in spans) == pytest.approx(
        sum(span["seconds"] for span in story.spans()), abs=POLLS + UPDATES)
    assert "warning: the client's clock was set back by 2 min " in story.explain(sides=["client"]).stderr
    piped = tripwire("log", "-", "--trip", "t1", "--explain", stdin=story.client.read_bytes())
    assert (piped.code, piped.stderr) == (0, "")


def test_a_wrong_clock_does_not_hide_the_cause(tmp_path):
    story = RecordedStory(tmp_path, driver_stops, clock_error=90.0)
    stale, = (span for span in story.spans() if span["state"] == "stale")
    assert stale["cause"] == "nothing-sent"
    assert abs(seconds(stale["start"]) - story.begin) <= UPDATES + POLLS


def test_one_side_alone_names_the_missing_one(tmp_path):
    story = RecordedStory(tmp_path, driver_stops)
    stale, = (span for span in story.spans(sides=["client"]) if span["state"] == "stale")
    assert (stale["side"], stale["cause"]) == ("unknown", "no-updates-known")
    assert "pass its log with --import-cloud-logging FILE" in stale["text"]
    stale, = (span for span in story.spans(sides=["server"]) if span["state"] == "stale")
    assert stale["cause"] == "nothing-sent"


def test_a_log_of_another_time_proves_nothing(tmp_path):
    story = RecordedStory(tmp_path, driver_stops)
    # Without calls of the client, which would show that its clock is wrong.
    updates = [entry for entry in json.loads(story.server.read_text()) if "UpdateVehicleLog" in str(entry)]
    story.server.write_text(json.dumps(updates).replace("2026-11-21", "2026-11-22"))
    assert_failed(story.explain(), 1, error=f"{story.client} and {story.server} have no time in common",
                  hint="pass logs of the same time")


def test_a_closed_app_is_seen_in_the_log_of_the_server(tmp_path):
    story = RecordedStory(tmp_path, app_in_background)
    stale, = (span for span in story.spans(sides=["server"]) if span["state"] == "stale")
    assert stale["cause"] == "not-asked" and "pass its recording to see why" in stale["text"]


def test_apps_in_one_recording_are_reported(tmp_path):
    story = RecordedStory(tmp_path, app_in_background)
    assert "several clients" not in story.explain().stderr
    entries = binary_log.read(story.client)
    for entry in binary_log.read(story.client):
        entry.call_id += 1_000
        entry.timestamp.seconds += 1
        entries.append(entry)
    entries.sort(key=lambda entry: entry.timestamp.ToNanoseconds())
    binary_log.write(story.client, entries)
    for view in "--explain", "--locations":
        result = tripwire("log", story.client, "--trip", "t1", view)
        assert (result.code, result.stderr) == (0, "warning: the trip has calls of several clients at the same time,"
                                                " which count as one app; pass the recording of one\n")


def test_scripts_can_fail_on_a_condition(tmp_path):
    story = RecordedStory(tmp_path, driver_stops)
    result = story.explain("--fail-on", "stale>30s")
    assert result.code == 5 and result.stderr.startswith("error: --fail-on stale>30s: 1 min ")
    assert "the driver's app sent nothing" in result.stdout
    assert story.explain("--fail-on", "stale>2m").code == 0
    assert story.explain("--fail-on", "nothing-sent>30s").code == 5
    assert story.explain("--fail-on", "not-asked>1s").code == 0
    for condition, reason in [
            ("stale", "expected a condition such as stale>30s"), ("broken>3s", "expected a condition such as stale>30s"),
            ("stale>", "expected a duration such as 500ms"), ("stale>3x", "expected a duration such as 500ms"),
            ("stale>3", "the unit is missing: expected 3s")]:
        assert_failed(story.explain("--fail-on", condition), 2, "--fail-on", reason)


def test_the_timeline_names_the_side_of_each_event(tmp_path):
    story = RecordedStory(tmp_path, driver_stops)
    files = [story.client, "--import-cloud-logging", story.server]
    lines = tripwire("log", *files, "--trip", "t1", TZ="UTC").stdout.splitlines()
    assert {line.split()[3] for line in lines[1:]} == {"client", "server"}
    times = [line.split()[0] for line in lines[1:]]
    assert times == sorted(times)
    events = [json.loads(line) for line in tripwire(
        "log", *files, "--trip", "t1", "-o", "json").stdout.splitlines()]
    assert {event["logger"] for event in events} == {"client", "server"}


def test_each_location_has_its_way(tmp_path):
    story = RecordedStory(tmp_path, gps_jumps)
    files = [story.client, "--import-cloud-logging", story.server, "--trip", "t1", "--locations"]
    lines = [json.loads(line) for line in tripwire("log", *files, "-o", "json").stdout.splitlines()]
    paths = [line for line in lines if line["event"] == "location"]
    kept = [path for path in paths if path["result"] == "accepted" and "shown" in path]
    assert len(kept) > 15
    for path in kept:
        assert path["uplink"] == 0.18 and 0 < path["wait"] < POLLS and 0 < path["downlink"] < 0.1
        assert path["total"] == pytest.approx(path["uplink"] + path["wait"] + path["downlink"], abs=0.01)
        assert path["meters"] == 0 and path["sent"] == path["accepted"]
    discarded = [path for path in paths if path["result"] == "discarded"]
    assert len(discarded) == 12 and "shown" not in discarded[0]
    assert discarded[0]["reason"] == "discarded: 334 km in 5 s is too fast"
    assert discarded[0]["meters"] == pytest.approx(333_600, abs=200)
    delays = {line["leg"]: line for line in lines if line["event"] == "delays"}
    assert delays["uplink"]["median"] == 0.18 and delays["total"]["worst"] < POLLS + 1
    table = tripwire("log", *files, TZ="UTC").stdout.splitlines()
    assert table[1].split() == ["measured", "received", "answered", "shown", "total", "update"]
    assert table[-3].split()[:2] == ["median", "+180.0"]
    assert len([line for line in table if "discarded: " in line]) == 12


def test_standard_input_cannot_be_read_twice(tmp_path):
    story = RecordedStory(tmp_path, driver_stops)
    assert_failed(tripwire("log", "-", "--import-cloud-logging", story.server, "--trip", "t1"), 2,
                  "- cannot be read twice", hint="save the recording to a file")
