"""Do our protos of Cloud Logging equal those of PyPI, as far as they go?"""

import json

import grpc
from google.api import monitored_resource_pb2
from google.api_core import exceptions
from google.cloud.logging_v2.services.logging_service_v2.transports import LoggingServiceV2GrpcTransport
from google.cloud.logging_v2.types import ListLogEntriesRequest, LogEntry
from google.logging.type import log_severity_pb2

from descriptors.compare import differences, shape_of_files
from support.paths import PROTOS

FOLDER = "google/logging/v2"
THEIRS = {
    "google/api/monitored_resource.proto": monitored_resource_pb2.DESCRIPTOR,
    "google/logging/type/log_severity.proto": log_severity_pb2.DESCRIPTOR,
    f"{FOLDER}/log_entry.proto": LogEntry.pb().DESCRIPTOR.file,
    f"{FOLDER}/logging.proto": ListLogEntriesRequest.pb().DESCRIPTOR.file,
}
PATHS = set(THEIRS)


def test_messages_are_theirs(ours):
    found = differences(shape_of_files(ours(*THEIRS)), shape_of_files(THEIRS.values()))
    found = [each for each in found if not each.endswith(": only theirs")]
    assert found == []


def test_method_is_theirs(ours):
    (file,) = ours(f"{FOLDER}/logging.proto")
    (service,) = file.services_by_name.values()
    (method,) = service.methods
    (config,) = json.loads((PROTOS / FOLDER / "logging_grpc_service_config.json").read_text())["methodConfig"]
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        transport = LoggingServiceV2GrpcTransport(channel=channel)
        theirs = transport._wrapped_methods[transport.list_log_entries]
    assert theirs._method == f"/{service.full_name}/{method.name}"
    assert config["name"] == [{"service": service.full_name, "method": method.name}]
    assert config["timeout"] == f"{theirs._timeout:.0f}s"
    policy, retry = config["retryPolicy"], theirs._retry
    assert policy["initialBackoff"] == f"{retry._initial}s" and policy["maxBackoff"] == f"{retry._maximum:.0f}s"
    assert policy["backoffMultiplier"] == retry._multiplier
    kinds = {"DEADLINE_EXCEEDED": exceptions.DeadlineExceeded, "INTERNAL": exceptions.InternalServerError,
             "UNAVAILABLE": exceptions.ServiceUnavailable}
    assert set(policy["retryableStatusCodes"]) == set(kinds)
    assert all(retry._predicate(kind("")) for kind in kinds.values())
    assert not retry._predicate(exceptions.ResourceExhausted(""))
