"""Does `-o text` print a readable summary?"""

from support.command import get


def test_text_shows_name_status_vehicle_and_distance(server):
    result = get(server, "trips/t1", "-o", "text")
    assert (result.code, result.stderr) == (0, "")
    for word in ["providers/p/trips/t1", "ENROUTE_TO_PICKUP", "v1", "km"]:
        assert word.lower().replace("_", " ") in result.stdout.lower().replace("_", " ")
    assert "{" not in result.stdout


def test_text_shows_a_dash_for_unset_fields(server):
    result = get(server, "trips/empty", "-o", "text")
    assert (result.code, result.stderr) == (0, "")
    assert "—" in result.stdout
