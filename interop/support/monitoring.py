"""The dashboard and the alert rules for the metrics of workers."""

import json
import re

from support.paths import INTEROP

FOLDER = INTEROP.parent / "packaging/monitoring"
ALERTS = FOLDER / "alerts.yml"


def dashboard():
    return json.loads((FOLDER / "dashboard.json").read_text())


def panels():
    """The panels that show metrics."""
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions():
    """The expressions of the dashboard, with values for its variables."""
    values = {"$__rate_interval": "1m", "$job": "tripwire-relay", "$instance": ".*"}
    return [re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], target["expr"])
            for panel in panels() for target in panel["targets"]]


def metrics():
    """The names of the metrics that the dashboard and the rules use, except Prometheus's own."""
    text = "\n".join(expressions()) + ALERTS.read_text()
    return set(re.findall(r"\b(?:tripwire_relay|process)_[a-z_]+", text))
