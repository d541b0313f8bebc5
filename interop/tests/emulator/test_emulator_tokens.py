"""Does `tripwire emulate --check-tokens` accept and refuse the same tokens as the simulated fleet?"""

import pytest
from google.api_core import exceptions

from peers.fleet import ServiceAccount
from support.command import assert_failed, at, tripwire
from support.emulator import emulating
from support.fleet_services import connected_services
from tests.fleet.test_service_tokens import CASES, EVERYTHING

PARENT = "providers/p"


@pytest.fixture(scope="module")
def account():
    return ServiceAccount.make("p")


@pytest.fixture(scope="module")
def emulator(account, tmp_path_factory):
    key = tmp_path_factory.mktemp("account") / "key.json"
    account.save(key)
    with emulating("--check-tokens", key) as emulator:
        emulator.key = key
        yield emulator


@pytest.fixture
def call(emulator, account):
    """Makes the call of a method with these private claims; returns the code and the reason."""
    with connected_services(emulator) as services:
        def call(method, claims):
            services.token = account.mint(authorization=claims)
            try:
                CASES[method][0](services)
            except exceptions.GoogleAPICallError as error:
                return error.grpc_status_code.name, error.reason
            return "OK", None

        yield call


def is_accepted(result):
    """The resource may be missing: the token is checked before."""
    return result[0] in ("OK", "NOT_FOUND", "ALREADY_EXISTS", "INVALID_ARGUMENT")


@pytest.mark.parametrize("method", CASES)
def test_claim_of_the_method_is_accepted(call, method):
    assert is_accepted(call(method, CASES[method][1]))
    assert is_accepted(call(method, EVERYTHING))


@pytest.mark.parametrize("method", CASES)
def test_other_claims_are_refused(call, method):
    claims = {name: ["other"] if name == "taskids" else "other" for name in CASES[method][1]}
    assert call(method, claims) == ("PERMISSION_DENIED", "IAM_PERMISSION_DENIED")
    claims = {name: value for name, value in EVERYTHING.items() if name not in CASES[method][1]}
    assert call(method, claims) == ("UNAUTHENTICATED", "CREDENTIALS_MISSING")


def test_batch_needs_a_list_with_every_task(call):
    assert call("BatchCreateTasks", {"taskids": "*"})[0] == "PERMISSION_DENIED"
    assert call("BatchCreateTasks", {"taskids": ["k8"]})[0] == "PERMISSION_DENIED"
    assert is_accepted(call("BatchCreateTasks", {"taskids": ["k7", "k8", "k9"]}))


def test_driver_searches_the_trips_of_the_vehicle(emulator, account):
    with connected_services(emulator, account.mint(authorization={"vehicleid": "v1"})) as services:
        assert services.search_trips(parent=PARENT, vehicle_id="v1") is not None
        with pytest.raises(exceptions.PermissionDenied, match="does not allow the vehicle v2"):
            services.search_trips(parent=PARENT, vehicle_id="v2")


@pytest.mark.parametrize("claims, code", [
    ({"aud": "https://example.com/"}, "PERMISSION_DENIED"), ({"iss": "other@example.com"}, "PERMISSION_DENIED"),
    ({"sub": "other@example.com"}, "PERMISSION_DENIED"), ({"exp": 1}, "UNAUTHENTICATED"),
    ({"iat": 4_000_000_000, "exp": 4_000_000_060}, "UNAUTHENTICATED"),
    ({"nbf": 4_000_000_000}, "PERMISSION_DENIED"), ({"iat": 0}, "PERMISSION_DENIED"), ({"authorization": None}, "PERMISSION_DENIED"),
])
def test_wrong_claims_are_refused(emulator, account, claims, code):
    token = account.mint(**{"authorization": EVERYTHING} | claims)
    with connected_services(emulator, token) as services, pytest.raises(exceptions.GoogleAPICallError) as caught:
        services.get_trip(name=f"{PARENT}/trips/t1")
    assert caught.value.grpc_status_code.name == code


def test_tokens_of_others_are_refused(emulator):
    for token in ServiceAccount.make("p").mint(authorization=EVERYTHING), "x", "a.b.c", "ya29.x":
        with connected_services(emulator, token) as services, pytest.raises(exceptions.PermissionDenied):
            services.get_trip(name=f"{PARENT}/trips/t1")
    with connected_services(emulator) as services, pytest.raises(exceptions.Unauthenticated):
        services.get_trip(name=f"{PARENT}/trips/t1")


def test_own_tokens_are_accepted(emulator):
    options = [*at(emulator.address), "--credentials", emulator.key]
    assert_failed(tripwire("get", f"{PARENT}/trips/t1", *options), 64 + 5)


@pytest.mark.parametrize("content", ["", "{}", "[]"])
def test_invalid_key_files_are_refused(tmp_path, content):
    (tmp_path / "key.json").write_text(content)
    assert_failed(tripwire("emulate", "--check-tokens", tmp_path / "key.json"), 1, "--check-tokens: ")
    assert_failed(tripwire("emulate", "--check-tokens", tmp_path / "none"), 1, "--check-tokens: ")
