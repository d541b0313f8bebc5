"""Does Prometheus accept the alert rules and the expressions of the dashboard, and does each rule fire when it should?"""

import json
import subprocess

import pytest

from support.monitoring import ALERTS, expressions

pytestmark = [pytest.mark.interop("prometheus"), pytest.mark.long, pytest.mark.packages]

# The values of a healthy worker every 15 s: a start, and what is added each time.
HEALTHY = {
    "up": "1+0", "tripwire_relay_nats_connected": "1+0", "tripwire_relay_resources": "100+0",
    "tripwire_relay_capacity": "1000+0", "tripwire_relay_lag_seconds": "0+0", "tripwire_relay_polls_total": "0+300",
    "tripwire_relay_late_polls_total": "0+1", 'tripwire_relay_poll_errors_total{code="NOT_FOUND"}': "0+3",
    "tripwire_relay_last_successful_poll_timestamp_seconds": "0+15", "tripwire_relay_publish_failures_total": "7+0",
    "tripwire_relay_pending_publications": "50+0", "tripwire_relay_unowned_requests": "0+0",
    'tripwire_relay_publication_seconds_bucket{le="0.01"}': "0+300",
    'tripwire_relay_publication_seconds_bucket{le="2"}': "0+300",
    'tripwire_relay_publication_seconds_bucket{le="+Inf"}': "0+300", "process_open_fds": "30+0",
    "process_max_fds": "1000+0"}
# What differs from a healthy worker, and the alerts.
FAULTS = {
    "none": ({}, []),
    "down": ({"up": "0+0"}, ["WithoutWorkers", "WorkerDown"]),
    "disconnected": ({"tripwire_relay_nats_connected": "0+0"}, ["Disconnected"]),
    "unowned": ({"tripwire_relay_unowned_requests": "3+0"}, ["UnownedRequests"]),
    "full": ({"tripwire_relay_resources": "950+0"}, ["NearCapacity"]),
    "late": ({"tripwire_relay_lag_seconds": "12+0"}, ["Late"]),
    "often late": ({"tripwire_relay_late_polls_total": "0+30"}, ["LatePolls"]),
    "no success": ({"tripwire_relay_last_successful_poll_timestamp_seconds": "0+0"}, ["NoPollSucceeds"]),
    "nothing to poll": ({"tripwire_relay_last_successful_poll_timestamp_seconds": "0+0",
                         "tripwire_relay_resources": "0+0"}, []),
    "errors": ({'tripwire_relay_poll_errors_total{code="NOT_FOUND"}': "0+60"}, ["PollErrors"]),
    "bad token": ({'tripwire_relay_poll_errors_total{code="UNAUTHENTICATED"}': "0+1"}, ["Refused"]),
    "quota": ({'tripwire_relay_poll_errors_total{code="RESOURCE_EXHAUSTED"}': "0+1"}, ["QuotaExceeded"]),
    "refused states": ({"tripwire_relay_publish_failures_total": "0+1"}, ["PublicationsFail"]),
    "waiting states": ({"tripwire_relay_pending_publications": "20000+0"}, ["PublicationsWait"]),
    "slow states": ({'tripwire_relay_publication_seconds_bucket{le="0.01"}': "0+200"}, ["PublicationsSlow"]),
    "descriptors": ({"process_open_fds": "900+0"}, ["Descriptors"]),
}


def promtool(*arguments):
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def series(name, value):
    name, _, labels = name.removesuffix("}").partition("{")
    labels = ['job="tripwire-relay"', 'instance="a"', *labels.split(",")]
    return {"series": f"{name}{{{','.join(filter(None, labels))}}}", "values": f"{value}x80"}


def test_each_rule_fires_at_its_fault(tmp_path):
    tests = [{
        "name": name, "interval": "15s",
        "input_series": [series(*each) for each in (HEALTHY | differences).items()],
        "promql_expr_test": [{
            "expr": 'count by (alertname) (ALERTS{alertstate="firing"})', "eval_time": "16m",
            "exp_samples": [{"labels": f'{{alertname="TripwireRelay{alert}"}}', "value": 1} for alert in alerts]}],
    } for name, (differences, alerts) in FAULTS.items()]
    # JSON is YAML.
    path = tmp_path / "tests.yml"
    path.write_text(json.dumps({"rule_files": [str(ALERTS)], "evaluation_interval": "15s", "tests": tests}))
    promtool("test", "rules", path)
    fired = {f"TripwireRelay{alert}" for _, alerts in FAULTS.values() for alert in alerts}
    names = {line.split()[-1] for line in ALERTS.read_text().splitlines() if "- alert: " in line}
    assert names == fired


def test_expressions_of_the_dashboard_are_valid(tmp_path):
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    path = tmp_path / "rules.yml"
    path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    promtool("check", "rules", "--lint=none", path)
