"""Do our protos of IAM Credentials equal those of PyPI, as far as they go?"""

import json

import grpc
from google.cloud.iam_credentials_v1.services.iam_credentials.transports import IAMCredentialsGrpcTransport
from google.cloud.iam_credentials_v1.types import SignJwtRequest

from descriptors.compare import differences, shape_of_files
from support.paths import PROTOS

FOLDER = "google/iam/credentials/v1"
PATHS = {f"{FOLDER}/common.proto", f"{FOLDER}/iamcredentials.proto"}


def test_messages_are_theirs(ours):
    (common,) = ours(f"{FOLDER}/common.proto")
    assert set(common.message_types_by_name) == {"SignJwtRequest", "SignJwtResponse"}
    found = differences(shape_of_files([common]), shape_of_files([SignJwtRequest.pb().DESCRIPTOR.file]))
    assert [each for each in found if not each.endswith(": only theirs")] == []


def test_method_is_theirs(ours):
    (file,) = ours(f"{FOLDER}/iamcredentials.proto")
    (service,) = file.services_by_name.values()
    (method,) = service.methods
    (ours,) = json.loads((PROTOS / FOLDER / "iamcredentials_grpc_service_config.json").read_text())["methodConfig"]
    with grpc.insecure_channel("127.0.0.1:1") as channel:
        transport = IAMCredentialsGrpcTransport(channel=channel)
        theirs = transport._wrapped_methods[transport.sign_jwt]
    assert theirs._method == f"/{service.full_name}/{method.name}"
    assert ours["name"] == [{"service": service.full_name, "method": method.name}]
    assert ours["timeout"] == f"{theirs._timeout:.0f}s"
    policy, retry = ours["retryPolicy"], theirs._retry
    assert policy["initialBackoff"] == f"{retry._initial}s" and policy["maxBackoff"] == f"{retry._maximum:.0f}s"
    assert policy["backoffMultiplier"] == retry._multiplier
