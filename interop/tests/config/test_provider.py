"""Do --provider and TRIPWIRE_PROVIDER complete the names of trips and vehicles?"""

import pytest

from support.command import LONGEST, assert_failed, at, replayed, tripwire


@pytest.mark.parametrize("name, sent", [
    ("t1", "providers/p/trips/t1"), ("trips/t1", "providers/p/trips/t1"),
    ("vehicles/v1", "providers/p/vehicles/v1"),
    ("providers/q/trips/t1", "providers/q/trips/t1"),
    ("trips/Fahrt-7_ä", "providers/p/trips/Fahrt-7_ä"),
])
def test_get_completes_names(own_server, name, sent):
    tripwire("get", name, "--provider", "p", *at(own_server.address))
    assert own_server.arrived.get(timeout=LONGEST) == sent
    tripwire("get", name, *at(own_server.address), TRIPWIRE_PROVIDER="p")
    assert own_server.arrived.get(timeout=LONGEST) == sent


def test_option_overrides_the_variable(own_server):
    tripwire("get", "t1", "--provider", "p", *at(own_server.address), TRIPWIRE_PROVIDER="q")
    assert own_server.arrived.get(timeout=LONGEST) == "providers/p/trips/t1"


def test_follow_completes_names(own_server):
    tripwire("follow", "t1", "trips/t2", "--provider", "p", "--for", "1s", *at(own_server.address))
    names = {own_server.arrived.get(timeout=LONGEST) for _ in range(2)}
    assert names == {"providers/p/trips/t1", "providers/p/trips/t2"}


def test_map_accepts_the_provider():
    result = tripwire("map", "vehicles/v1", "--provider", "p", "--until", "complete")
    assert_failed(result, 2, "--until cannot be used with a vehicle", hint="follow only trips")


@pytest.mark.parametrize("command", ["get", "follow", "map"])
def test_short_name_without_a_provider_is_refused(command):
    assert_failed(tripwire(command, "t1", *replayed("trip")), 2,
                  hint=["--provider PROJECT", "providers/PROJECT/trips/t1"])


@pytest.mark.parametrize("arguments, variables, error, hint", [
    (["--provider", "a/b"], {}, '--provider a/b: a project ID must not contain a "/"', "usage"),
    (["--provider", "providers/p"], {}, '--provider providers/p: a project ID must not contain a "/"',
     'leave out "providers/"'),
    (["--provider", ""], {}, "--provider '': expected the ID of a Cloud project", "usage"),
    (["--provider", "a?b"], {}, '--provider a?b: a project ID must not contain a "?"', "usage"),
    ([], {"TRIPWIRE_PROVIDER": "a/b"}, 'TRIPWIRE_PROVIDER=a/b: a project ID must not contain a "/"',
     "usage"),
])
def test_invalid_provider_is_reported(arguments, variables, error, hint):
    assert_failed(tripwire("get", "t1", *arguments, **variables), 2, error=error, hint=hint)


@pytest.mark.parametrize("name, error, caret", [
    ("t:1", 'a trip ID must not contain a ":"', (20, 20)),
    ("trips/", "the trip ID is missing", (19, 19)),
])
def test_mistake_in_a_short_name_is_marked(name, error, caret):
    assert_failed(tripwire("get", name, "--provider", "p"), 2, error=f"NAME: {error}", caret=caret)
