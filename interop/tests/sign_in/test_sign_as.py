"""Does --sign-as get the signatures of service accounts, as few as possible, and report failures?"""

import collections
import json
import time

import pytest

from peers.google import credentials_files as files
from peers.tokens import jwts
from peers.google import signer_faults
from support import credentials_kinds
from support.command import PATIENT, assert_failed
from support.following import following
from support.sign_in import UNUSABLE, assert_not_signed_in

AUDIENCE = "https://fleetengine.googleapis.com/"


@pytest.fixture
def signing(user_file, cast):
    """The options to sign as the signer with the access token of the user."""
    return ["--access-token", user_file, "--sign-as", cast.signer.email, "--timeout", PATIENT]


def claims_of(cloud, account):
    """Returns the claims of the tokens that the fleet got, which the account signed."""
    return [jwts.verified(account, token) for token in cloud.guard.tokens]


def principals(cloud):
    """Returns who called the signer."""
    return [cloud.identities.tokens[call.metadata["authorization"].removeprefix("Bearer ")].principal
            for call in cloud.signer.calls]


def test_token_has_the_claims_of_the_call(cloud, cast, signing):
    result = cloud.get(*signing)
    assert (result.code, result.stderr) == (0, "")
    (claims,) = claims_of(cloud, cast.signer)
    assert claims["authorization"] == {"tripid": "t1"}
    assert (claims["iss"], claims["sub"], claims["aud"]) == (cast.signer.email, cast.signer.email, AUDIENCE)
    assert claims["exp"] - claims["iat"] == 3600
    (call,) = cloud.signer.calls
    assert call.name == f"projects/-/serviceAccounts/{cast.signer.email}"
    assert (call.delegates, call.claims, call.code) == ([], claims, "OK")
    assert principals(cloud) == [cast.user.email]
    assert len(cloud.tokens.requests) == 1


def test_delegates_precede_the_account(cloud, cast, user_file):
    names = f"{cast.delegate.email},{cast.signer.email}"
    cloud.identities.forbid(cast.user, cast.signer)
    assert cloud.get("--access-token", user_file, "--sign-as", names).code == 0
    (call,) = cloud.signer.calls
    assert call.account == cast.signer.email
    assert call.delegates == [f"projects/-/serviceAccounts/{cast.delegate.email}"]


def test_variables_name_source_and_account(cloud, cast, user_file):
    result = cloud.get(GOOGLE_APPLICATION_CREDENTIALS=user_file, TRIPWIRE_SIGN_AS=cast.signer.email)
    assert result.code == 0, result.stderr
    assert [call.account for call in cloud.signer.calls] == [cast.signer.email]


@pytest.mark.parametrize("kind, account", [
    ("user", "signer"), ("service account", "delegate"), ("impersonated by delegate", "delegate"),
    ("external file", "signer"), ("external impersonated", "delegate"), ("workforce user", "signer")])
def test_credentials_can_sign_as_another_account(cloud, cast, tmp_path, kind, account):
    account = getattr(cast, account)
    path = credentials_kinds.save(kind, cast, cloud, tmp_path)
    result = cloud.get("--sign-as", account.email, GOOGLE_APPLICATION_CREDENTIALS=path)
    assert result.code == 0, result.stderr
    assert claims_of(cloud, account)[0]["authorization"] == {"tripid": "t1"}


@pytest.mark.parametrize("kind, account", [
    ("service account", "signer"), ("impersonated by user", "signer"), ("impersonated by delegate", "signer"),
    ("external impersonated", "signer"), ("impersonated by service account", "delegate")])
def test_default_is_the_account_of_the_credentials(cloud, cast, tmp_path, kind, account):
    account = getattr(cast, account)
    cloud.identities.allow(account, account)
    path = credentials_kinds.save(kind, cast, cloud, tmp_path)
    result = cloud.get("--access-token", path, "--sign-as", "default")
    assert result.code == 0, result.stderr
    assert claims_of(cloud, account)[0]["iss"] == account.email


def test_user_has_no_default_account(cloud, user_file):
    result = cloud.get("--access-token", user_file, "--sign-as", "default")
    assert_not_signed_in(result, hint="name the service account that signs", code=UNUSABLE)
    assert not cloud.signer.calls


@pytest.mark.parametrize("arguments, authorization", [
    (["--trip", "t1"], {"tripid": "t1"}), (["--role", "server"], {"tripid": "*", "vehicleid": "*"}),
    (["--task-ids", "t1,t2"], {"taskids": ["t1", "t2"]})])
def test_tokens_are_minted(cloud, cast, signing, arguments, authorization):
    result = cloud.tripwire("token", "mint", *signing[:4], *arguments)
    assert result.code == 0, result.stderr
    claims = jwts.verified(cast.signer, result.stdout.strip())
    assert claims["authorization"] == authorization
    assert len(cloud.signer.calls) == 1


# Trips that are followed


@pytest.fixture
def many(cloud):
    """A hundred trips on their way."""
    for number in range(2, 101):
        cloud.fleet.add_trip(f"t{number}").go("ENROUTE_TO_PICKUP")
    return [cloud.fleet.trips[f"t{number}"] for number in range(1, 101)]


def started(follow, count):
    """Waits until the command has printed this number of trips."""
    names = set()
    while len(names) < count:
        names.add(follow.until(lambda line: "trip" in line)["name"])


def test_hundred_trips_need_one_signature_each(cloud, signing, many):
    with following(None, *many, options=[*signing, *cloud.options], interval="1s") as follow:
        started(follow, 100)
        # Several polls of each trip.
        cloud.fleet.journal.wait_for_calls(400)
        for trip in many:
            trip.go("COMPLETE")
        assert follow.end() == 0
    assert not [line for line in follow.lines if "error" in line]
    signed = collections.Counter(call.authorization for call in cloud.signer.calls)
    assert signed == {json.dumps({"tripid": trip.name.rpartition("/")[2]}): 1 for trip in many}
    assert len(cloud.tokens.requests) == 1
    assert {entry.code for entry in cloud.fleet.journal.of()} == {"OK"}


@pytest.mark.parametrize("hangs", [False, True], ids=["unavailable", "hanging"])
def test_outage_is_not_seen_while_tokens_are_valid(cloud, signing, hangs):
    trip = cloud.fleet.trips["t1"]
    cloud.tokens.lifetime = 5
    with following(None, trip, options=[*signing, *cloud.options]) as follow:
        follow.until_status("ENROUTE_TO_PICKUP")
        cloud.signer.fault = signer_faults.Outage(hangs)
        cloud.tokens.faults.fail(503)
        # Longer than the access token is valid.
        cloud.fleet.journal.wait_for_calls(len(cloud.fleet.journal.of()) + 60)
        trip.go("COMPLETE")
        assert follow.end() == 0
    assert not [line for line in follow.lines if "error" in line]
    assert {entry.code for entry in cloud.fleet.journal.of()} == {"OK"}


@pytest.mark.parametrize("hangs", [False, True], ids=["unavailable", "hanging"])
def test_follower_survives_an_outage_at_its_start(cloud, signing, hangs):
    trip = cloud.fleet.trips["t1"]
    cloud.signer.fault = outage = signer_faults.Outage(hangs)
    options = [*signing, "--timeout", "1s", *cloud.options]
    with following(None, trip, options=options) as follow:
        follow.until(lambda line: "error" in line)
        outage.end()
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


def test_quota_of_the_signer_is_respected(cloud, signing):
    """A follower waits as long as the signer asks before it calls it again."""
    trip = cloud.fleet.trips["t1"]
    cloud.signer.fault = signer_faults.exceeds_quota(seconds=3, times=1)
    with following(None, trip, options=[*signing, *cloud.options]) as follow:
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0
    first, second = cloud.signer.calls
    assert (first.code, second.code) == ("RESOURCE_EXHAUSTED", "OK")
    assert second.time - first.time >= 3


def test_short_outage_is_not_seen_by_one_call(cloud, signing):
    cloud.signer.fault = signer_faults.fails("UNAVAILABLE", times=1)
    result = cloud.get(*signing)
    assert (result.code, result.stderr) == (0, "")
    assert [call.code for call in cloud.signer.calls] == ["UNAVAILABLE", "OK"]


# Failures


def test_missing_permission_is_reported(cloud, cast, signing):
    cloud.signer.fault = signer_faults.denies()
    result = cloud.get(*signing)
    assert_not_signed_in(result, cast.signer.email, "iam.serviceAccounts.signJwt", "PERMISSION_DENIED",
                         hint="iam.serviceAccountTokenCreator|Token Creator")
    assert [call.code for call in cloud.signer.calls] == ["PERMISSION_DENIED"]


def test_unknown_account_is_reported(cloud, cast, signing):
    cloud.signer.fault = signer_faults.knows_no_account()
    result = cloud.get(*signing)
    assert_not_signed_in(result, "--sign-as", cast.signer.email, "NOT_FOUND")
    assert len(cloud.signer.calls) == 1


@pytest.mark.parametrize("name", ["", "a b@p.iam.gserviceaccount.com", "a/b@p.example", ","])
def test_name_of_an_account_is_checked(cloud, user_file, name):
    result = cloud.get("--access-token", user_file, "--sign-as", name)
    assert result.code == 2 and "--sign-as" in result.stderr and "unknown option" not in result.stderr
    assert not cloud.signer.calls and not cloud.tokens.requests


@pytest.mark.parametrize("names, hint", [
    ("a@p.example,b@p.example,a@p.example", "name each account once"),
    ("default,a@p.example", "name the account that signs after its delegates"),
])
def test_cycle_of_delegates_is_reported(cloud, user_file, names, hint):
    result = cloud.get("--access-token", user_file, "--sign-as", names)
    assert_failed(result, 2, f"--sign-as {names}: ", hint=hint)


def test_exceeded_quota_is_reported(cloud, signing):
    cloud.signer.fault = signer_faults.exceeds_quota()
    result = cloud.get(*signing, "--retries", 0)
    assert result.code != 0 and "RESOURCE_EXHAUSTED: " in result.stderr and "Quota exceeded" in result.stderr
    assert result.stderr.count("hint: ") == 1 and not cloud.guard.tokens


def test_outage_is_reported(cloud, signing):
    cloud.signer.fault = signer_faults.Outage()
    result = cloud.get(*signing, "--retries", 0)
    assert result.code != 0 and "UNAVAILABLE: " in result.stderr, result.stderr
    assert "iamcredentials.googleapis.com" in result.stderr and not cloud.guard.tokens


def test_slow_signer_ends_at_the_deadline(cloud, signing):
    cloud.signer.fault = signer_faults.Outage(hangs=True)
    begin = time.monotonic()
    result = cloud.get(*signing, "--timeout", "1s")
    assert result.code == 68 and "DEADLINE_EXCEEDED" in result.stderr, result.stderr
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("answer", ["", "no JWT", "ya29.hush.hush", "eyJ\r\nx-evil: 1", "ö.ö.ö"])
def test_answer_that_is_no_token_is_reported(cloud, signing, answer):
    cloud.signer.fault = signer_faults.answers(signed_jwt=answer, key_id="k")
    result = cloud.get(*signing)
    assert_not_signed_in(result, "iamcredentials.googleapis.com")
    assert "hush" not in result.stderr and "evil" not in result.stderr and not cloud.guard.tokens


@pytest.mark.parametrize("change", [
    {"authorization": {"tripid": "t2"}}, {"key_id": "another"}, {"aud": "https://example.com/"},
    {"exp": int(time.time()) - 60}], ids=["trip", "key", "audience", "expired"])
def test_wrong_token_is_refused_without_a_loop(cloud, signing, change):
    """Either the command checks the token, or Fleet Engine refuses it, and then at most one more is signed."""
    cloud.signer.fault = signer_faults.signs(cloud.signer, **change)
    result = cloud.get(*signing)
    assert result.code != 0 and result.stderr.count("hint: ") == 1, result.stderr
    assert 1 <= len(cloud.signer.calls) <= 2 and len(cloud.guard.tokens) <= 2


def test_refused_access_token_is_replaced_once(cloud, cast, user_file, signing):
    """The signer refuses an access token before its expiry, for example after it was revoked."""
    refused = []

    def fault(request, call):
        if not refused:
            token = call.metadata["authorization"].removeprefix("Bearer ")
            refused.append(cloud.identities.tokens.pop(token))

    cloud.signer.fault = fault
    result = cloud.get(*signing)
    assert result.code == 0, result.stderr
    assert [call.code for call in cloud.signer.calls] == ["UNAUTHENTICATED", "OK"]
    assert len(cloud.tokens.requests) == 2


def test_signing_excludes_other_tokens(cloud, cast, user_file, tmp_path):
    key = files.save(tmp_path / "key.json", files.service_account(cast.signer))
    for options in ["--token-file", user_file], ["--token-command", "echo"], ["--credentials", key]:
        result = cloud.get("--sign-as", cast.signer.email, *options)
        assert result.code == 2 and "cannot be used with" in result.stderr, result.stderr


def test_mint_names_the_missing_permission(cloud, cast, user_file):
    result = cloud.tripwire("token", "mint", "--trip", "t1", "--access-token", user_file, "--sign-as",
                            cast.machine.email)
    assert_not_signed_in(
        result, "--sign-as", "PERMISSION_DENIED",
        hint=f"grant the permission iam.serviceAccounts.signJwt .*add-iam-policy-binding {cast.machine.email} ")
