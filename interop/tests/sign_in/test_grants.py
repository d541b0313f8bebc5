"""Do hints with a command that grants a role name the account that needs it?"""

import pytest
from google.rpc import error_details_pb2

from peers.google import credentials_files as files
from support import credentials_kinds
from support.sign_in import assert_not_signed_in

CREATOR = "iam.serviceAccountTokenCreator"


def hint(result):
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("hint: ")]
    return line


def info(reason, **metadata):
    return error_details_pb2.ErrorInfo(reason=reason, domain="googleapis.com", metadata=metadata)


class Source:
    """A source of access tokens: its options, its variables, and the member of IAM that has the tokens."""

    def __init__(self, member, *options, **variables):
        self.member, self.options, self.variables = member, options, variables


def of_file(kind, member):
    def make(cloud, cast, folder):
        path = credentials_kinds.save(kind, cast, cloud, folder)
        return Source(member(cast), "--access-token", path)

    return make


def of_user_file(cloud, cast, folder):
    """The file names the user, and the token endpoint does not."""
    cloud.tokens.names_users = False
    path = files.save(folder / "adc.json", files.authorized_user(cast.user, account="anna@example.com"))
    return Source("user:anna@example.com", GOOGLE_APPLICATION_CREDENTIALS=path)


def of_unknown_user(cloud, cast, folder):
    cloud.tokens.names_users = False
    return Source("PRINCIPAL", "--access-token", credentials_kinds.save("user", cast, cloud, folder))


def of_machine(cloud, cast, folder):
    return Source(f"serviceAccount:{cast.machine.email}", "--access-token", "metadata",
                  **cloud.on_a_machine(cast.machine))


def of_gcloud(cloud, cast, folder):
    gcloud = cloud.gcloud()
    gcloud.print(cloud.identities.issue(cast.user.email), account="bo@example.com")
    return Source("user:bo@example.com", "--access-token", "gcloud", PATH=gcloud.path)


SOURCES = {
    "user": of_file("user", lambda cast: f"user:{cast.user.email}"),
    "user of the file": of_user_file,
    "unknown user": of_unknown_user,
    "service account": of_file("service account", lambda cast: f"serviceAccount:{cast.signer.email}"),
    "impersonated": of_file("impersonated by user", lambda cast: f"serviceAccount:{cast.signer.email}"),
    "workload": of_file("external file", lambda cast: "PRINCIPAL"),
    "workload as account": of_file("external impersonated", lambda cast: f"serviceAccount:{cast.signer.email}"),
    "machine": of_machine,
    "gcloud": of_gcloud,
}


@pytest.fixture(params=SOURCES)
def source(request, cloud, cast, tmp_path):
    return SOURCES[request.param](cloud, cast, tmp_path)


@pytest.mark.parametrize("reason, metadata, role", [
    ("IAM_PERMISSION_DENIED", {"permission": "fleetengine.trips.get"}, "fleetengine.ondemandAdmin"),
    ("USER_PROJECT_DENIED", {"consumer": "projects/p"}, "serviceusage.serviceUsageConsumer"),
])
def test_caller_of_fleet_engine_is_named(cloud, source, reason, metadata, role):
    cloud.fleet.faults.fail("PERMISSION_DENIED", "no", info(reason, **metadata))
    result = cloud.get(*source.options, **source.variables)
    assert result.code == 71, result.stderr
    assert hint(result).endswith(
        f": gcloud projects add-iam-policy-binding p --member={source.member} --role=roles/{role}")


def test_who_asks_for_a_signature_is_named(cloud, cast, source):
    """None of them is a Token Creator of this account."""
    account = cloud.identities.add_account("other", key_of=cast.machine)
    for command in ["get", cloud.fleet.trip_name("t1")], ["token", "mint", "--trip", "t1"]:
        result = cloud.tripwire(*command, *source.options, "--sign-as", account.email, **source.variables)
        assert_not_signed_in(result, "iam.serviceAccounts.signJwt", hint=(
            f"gcloud iam service-accounts add-iam-policy-binding {account.email} --member={source.member}"
            f" --role=roles/{CREATOR}$"))


def test_source_of_an_impersonated_account_is_named(cloud, cast, tmp_path):
    cloud.identities.forbid(cast.user, cast.signer)
    path = credentials_kinds.save("impersonated by user", cast, cloud, tmp_path)
    result = cloud.get("--access-token", path)
    assert_not_signed_in(result, hint=(
        f"add-iam-policy-binding {cast.signer.email} --member=user:{cast.user.email} --role=roles/{CREATOR}$"))


def test_no_single_account_is_named_with_delegates(cloud, cast, user_file):
    """Any of them may lack the role on the next one."""
    cloud.identities.forbid(cast.delegate, cast.signer)
    result = cloud.get(
        "--access-token", user_file, "--sign-as", f"{cast.delegate.email},{cast.signer.email}")
    assert_not_signed_in(result, hint=(
        "hint: grant each account the role Service Account Token Creator on the next one, from the caller to"
        f" {cast.signer.email}$"))


def test_account_that_signs_is_named(cloud, cast, user_file):
    """Fleet Engine refuses the account whose JWT it gets, and not the one that had it signed."""
    cloud.fleet.faults.fail(
        "PERMISSION_DENIED", "no", info("IAM_PERMISSION_DENIED", permission="fleetengine.trips.get"))
    result = cloud.get("--access-token", user_file, "--sign-as", cast.signer.email)
    assert f" --member=serviceAccount:{cast.signer.email} " in hint(result)


def test_doctor_shows_the_account_of_gcloud_without_running_it_again(cloud, cast):
    gcloud = cloud.gcloud()
    gcloud.print(cloud.identities.issue(cast.user.email), account="bo@example.com")
    result = cloud.tripwire("doctor", "--access-token", "gcloud", PATH=gcloud.path)
    assert "account: bo@example.com\n" in result.stdout
    assert gcloud.runs == ["auth print-access-token"]


def test_doctor_shows_the_user_that_the_token_endpoint_names(cloud, cast, user_file):
    result = cloud.tripwire("doctor", "--access-token", user_file)
    assert f"account: {cast.user.email}\n" in result.stdout
