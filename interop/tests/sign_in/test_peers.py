"""Do the peers behave as Google's servers? Clients that we did not write get tokens from each."""

import json
import subprocess
import sys
import time
from contextlib import closing

import grpc
import pytest
from cryptography.hazmat.primitives import serialization
from google.api_core.exceptions import InvalidArgument, NotFound, PermissionDenied, ResourceExhausted, Unauthenticated
from google.auth import jwt
from google.cloud.iam_credentials_v1 import IAMCredentialsClient
from google.cloud.iam_credentials_v1.services.iam_credentials.transports import IAMCredentialsGrpcTransport
from google.maps.fleetengine_v1 import types

from peers.google import signer_faults
from peers.google.identities import CLOUD_PLATFORM
from support.sign_in import statuses

AUDIENCE = "https://fleetengine.googleapis.com/"

def test_google_auth_gets_a_token_of_the_machine(cloud, cast):
    outcome = cloud.google_auth(**cloud.on_a_machine(cast.machine))
    assert outcome.error is None
    assert cloud.identities.tokens[outcome.token].principal == cast.machine.email
    assert [request.query for request in cloud.metadata.token_requests] == [{"scopes": CLOUD_PLATFORM}]


@pytest.mark.parametrize("fault, error", [
    (lambda faults: faults.refuse(), "invalid_grant: Token has been expired or revoked."),
    (lambda faults: faults.reauthenticate(), "Reauthentication is needed"),
    (lambda faults: faults.fail(401, "invalid_client", "Unauthorized"), "invalid_client: Unauthorized"),
    (lambda faults: faults.fail(500), "internal_failure"),
    (lambda faults: faults.portal(), "AttributeError|RefreshError|TypeError"),
    (lambda faults: faults.drop(), "TransportError"),
    (lambda faults: faults.cut(10), "TransportError|IncompleteRead"),
    (lambda faults: faults.change({"access_token": None}), "No access token in response"),
], ids=["refused", "reauthentication", "client", "500", "portal", "dropped", "cut", "no token"])
def test_google_auth_meets_the_faults(cloud, user_file, fault, error):
    fault(cloud.tokens.faults)
    outcome = cloud.google_auth(GOOGLE_APPLICATION_CREDENTIALS=user_file)
    assert outcome.token is None and any(part in outcome.error for part in error.split("|")), outcome


def test_google_auth_survives_some_faults(cloud, user_file):
    cloud.tokens.faults.fail(503, times=2)
    cloud.tokens.faults.change({"expires_in": "3599"})
    outcome = cloud.google_auth(GOOGLE_APPLICATION_CREDENTIALS=user_file)
    assert outcome.error is None and 3500 < outcome.expires_in <= 3599
    assert statuses(cloud) == [503, 503, 200]


def test_faults_end_with_the_server(cloud, user_file):
    cloud.tokens.faults.slow(600)
    begin = time.monotonic()
    with subprocess.Popen(["curl", "-s", "-m", "600", f"http://{cloud.tokens.address}/"]) as process:
        while not cloud.tokens.requests:
            time.sleep(0.01)
        cloud.tokens.faults.withdraw()
        process.wait(60)
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("headers, code", [([], "403"), (["-H", "Metadata-Flavor: Google"], "200")])
def test_metadata_server_needs_its_header(cloud, cast, headers, code):
    cloud.on_a_machine(cast.machine)
    for path in "instance/service-accounts/default/email", "project/project-id", "universe/universe-domain":
        url = f"http://{cloud.metadata.address}/computeMetadata/v1/{path}"
        done = subprocess.run(
            ["curl", "-s", "-i", *headers, url], capture_output=True, text=True, check=True)
        assert done.stdout.split()[1] == code and "Metadata-Flavor: Google" in done.stdout


# The signer


class SignerClient:
    """Signs with the client of google-cloud-iam."""

    def __init__(self, cloud, port, token):
        credentials = grpc.composite_channel_credentials(
            grpc.ssl_channel_credentials(cloud.authority.read_bytes()),
            grpc.access_token_call_credentials(token))
        self._channel = grpc.secure_channel(
            f"127.0.0.1:{port}", credentials,
            [("grpc.ssl_target_name_override", "iamcredentials.googleapis.com")])
        self._client = IAMCredentialsClient(transport=IAMCredentialsGrpcTransport(channel=self._channel))

    def close(self):
        self._channel.close()

    def sign(self, account, delegates=(), **changes):
        now = int(time.time())
        claims = {"iss": account.email, "sub": account.email, "aud": AUDIENCE, "iat": now, "exp": now + 3600,
                  "authorization": {"tripid": "t1"}} | changes
        return self._client.sign_jwt(
            name=f"projects/-/serviceAccounts/{account.email}", payload=json.dumps(claims),
            delegates=[f"projects/-/serviceAccounts/{each.email}" for each in delegates], retry=None)


@pytest.fixture
def client(cloud, cast):
    """A client with the access token of the user, through the address for gRPC and HTTP."""
    with closing(SignerClient(cloud, cloud.front.port, cloud.identities.issue(cast.user.email))) as client:
        yield client


def test_google_client_signs(cloud, cast, client):
    answer = client.sign(cast.signer)
    claims = jwt.decode(answer.signed_jwt, certs=pem(cast.signer), audience=AUDIENCE)
    assert claims["authorization"] == {"tripid": "t1"}
    assert jwt.decode_header(answer.signed_jwt)["kid"] == answer.key_id == cast.signer.key_id
    (call,) = cloud.signer.calls
    assert (call.account, call.code, call.claims) == (cast.signer.email, "OK", claims)


def pem(account):
    return account.public_key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def test_delegates_must_be_a_chain(cloud, cast, client):
    assert client.sign(cast.signer, [cast.delegate]).signed_jwt
    with pytest.raises(PermissionDenied):
        client.sign(cast.signer, [cast.machine])
    assert [call.code for call in cloud.signer.calls] == ["OK", "PERMISSION_DENIED"]


def test_signer_refuses_wrong_requests(cloud, cast, client):
    for changes in {"aud": None}, {"exp": 1}, {"authorization": "t1"}, {"iat": "now"}:
        with pytest.raises(InvalidArgument):
            client.sign(cast.signer, **changes)
    with pytest.raises(PermissionDenied) as denied:
        client.sign(cast.machine)
    assert denied.value.reason == "IAM_PERMISSION_DENIED"
    assert denied.value.metadata == {"permission": "iam.serviceAccounts.signJwt"}
    with closing(SignerClient(cloud, cloud.signer.port, "ya29.unknown")) as other, pytest.raises(Unauthenticated):
        other.sign(cast.signer)


def test_signer_fails_on_demand(cloud, cast, client):
    signer = cloud.signer
    for fault, error in [
            (signer_faults.denies(times=1), PermissionDenied), (signer_faults.knows_no_account(), NotFound),
            (signer_faults.exceeds_quota(2, times=1), ResourceExhausted)]:
        signer.fault = fault
        with pytest.raises(error):
            client.sign(cast.signer)
    assert client.sign(cast.signer).signed_jwt
    signer.fault = signer_faults.answers(signed_jwt="no JWT", key_id="k")
    assert client.sign(cast.signer).signed_jwt == "no JWT"
    signer.fault = signer_faults.signs(signer, key_id="another", authorization={"tripid": "t2"})
    answer = client.sign(cast.signer)
    assert jwt.decode(answer.signed_jwt, verify=False)["authorization"] == {"tripid": "t2"}
    assert jwt.decode_header(answer.signed_jwt)["kid"] == answer.key_id == "another"


def test_one_address_serves_grpc_and_http(cloud, cast, client):
    assert client.sign(cast.signer).signed_jwt
    done = subprocess.run(
        ["curl", "-s", "--http1.1", "--cacert", cloud.authority, "-d", "", "--connect-to",
         f"::127.0.0.1:{cloud.front.port}", "https://iamcredentials.googleapis.com/v1/nothing"],
        capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["error"] == "unsupported_grant_type"


# The fleet and gcloud


def test_fleet_accepts_access_tokens_and_signed_tokens(cloud, cast, client):
    name = cloud.fleet.trip_name("t1")
    access = cloud.identities.issue(cast.user.email)
    tokens = [access, client.sign(cast.signer).signed_jwt]
    for token in tokens:
        assert get(cloud, token, name, ("x-goog-user-project", "quota")).name == name
    assert (cloud.guard.tokens, cloud.guard.quota_projects) == (tokens, ["quota"] * 2)
    for token, code in [
            ("ya29.unknown", "UNAUTHENTICATED"), (cloud.identities.issue("anna", lifetime=-1), "UNAUTHENTICATED"),
            (cloud.identities.issue("anna", ["openid"]), "PERMISSION_DENIED"),
            (client.sign(cast.signer, authorization={"tripid": "t2"}).signed_jwt, "PERMISSION_DENIED")]:
        with pytest.raises(grpc.RpcError) as failed:
            get(cloud, token, name)
        assert failed.value.code().name == code


def get(cloud, token, name, *metadata):
    """Gets a trip with a token; returns the message."""
    credentials = grpc.ssl_channel_credentials(cloud.authority.read_bytes())
    with grpc.secure_channel(cloud.fleet.address, credentials) as channel:
        call = channel.unary_unary(
            "/maps.fleetengine.v1.TripService/GetTrip", types.GetTripRequest.pb().SerializeToString,
            types.Trip.pb().FromString)
        return call(types.GetTripRequest.pb()(name=name), timeout=60,
                    metadata=[("authorization", f"Bearer {token}"), *metadata])


def test_gcloud_prints_what_google_auth_reads(cloud):
    gcloud = cloud.gcloud()
    script = "from google.auth._cloud_sdk import get_auth_access_token as get; print(get())"
    gcloud.print("ya29.printed")
    done = run_python(script, cloud.environment(PATH=gcloud.path))
    assert (done.returncode, done.stdout) == (0, "ya29.printed\n")
    for how in "expired", "reauthentication", "no account":
        gcloud.fail(how)
        assert run_python(script, cloud.environment(PATH=gcloud.path)).returncode == 1
    assert gcloud.runs == ["auth print-access-token"] * 4


def run_python(script, variables):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=variables)
