"""Does the command send the same requests for tokens as google-auth, with the same files?"""

import pytest

from peers.google import credentials_files as files
from peers.google.identities import CLOUD_PLATFORM
from peers.proxies.http_proxies import ScriptedProxy
from support import credentials_kinds
from support.command import PATIENT, tripwire
from support.credentials_kinds import KINDS, VARIABLES
from support.sign_in import UNUSABLE, assert_not_signed_in, exchanges

FILE = "GOOGLE_APPLICATION_CREDENTIALS"


def both(cloud, *arguments, **variables):
    """Signs in with google-auth and with the command; returns outcome and requests of each."""
    theirs = cloud.google_auth(**variables)
    their_requests = exchanges(cloud)
    cloud.tokens.clear()
    cloud.metadata.clear()
    ours = cloud.get("--access-token", "adc", *arguments, **variables)
    return theirs, their_requests, ours, exchanges(cloud)


def assert_same_token(cloud, theirs, ours):
    """Checks that both got a token for the same principal and scopes, and that the fleet got ours."""
    assert theirs.error is None and ours.code == 0, ours.stderr
    (sent,) = cloud.guard.tokens
    tokens = cloud.identities.tokens
    assert sent != theirs.token
    assert (tokens[sent].principal, tokens[sent].scopes) == (
        tokens[theirs.token].principal, tokens[theirs.token].scopes)


OWNERS = {
    "user": "user", "user with scopes": "user", "service account": "signer", "impersonated by user": "signer",
    "impersonated by delegate": "signer", "impersonated by service account": "delegate",
    "impersonated by workforce": "signer", "external impersonated": "signer", "external with lifetime": "signer",
    "workforce user": "user"}
"""Whose access token each kind of file gets; all others get that of the workload."""


@pytest.mark.parametrize("kind", KINDS)
def test_requests_are_those_of_google_auth(cloud, cast, tmp_path, kind):
    path = credentials_kinds.save(kind, cast, cloud, tmp_path)
    theirs, their_requests, ours, our_requests = both(cloud, **{FILE: path}, **VARIABLES)
    assert_same_token(cloud, theirs, ours)
    assert our_requests == their_requests
    token = cloud.identities.tokens[theirs.token]
    assert token.principal == (getattr(cast, OWNERS[kind]).email if kind in OWNERS else cast.subject)
    assert CLOUD_PLATFORM in token.scopes
    longest = 1800 if kind == "external with lifetime" else 3600
    assert longest - 60 < theirs.expires_in <= longest


def test_request_for_a_subject_token_has_the_headers_of_the_file(cloud, cast, tmp_path):
    path = credentials_kinds.save("external JSON URL", cast, cloud, tmp_path)
    both(cloud, **{FILE: path})
    request = cloud.tokens.requests[0]
    assert (request.method, request.path, request.query) == ("GET", "/subject", {"audience": "a"})
    assert request.headers["metadata"] == "True" and not request.is_secure


def test_option_names_a_file(cloud, cast, user_file):
    assert cloud.get("--access-token", user_file, **{FILE: "/none"}).code == 0
    (token,) = cloud.guard.tokens
    assert cloud.identities.tokens[token].principal == cast.user.email


def test_bare_token_in_a_file_is_sent(cloud, cast, tmp_path):
    token = cloud.identities.issue(cast.user.email)
    path = tmp_path / "token"
    path.write_text(token + "\n")
    path.chmod(0o600)
    assert cloud.get("--access-token", path).code == 0
    assert (cloud.guard.tokens, cloud.tokens.requests) == ([token], [])


def test_command_prints_a_token(cloud, cast):
    token = cloud.identities.issue(cast.user.email)
    result = cloud.get("--access-token", 'command:echo "$TOKEN"', TOKEN=token)
    assert result.code == 0, result.stderr
    assert cloud.guard.tokens == [token]


# Executables


def test_executable_gets_the_same_variables(cloud, cast, tmp_path):
    content = files.external_account(
        credentials_kinds.executable_source(cast, tmp_path), impersonates=cast.signer)
    path = files.save(tmp_path / "credentials.json", content)
    seen = tmp_path / "executable.env"
    theirs = cloud.google_auth(**{FILE: path}, **VARIABLES)
    expected = seen.read_text()
    seen.unlink()
    ours = cloud.get("--access-token", "adc", **{FILE: path}, **VARIABLES)
    assert_same_token(cloud, theirs, ours)
    # google-auth sets the first variable, which is not documented, and not the second, which is documented.
    ignored = "GOOGLE_EXTERNAL_ACCOUNT_ID=", "GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL="
    assert [line for line in seen.read_text().splitlines() if not line.startswith(ignored)] == [
        line for line in expected.splitlines() if not line.startswith(ignored)]
    assert f"GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL={cast.signer.email}\n" in seen.read_text()


def test_executable_must_be_allowed(cloud, cast, tmp_path):
    path = credentials_kinds.save("external executable", cast, cloud, tmp_path)
    assert "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES" in cloud.google_auth(**{FILE: path}).error
    for value in None, "true":
        result = cloud.get("--access-token", "adc", **{
            FILE: path, "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": value})
        assert_not_signed_in(result, str(path), hint="GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES",
                             code=UNUSABLE)
    assert not (tmp_path / "executable.env").exists() and not cloud.tokens.requests


def test_output_file_of_an_executable_precedes_it(cloud, cast, tmp_path):
    source = credentials_kinds.executable_source(cast, tmp_path)
    output = tmp_path / "executable.json"
    source["executable"]["output_file"] = str(output)
    path = files.save(tmp_path / "credentials.json", files.external_account(source))
    theirs, their_requests, ours, our_requests = both(cloud, **{FILE: path}, **VARIABLES)
    assert_same_token(cloud, theirs, ours)
    assert our_requests == their_requests and not (tmp_path / "executable.env").exists()


# The search


class Places:
    """A credentials file of a different user in each place that is searched."""

    def __init__(self, cloud, cast, folder):
        name = "application_default_credentials.json"
        self._variables = {
            "file": {FILE: folder / "named.json"}, "config": {"CLOUDSDK_CONFIG": folder / "config"}, "home": {}}
        paths = {"file": folder / "named.json", "config": folder / "config" / name,
                 "home": cloud.folder / ".config" / "gcloud" / name}
        self._cloud, self._cast, self._paths = cloud, cast, paths

    def variables(self, *places):
        """Writes the files in these places; returns the variables that name them."""
        variables = {}
        for place in places:
            if place == "machine":
                variables |= self._cloud.on_a_machine(self._cast.machine)
            else:
                user = self._cloud.identities.add_user(f"{place}@example.com")
                files.save(self._paths[place], files.authorized_user(user))
                variables |= self._variables[place]
        return variables


@pytest.fixture
def places(cloud, cast, tmp_path):
    return Places(cloud, cast, tmp_path)


@pytest.mark.parametrize("given, wins", [
    (["file", "config", "home", "machine"], "file@example.com"), (["config", "home"], "config@example.com"),
    (["home"], "home@example.com"), (["home", "machine"], "home@example.com"),
    (["file", "machine"], "file@example.com"), (["machine"], "machine@p.iam.gserviceaccount.com"),
], ids=["all", "config and home", "home", "home and machine", "file and machine", "machine"])
def test_search_finds_the_same_credentials(cloud, places, given, wins):
    theirs, their_requests, ours, our_requests = both(cloud, **places.variables(*given))
    assert_same_token(cloud, theirs, ours)
    assert cloud.identities.tokens[theirs.token].principal == wins
    assert our_requests == their_requests


@pytest.mark.parametrize("variables", [
    {FILE: ""}, {"CLOUDSDK_CONFIG": None},
], ids=["empty variable", "unset"])
def test_empty_variable_is_ignored(cloud, places, variables):
    variables = places.variables("home") | variables
    theirs, _, ours, _ = both(cloud, **variables)
    assert_same_token(cloud, theirs, ours)


@pytest.mark.parametrize("change", [
    {FILE: "/none.json"}, {"CLOUDSDK_CONFIG": "/none"}, {FILE: "/"},
], ids=["missing file", "missing folder", "folder"])
def test_search_fails_alike(cloud, places, change):
    """A named file that is missing is an error, even if there are other credentials."""
    theirs, _, ours, requests = both(cloud, **places.variables("home") | change)
    assert theirs.error and not requests
    assert_not_signed_in(ours, *([change[FILE]] if FILE in change else []), code=UNUSABLE)


def test_search_ends_with_gcloud(cloud, cast):
    gcloud = cloud.gcloud()
    token = cloud.identities.issue(cast.user.email)
    gcloud.print(token)
    assert cloud.get(PATH=gcloud.path).code == 0
    assert (cloud.guard.tokens, len(gcloud.runs)) == ([token], 1)
    variables = cloud.on_a_machine(cast.machine)
    assert cloud.get(PATH=gcloud.path, **variables).code == 0
    assert cloud.identities.tokens[cloud.guard.tokens[1]].principal == cast.machine.email
    assert len(gcloud.runs) == 1


def test_gcloud_without_a_login_is_not_run(cloud, cast):
    gcloud = cloud.gcloud()
    result = cloud.get(PATH=gcloud.path)
    assert result.code != 0 and "hint: " in result.stderr
    assert gcloud.runs == []


def test_proxy_is_used_for_tokens_too(cloud, cast, user_file):
    def script(proxy, connection):
        host = proxy.head(connection).split()[1].decode().partition(":")[0]
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        proxy.relay(connection, cloud.routes[host])

    with ScriptedProxy(script) as proxy:
        result = tripwire(
            "get", cloud.fleet.trip_name("t1"), "--timeout", PATIENT, "--access-token", user_file, "--sign-as",
            cast.signer.email, "--proxy", f"http://{proxy.address}", "--cacert", cloud.authority,
            **cloud.environment())
    assert (result.code, result.stderr) == (0, "")
    assert [request.split()[1] for request in proxy.requests] == [
        f"{name}.googleapis.com:443" for name in ("oauth2", "iamcredentials", "fleetengine")]


# Projects for quota


@pytest.mark.parametrize("in_file, variable", [
    (None, None), ("file", None), ("file", "variable"), (None, "variable")])
def test_quota_project_is_that_of_google_auth(cloud, cast, tmp_path, in_file, variable):
    content = files.authorized_user(cast.user, **({"quota_project_id": in_file} if in_file else {}))
    path = files.save(tmp_path / "user.json", content)
    theirs, _, ours, _ = both(cloud, **{FILE: path, "GOOGLE_CLOUD_QUOTA_PROJECT": variable})
    assert_same_token(cloud, theirs, ours)
    assert cloud.guard.quota_projects == [theirs.quota_project]


def test_option_names_the_quota_project(cloud, user_file):
    ours = cloud.get("--access-token", user_file, "--quota-project", "option",
                     GOOGLE_CLOUD_QUOTA_PROJECT="variable")
    assert ours.code == 0, ours.stderr
    assert cloud.guard.quota_projects == ["option"]
