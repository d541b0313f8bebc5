"""A pytest plugin that prints one line for each case: peer, case, ok or FAILED, note.

`make interop` uses it. The mark `interop` makes a test a case and may name the peer; otherwise the
parameter `peer` does. The rest of the test's name is the name of the case. The fixture `note` adds a
measurement: note("3 of 1000 failed").
"""

import pytest

RESULTS = {"passed": ("ok", {"green": True}), "failed": ("FAILED", {"red": True})}


def pytest_addoption(parser):
    parser.addoption("--lines", action="store_true", help="print a line for each case")


@pytest.fixture
def note(record_property):
    """Adds a note to the line of this case."""
    return lambda text: record_property("note", text)


def pytest_collection_modifyitems(items):
    for item in items:
        if mark := item.get_closest_marker("interop"):
            item.user_properties.append(("line", peer_and_case(item, mark)))


def peer_and_case(item, mark):
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    peer = parameters.pop("peer", *mark.args) if mark.args else parameters.pop("peer")
    if case := parameters.get("case"):
        return str(peer), case
    name = item.originalname.removeprefix("test_")
    return str(peer), " ".join([name, *(str(value) for value in parameters.values())])


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report, config):
    properties = dict(getattr(report, "user_properties", ()))
    if not config.getoption("lines") or "line" not in properties:
        return None
    if report.outcome != "failed" and report.when != "call":
        return None
    peer, case = properties["line"]
    word, colors = RESULTS[report.outcome]
    note = properties.get("note", "")
    if report.failed and report.longrepr is not None:
        note = f"{note}  {last_line(report.longrepr)}".strip()
    line = f"{peer:<20} {case:<42} {word:<7} {note}".rstrip()
    return report.outcome, line + "\n", (word, colors)


def last_line(longrepr):
    crash = getattr(longrepr, "reprcrash", None)
    return (crash.message if crash else str(longrepr)).strip().splitlines()[0][:200]
