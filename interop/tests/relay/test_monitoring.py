"""Do the dashboard and the alert rules use the metrics that a worker serves?"""

import itertools
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

from support.monitoring import dashboard, metrics, panels
from support.nats.server import free_port
from support.relay import Worker

# The parts of a histogram that no panel needs.
UNUSED = ("_count", "_sum")


def served(nats, fleet):
    """The names of the metrics that a worker serves."""
    address = f"127.0.0.1:{free_port()}"
    with Worker(nats, fleet, "--metrics", address) as worker:
        worker.error("metrics: ")
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=60) as response:
            families = list(text_string_to_metric_families(response.read().decode()))
    # A counter has no samples before its first label.
    return {f"{family.name}_total" for family in families if family.type == "counter"} | {
        sample.name for family in families for sample in family.samples if not sample.name.endswith(UNUSED)}


def test_metrics_are_those_of_a_worker(nats, moving):
    assert metrics() == served(nats, moving)


def test_panels_do_not_overlap():
    positions = [panel["gridPos"] for panel in dashboard()["panels"]]
    assert all(place["x"] + place["w"] <= 24 for place in positions)
    for one, other in itertools.combinations(positions, 2):
        assert (one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
                or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"])
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(positions)


def test_dashboard_uses_the_data_source_of_the_user():
    assert {panel["datasource"]["uid"] for panel in panels()} == {"${datasource}"}
