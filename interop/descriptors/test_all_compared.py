"""Is every proto of ours compared with an upstream one?"""

from support.paths import PROTOS
from descriptors import apis, test_google_apis, test_grpc, test_iam_credentials, test_logging

# Protos without an upstream version.
OURS = {
    "tripwire/codegen/v1/config.proto", "tripwire/config/v1/config.proto",
    "tripwire/emulator/v1/emulator.proto", "tripwire/emulator/v1/faults.proto",
    "tripwire/relay/v1/poll_error.proto", "tripwire/relay/v1/poll_request.proto",
    "tripwire/relay/v1/resource_state.proto", "tripwire/relay/v1/trip_state.proto", "tripwire/script/v1/script.proto",
}


def test_every_proto_is_compared():
    found = {str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto")}
    assert found == {
        *apis.PATHS, *test_google_apis.THEIRS, test_google_apis.PLUGIN,
        "grpc/binlog/v1/binarylog.proto", test_grpc.HEALTH, test_grpc.REFLECTION,
        *test_iam_credentials.PATHS, *test_logging.PATHS, *OURS,
    }
