"""Do the peers of Cloud Logging behave as Google's Python client and the reference of the query language say?"""

import grpc
import pytest
from google.cloud.logging_v2.services.logging_service_v2 import LoggingServiceV2Client
from google.cloud.logging_v2.services.logging_service_v2.transports import LoggingServiceV2GrpcTransport
from google.protobuf import json_format

from peers.google import Identities, logging_filter
from peers.google.cloud_logging import CloudLogging, LogEntry

ENTRY = {
    "insertId": "a", "timestamp": "2026-11-21T09:30:00.5Z", "severity": "INFO",
    "labels": {"trip_id": "T1", "quoted": 'a"b\\c\n'}, "resource": {"type": "fleetengine.googleapis.com/Fleet"},
    "jsonPayload": {"request": {"tripId": "t1", "count": 3, "stops": [{"id": "x"}, {"id": "y"}]}}}


@pytest.mark.parametrize("text, expected", [
    ("", True),
    ('labels.trip_id="t1"', True),
    ('labels.trip_id="t"', False),
    ('labels.trip_id:"t"', True),
    ('labels.missing!="t"', False),
    ('labels.quoted="a\\"b\\\\c\\n"', True),
    ('labels.quoted="a\\u0022b\\u005cc\\x0a"', True),
    ('resource.type="fleetengine.googleapis.com/Fleet" jsonPayload.request.count>=3', True),
    ('jsonPayload.request.stops.id="y"', True),
    ('timestamp>="2026-11-21T09:30:00.500Z" AND timestamp<"2026-11-21T10:30:00.6+01:00"', True),
    ('timestamp>"2026-11-21T09:30:00.5Z"', False),
    # NOT binds closer than OR, and OR closer than AND.
    ('insertId="b" AND insertId="a" OR insertId="a"', False),
    ('NOT insertId="b" OR insertId="b"', True),
    ('(insertId="b" AND insertId="a") OR insertId="a"', True),
])
def test_filter(text, expected):
    assert logging_filter.parsed(text)(json_format.ParseDict(ENTRY, LogEntry())) is expected


@pytest.mark.parametrize("text", [
    'insertId="a', 'insertId="a\nb"', '(insertId="a"', 'insertId="a")', 'insertId=', '="a"', 'insertId="a" OR', "x" * 20_001])
def test_invalid_filter(text):
    with pytest.raises(logging_filter.InvalidFilter):
        logging_filter.parsed(text)


def test_python_client_reads_all_pages(certificates):
    identities = Identities()
    token = identities.issue("anna@example.com")
    with CloudLogging(identities, certificates.google) as peer:
        peer.add(*(ENTRY | {"insertId": f"{index}"} for index in range(5)))
        trust = grpc.ssl_channel_credentials(certificates.authority.read_bytes())
        credentials = grpc.composite_channel_credentials(trust, grpc.access_token_call_credentials(token))
        options = [("grpc.ssl_target_name_override", "logging.googleapis.com")]
        with grpc.secure_channel(f"127.0.0.1:{peer.port}", credentials, options) as channel:
            client = LoggingServiceV2Client(transport=LoggingServiceV2GrpcTransport(channel=channel))
            entries = list(client.list_log_entries({
                "resource_names": ["projects/p"], "filter": 'labels.trip_id="t1"', "page_size": 2}))
        assert [entry.insert_id for entry in entries] == list("01234")
        assert len(peer.requests) == 3
