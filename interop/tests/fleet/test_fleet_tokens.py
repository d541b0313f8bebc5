"""Does the simulated fleet accept and refuse the same tokens as Fleet Engine?"""

import json
import time

import pytest
from google.api_core import exceptions
from google.auth import jwt
from google.oauth2 import service_account

from support.fleet_client import connected_client
from peers.fleet import Fleet, ServiceAccount


@pytest.fixture(scope="module")
def account():
    return ServiceAccount.make("p")


@pytest.fixture
def fleet(account):
    with Fleet(account=account) as fleet:
        fleet.add_trip("t1")
        fleet.add_trip("t2")
        yield fleet


@pytest.fixture
def get(fleet):
    """Gets t1 with a token; raises if the token is refused."""
    with connected_client(fleet) as client:
        def get(token):
            client.token = token
            return client.get(fleet.trips["t1"])

        yield get


def refused(get, token):
    """Returns the code, the reason in the ErrorInfo, and the message."""
    with pytest.raises(exceptions.GoogleAPICallError) as caught:
        get(token)
    assert caught.value.domain == "googleapis.com"
    assert caught.value.metadata == {"service": "fleetengine.googleapis.com"}
    return caught.value.grpc_status_code.name, caught.value.reason, caught.value.message


@pytest.mark.parametrize("trip_id", ["t1", "*"])
def test_token_for_the_trip_is_accepted(get, account, trip_id):
    assert get(account.mint(trip_id)).name == "providers/p/trips/t1"


UNAUTHENTICATED = {
    "no token": (lambda account: None, "CREDENTIALS_MISSING"),
    "expired": (lambda account: account.mint("t1", issued=time.time() - 3601),
                "ACCESS_TOKEN_EXPIRED"),
    "not yet valid": (lambda account: account.mint("t1", issued=time.time() + 700),
                "CREDENTIALS_MISSING"),
    "no trip": (lambda account: account.mint(authorization={"vehicleid": "v"}),
                "CREDENTIALS_MISSING"),
    "empty trip": (lambda account: account.mint(""), "CREDENTIALS_MISSING"),
}
DENIED = {
    "another trip": lambda account: account.mint("t2"),
    "the name, not the ID": lambda account: account.mint("providers/p/trips/t1"),
    "no authorization": lambda account: account.mint(authorization=None),
    "audience without slash": lambda account: account.mint(aud="https://fleetengine.googleapis.com"),
    "another issuer": lambda account: account.mint(iss="somebody@else"),
    "another subject": lambda account: account.mint(sub="somebody@else"),
    "no expiry": lambda account: account.mint(exp=None),
    "lifetime too long": lambda account: account.mint(lifetime=3601),
    "not a JWT": lambda account: "no-jwt",
    "not base64": lambda account: "a.b!.c",
    "not JSON": lambda account: "YQ.YQ.YQ",
    "another key": lambda account: ServiceAccount.make("p").mint("t1"),
    "another key with the same ID": lambda account: forged(account),
    "other claims": lambda account: altered(account),
    "no signature": lambda account: account.mint("t1").rsplit(".", 1)[0] + ".",
}


def forged(account):
    info = ServiceAccount.make("p").info | {"private_key_id": account.key_id}
    return ServiceAccount(info).mint("t1")


def altered(account):
    """Returns a token with the claims of one token and the signature of another."""
    head, _, signature = account.mint("t2").split(".")
    return ".".join([head, account.mint("t1").split(".")[1], signature])


@pytest.mark.parametrize("case", UNAUTHENTICATED)
def test_call_without_a_token_is_unauthenticated(get, account, case):
    mint, reason = UNAUTHENTICATED[case]
    assert refused(get, mint(account))[:2] == ("UNAUTHENTICATED", reason)


@pytest.mark.parametrize("case", DENIED)
def test_call_without_permission_is_denied(get, account, case):
    assert refused(get, DENIED[case](account))[:2] == ("PERMISSION_DENIED", "IAM_PERMISSION_DENIED")


def test_missing_scopes_give_the_error_of_google(get, account):
    assert refused(get, account.mint(authorization=None))[2] == "JWT does not contain any scopes."


def test_issuing_clock_may_be_ten_minutes_ahead(get, account):
    assert get(account.mint("t1", issued=time.time() + 500)).name


def test_guard_clock_can_expire_tokens(fleet, get, account):
    token = account.mint("t1")
    assert get(token).name
    fleet.guard.ahead = 3601
    assert refused(get, token)[:2] == ("UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED")
    assert get(account.mint("t1", issued=fleet.guard.now)).name


def test_journal_records_the_claims_of_the_token(fleet, get, account):
    get(account.mint("t1"))
    refused(get, None)
    refused(get, account.mint("t2"))
    calls = fleet.journal.wait_for_calls(3, "t1")
    assert [call.code for call in calls] == ["OK", "UNAUTHENTICATED", "PERMISSION_DENIED"]
    assert [call.claims and call.claims["authorization"]["tripid"] for call in calls] == [
        "t1", None, "t2"]


def test_google_libraries_read_the_key_file(account, tmp_path):
    path = account.save(tmp_path / "key.json")
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["type"] == "service_account"
    read = service_account.Credentials.from_service_account_file(path)
    assert read.service_account_email == account.email
    credentials = jwt.Credentials.from_service_account_file(
        path, audience="https://fleetengine.googleapis.com/",
        additional_claims={"authorization": {"tripid": "*"}})
    credentials.refresh(None)
    with Fleet(account=ServiceAccount.load_or_create(path)) as fleet:
        with connected_client(fleet, credentials.token.decode()) as client:
            assert client.get(fleet.add_trip("t1")).name


def test_fleet_without_an_account_requires_no_token():
    with Fleet() as fleet, connected_client(fleet) as client:
        assert client.get(fleet.add_trip("t1")).name
