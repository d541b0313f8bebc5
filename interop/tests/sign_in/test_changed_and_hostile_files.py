"""Are credentials files that change read again, and are those with hostile fields refused?"""

import json
import signal
import socket
import subprocess

import pytest

from peers.google import credentials_files as files
from support.command import LONGEST, assert_failed, binary
from support.following import following

VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"


@pytest.mark.parametrize("signs", [False, True], ids=["access token", "signed"])
def test_new_login_is_noticed(cloud, cast, tmp_path, signs):
    """A follower whose login has expired goes on after the next one, as its hint says."""
    def log_in(**more):
        user = files.authorized_user(cast.user, **more)
        return files.save(tmp_path / "adc.json", files.impersonated(cast.signer, user) if signs else user)

    options = ["--access-token", log_in(refresh_token="1//expired"), *cloud.options]
    trip = cloud.fleet.trips["t1"]
    with following(None, trip, options=[*options, *(["--sign-as", "default"] if signs else [])]) as follow:
        follow.until(lambda line: "error" in line)
        log_in()
        follow.until_recovered()
        trip.go("COMPLETE")
        assert follow.end() == 0


@pytest.mark.parametrize("name, value", [
    ("A", "b\r\n\r\nPUT /latest/api/token HTTP/1.1\r\nHost: x"), ("A: b\r\nB", "c"), ("A", "b\0"), ("", "b"),
    ("Host", "x"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked"), ("A", 7),
])
def test_header_that_could_add_a_request_is_refused(cloud, tmp_path, name, value):
    source = {"url": f"http://127.0.0.1:{cloud.tokens.plain_port}/subject", "headers": {name: value}}
    path = files.save(tmp_path / "adc.json", files.external_account(source))
    assert_failed(cloud.get("--access-token", path), 1, "credential_source.headers has an invalid header")
    assert cloud.tokens.requests == []


@pytest.mark.parametrize("change, reason", [
    ({"quota_project_id": "p\nx-evil: 1"}, "quota_project_id is not the ID of a project"),
    ({"token_uri": "https://"}, "is not the URL of an HTTP server"),
    ({"token_uri": "http://example.com/token"}, "needs TLS"),
    ({"token_uri": "file:///etc/passwd"}, "needs TLS"),
])
def test_hostile_field_is_refused(cloud, cast, tmp_path, change, reason):
    path = files.save(tmp_path / "adc.json", files.authorized_user(cast.user, **change))
    result = cloud.get("--access-token", path)
    assert result.code in (1, 80) and reason in result.stderr, result.stderr
    assert cloud.tokens.requests == []


@pytest.mark.parametrize("host", ["evil.example", "iamcredentials.googleapis.com.evil.example"])
def test_impersonation_elsewhere_gets_no_token(cloud, cast, tmp_path, host):
    content = files.impersonated(
        cast.signer, files.authorized_user(cast.user),
        service_account_impersonation_url=f"https://{host}/v1/projects/-/serviceAccounts/a@b:generateAccessToken")
    path = files.save(tmp_path / "adc.json", content)
    assert_failed(cloud.get("--access-token", path), 1, "is not of googleapis.com")
    assert cloud.tokens.requests == []


def test_account_is_safe_in_the_command_of_a_hint(cloud, cast, tmp_path):
    for email in "a'; touch /tmp/x; '@b", "a\x1b]0;x\x07@b", "a\n@b", "`id`@b":
        path = files.save(tmp_path / "adc.json", {**cast.signer.info, "client_email": email})
        result = cloud.get("--access-token", path)
        assert_failed(result, 1, "client_email is not the address of a service account")
        assert "touch" not in result.stderr and "\x1b" not in result.stderr


@pytest.mark.parametrize("variable", ["http_proxy", "grpc_proxy", "all_proxy", "--proxy"])
def test_plaintext_on_this_machine_has_no_proxy(cloud, cast, tmp_path, variable):
    """A proxy elsewhere would read the refresh token."""
    path = files.save(tmp_path / "adc.json", files.authorized_user(
        cast.user, token_uri=f"http://127.0.0.1:{cloud.tokens.plain_port}/token"))
    with socket.create_server(("127.0.0.1", 0)) as sink:
        sink.settimeout(0)
        url = f"http://127.0.0.1:{sink.getsockname()[1]}"
        arguments, variables = ([variable, url], {}) if variable == "--proxy" else ([], {variable: url})
        cloud.tripwire("token", "mint", "--trip", "t1", "--sign-as", "default", "--access-token", path, *arguments,
                       **variables)
        with pytest.raises(BlockingIOError):
            sink.accept()
    assert len(cloud.tokens.requests) <= 1


def test_machine_timeout_is_bounded(cloud, cast):
    variables = cloud.on_a_machine(cast.machine)
    result = cloud.get("--access-token", "metadata", **variables, GCE_METADATA_TIMEOUT=2**63 - 1)
    assert result.code == 0, result.stderr


def test_mint_ends_its_program(cloud, tmp_path):
    """Ctrl-C cancels the program that prints the access token."""
    mark = tmp_path / "started"
    command = f"command:touch {mark}; exec sleep 600"
    process = subprocess.Popen(
        [binary(), "token", "mint", "--trip", "t1", "--sign-as", "a@b", "--access-token", command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=cloud.environment(PATH="/usr/bin:/bin"))
    while not mark.exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    # The pipes end when no process has them.
    process.communicate(timeout=LONGEST)
    assert process.returncode == 130


def test_profile_stores_the_path_of_a_file(cloud, cast, tmp_path):
    files.save(tmp_path / "adc.json", files.authorized_user(cast.user))
    variables = cloud.environment(XDG_CONFIG_HOME=tmp_path)

    def config(*arguments):
        return subprocess.run([binary(), "config", *arguments], cwd=tmp_path, env=variables, capture_output=True,
                              text=True)

    assert config("set", "access-token", "adc.json").returncode == 0
    stored = json.loads((tmp_path / "tripwire" / "config.json").read_text())
    assert stored["profiles"]["default"]["access-token"] == str(tmp_path / "adc.json")
    assert config("set", "access-token", "adc").returncode == 0
    for secret in "-", json.dumps(files.authorized_user(cast.user)), "ya29.hush":
        done = config("set", "access-token", secret)
        assert done.returncode == 2 and "hush" not in done.stderr, done.stderr
