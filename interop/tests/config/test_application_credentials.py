"""Is the key of GOOGLE_APPLICATION_CREDENTIALS used for Fleet Engine only?

A proxy on loopback stands for the network, so that no test connects to Fleet Engine itself.
"""

import json

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import jwt

from peers.proxies.http_proxies import ScriptedProxy
from support.command import PATIENT, assert_failed, tripwire
from support.paths import RECORDINGS

VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"


@pytest.fixture(scope="session")
def key(tmp_path_factory):
    private = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption()).decode()
    path = tmp_path_factory.mktemp("key") / "key.json"
    path.write_text(json.dumps({
        "type": "service_account", "private_key_id": "k1", "private_key": private,
        "client_email": "backend@my-project.iam.gserviceaccount.com"}))
    return path


@pytest.fixture
def fleet_engine(tls_servers, certificates):
    """Calls a server with the name of Fleet Engine through a proxy that relays to loopback."""
    port = tls_servers("fleet_engine").port

    def script(proxy, connection):
        proxy.head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        proxy.relay(connection, port)

    with ScriptedProxy(script) as proxy:
        yield lambda *arguments, **variables: tripwire(
            "get", "providers/p/trips/echo", "--proxy", f"http://{proxy.address}", "--cacert",
            certificates.authority, "--timeout", PATIENT, "-v", *arguments, **variables)


def notes(result):
    return [line for line in result.stderr.splitlines() if VARIABLE in line]


def test_doctor_checks_a_token_of_the_key(key):
    for path, outcome, message in (key, "ok", VARIABLE), ("/none", "skipped", "no option provides a token"):
        result = tripwire("doctor", "providers/p/trips/t1", "--connect-to", "::127.0.0.1:1", "-o", "json",
                          **{VARIABLE: str(path)})
        (token,) = [step for step in json.loads(result.stdout)["steps"] if step["name"] == "token"]
        assert (token["outcome"], token["message"]) == (outcome, message)


@pytest.mark.parametrize("arguments", [
    [], ["--endpoint", "fleetengine.googleapis.com"],
    ["--endpoint", "dns:///FleetEngine.googleapis.com:443"],
])
def test_key_signs_tokens_for_fleet_engine(fleet_engine, key, arguments):
    result = fleet_engine(*arguments, **{VARIABLE: str(key)})
    assert result.code == 0, result.stderr
    assert notes(result) == [f"* tokens are signed with the key in {VARIABLE} ({key})"]
    (value,) = result.attributes["authorization"]
    claims = jwt.decode(value.removeprefix("Bearer "), verify=False)
    assert claims["authorization"] == {"tripid": "echo"}


def test_other_sources_precede_it(fleet_engine, key, tmp_path):
    (tmp_path / "tripwire").mkdir()
    (tmp_path / "tripwire" / "config.json").write_text(
        '{"profiles": {"default": {"token-command": "echo token"}}}')
    for arguments, variables in [
            (["-H", "authorization: Bearer token"], {}), (["--token-command", "echo token"], {}),
            ([], {"TRIPWIRE_TOKEN": "token"}), ([], {"XDG_CONFIG_HOME": str(tmp_path)})]:
        result = fleet_engine(*arguments, **{VARIABLE: str(key)} | variables)
        assert result.attributes["authorization"] == ["Bearer token"], result.stderr
        assert notes(result) == []


@pytest.mark.parametrize("text, reason", [
    (None, "No such file or directory"),
    ('{"type": "authorized_user"}', "credentials of type authorized_user cannot sign tokens"),
    ('{"type": "external_account"}', "credentials of type external_account cannot sign tokens"),
    ("hush", "not a JSON object"),
    ('{"type": "service_account"}', "the field client_email is missing"),
])
def test_unusable_key_is_no_error(fleet_engine, tmp_path, text, reason):
    path = tmp_path / "key.json"
    if text is not None:
        path.write_text(text)
    result = fleet_engine(**{VARIABLE: str(path)})
    assert result.code == 0, result.stderr
    assert "authorization" not in result.attributes
    (note,) = notes(result)
    assert note.startswith(f"* {VARIABLE} is not used: {path}: ") and reason in note
    assert "hush" not in result.stderr


def test_other_servers_do_not_get_a_token(server, tls_server, certificates, key, fleet_engine):
    here = f"localhost:{tls_server.port}"
    fleet = "fleetengine.googleapis.com:443"
    for arguments, reason in [
            (["--endpoint", server.address, "--plaintext"], "the connection has no TLS"),
            (["--endpoint", here, "--cacert", certificates.authority],
             f"the server is {here}, not {fleet}"),
            (["--endpoint", here, "--insecure-skip-verify"],
             "the certificate of the server is not verified"),
    ]:
        result = tripwire("get", "providers/p/trips/echo", "-v", *arguments, **{VARIABLE: str(key)})
        assert result.code == 0, result.stderr
        assert "authorization" not in result.attributes
        assert notes(result) == [f"* {VARIABLE} is not used: {reason}"]
    result = fleet_engine("--authority", "other.example", **{VARIABLE: str(key)})
    assert_failed(result, 78)
    assert notes(result) == [
        f"* {VARIABLE} is not used: --authority names another server, other.example"]


def test_no_note_without_verbose(server, key):
    result = tripwire("get", "providers/p/trips/t1", "--endpoint", server.address, "--plaintext",
                      **{VARIABLE: str(key)})
    assert (result.code, result.stderr) == (0, "")


def test_recording_gets_no_token(key):
    result = tripwire("get", "providers/demo/trips/t1", "--replay", RECORDINGS / "demo.binlog", "-v",
                      **{VARIABLE: str(key)})
    assert result.code == 0
    assert notes(result) == [
        f"* {VARIABLE} is not used: the server is {RECORDINGS / 'demo.binlog'}, not"
        " fleetengine.googleapis.com:443"]
