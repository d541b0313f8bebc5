"""Who signs a token, or runs for it: are its claims right, and does no secret show?"""

import base64
import json
import os
import signal
import subprocess
import time

import pytest
from google.auth import crypt, jwt

from support.command import LONGEST, assert_failed, bearer, get, start, tripwire
from support.following import following

AUDIENCE = "https://fleetengine.googleapis.com/"
EMAIL = "backend@my-project.iam.gserviceaccount.com"


@pytest.fixture(scope="session", params=["PKCS#8", "PKCS#1"])
def keys(request, tmp_path_factory):
    """A service account's key file, and the public key in PEM, both made by openssl."""
    folder = tmp_path_factory.mktemp("keys")
    private = folder / "private.pem"
    subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
         "-out", private], check=True)
    if request.param == "PKCS#1":
        other, private = private, folder / "traditional.pem"
        subprocess.run(
            ["openssl", "pkey", "-in", other, "-traditional", "-out", private], check=True)
    public = subprocess.run(
        ["openssl", "pkey", "-in", private, "-pubout"], check=True, capture_output=True).stdout
    return Keys(folder, private.read_text(), public)


class Keys:
    def __init__(self, folder, private, public):
        self.private, self.public = private, public
        self.path = folder / "key.json"
        self.path.write_text(json.dumps({
            "type": "service_account", "project_id": "my-project", "private_key_id": "k1",
            "private_key": private, "client_email": EMAIL, "client_id": "1",
            "token_uri": "https://oauth2.googleapis.com/token",
            "universe_domain": "googleapis.com"}))
        self.public_path = folder / "public.pem"
        self.public_path.write_bytes(public)

    def claims(self, token):
        """Those of a token, once google-auth has verified signature, audience and times."""
        assert jwt.decode_header(token) == {"alg": "RS256", "typ": "JWT", "kid": "k1"}
        claims = dict(jwt.decode(token, certs=self.public, audience=AUDIENCE))
        assert claims["iss"] == claims["sub"] == EMAIL
        assert type(claims["iat"]) is int and claims["exp"] - claims["iat"] <= 3600
        return claims

    def mint(self, *arguments):
        result = tripwire("token", "mint", "--credentials", self.path, *arguments)
        assert (result.code, result.stdout.count("\n")) == (0, 1), result.stderr
        return result.stdout.strip()

    def signed(self, **changes):
        """A token that google-auth signed."""
        now = int(time.time())
        claims = {"iss": EMAIL, "sub": EMAIL, "aud": AUDIENCE, "iat": now, "exp": now + 3600,
                  "authorization": {"tripid": "t1"}} | changes
        return jwt.encode(crypt.RSASigner.from_string(self.private, "k1"), claims).decode()


# Mint and inspect


@pytest.mark.parametrize("arguments, authorization", [
    (["--trip", "t1"], {"tripid": "t1"}),
    (["--vehicle", "v1"], {"vehicleid": "v1"}),
    (["--role", "server"], {"tripid": "*", "vehicleid": "*"}),
    (["--task-ids", "t1,t2"], {"taskids": ["t1", "t2"]}),
    (["--claim", 'taskids=["*"]'], {"taskids": ["*"]}),
    (["--claim", 'own="12"'], {"own": "12"}),
    (["--role", "delivery-server"],
     {"deliveryvehicleid": "*", "taskid": "*", "taskids": ["*"], "trackingid": "*"}),
    (["--claim", "ö=\"ü\\"], {"ö": "\"ü\\"}),
])
def test_google_verifies_what_is_minted(keys, arguments, authorization):
    claims = keys.claims(keys.mint(*arguments))
    assert claims["authorization"] == authorization
    assert claims["exp"] - claims["iat"] == 3600


def test_a_lifetime_is_kept(keys):
    claims = keys.claims(keys.mint("--trip", "t1", "--lifetime", "5m"))
    assert claims["exp"] - claims["iat"] == 300


def inspect(token, *arguments):
    return tripwire("token", "inspect", *arguments, stdin=token.encode() + b"\n")


def test_tokens_signed_by_google_are_valid(keys, tmp_path):
    path = tmp_path / "token.jwt"
    token = keys.signed()
    path.write_text(token)
    for key in keys.path, keys.public_path:
        result = tripwire("token", "inspect", path, "--trip", "t1", "--key", key)
        assert result.code == 0, result.stdout
        assert "none failed" in result.stdout and token.split(".")[2] not in result.stdout


@pytest.mark.parametrize("has_key, outcome, valid", [(False, "unchecked", None), (True, "ok", True)])
def test_it_is_not_valid_before_its_signature_is_checked(keys, has_key, outcome, valid):
    options = ["--key", keys.public_path] if has_key else []
    result = inspect(keys.signed(), "-o", "json", *options)
    assert result.code == 0, result.stderr
    report = json.loads(result.stdout)
    outcomes = {check["name"]: check["outcome"] for check in report["checks"]}
    assert (outcomes["signature"], report["valid"]) == (outcome, valid)
    text = inspect(keys.signed(), *options).stdout
    assert ("signature was not verified" in text and "--key" in text) == (not has_key)


def test_the_tasks_of_a_token_are_an_array(keys):
    token = keys.signed(authorization={"taskids": ["a", "b"]})
    result = inspect(token, "--task-ids", "a,b", "--key", keys.public_path)
    assert (result.code, "none failed" in result.stdout) == (0, True), result.stdout
    assert inspect(token, "--task-ids", "c").code == 1
    result = inspect(keys.signed(authorization={"taskids": "*"}))
    assert result.code == 1 and "taskids is not an array of strings" in result.stdout


def test_there_is_nothing_in_an_access_token():
    result = inspect("ya29.a0.hush")
    assert_failed(result, 1, "it is an OAuth access token, which Fleet Engine also accepts",
                  hint="check the roles of its account")
    assert "hush" not in result.stderr


def test_a_trip_of_another_project_than_the_keys_is_warned_of(keys):
    for project, is_warned_of in ("other", True), ("my-project", False):
        name = f"providers/{project}/trips/t1"
        result = tripwire("token", "mint", "--credentials", keys.path, "--trip", name)
        assert keys.claims(result.stdout.strip())["authorization"] == {"tripid": "t1"}
        assert ("--trip names the project other" in result.stderr) == is_warned_of


def test_changed_token_fails_verification(keys):
    header, claims, _ = keys.signed().split(".")
    other = keys.signed(authorization={"tripid": "t2"}).split(".")
    result = inspect(f"{header}.{claims}.{other[2]}", "--key", keys.public_path)
    assert result.code == 1
    assert "signature does not match this key" in result.stdout


def test_failed_checks_are_reported_with_an_action(keys):
    token = keys.signed(aud=AUDIENCE[:-1], exp=int(time.time()) - 60, iat=int(time.time()) - 600)
    result = inspect(token, "--trip", "t2", "-o", "json")
    assert result.code == 1
    report = json.loads(result.stdout)
    assert not report["valid"]
    assert report["claims"] == json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    failed = {check["name"] for check in report["checks"] if check["outcome"] == "failed"}
    assert failed == {"aud", "exp", "for t2"}
    assert all("cure" in check for check in report["checks"] if check["outcome"] != "ok")


@pytest.mark.parametrize("text", ["ya29.token", "", "a.b.c", "two words"])
def test_text_that_is_not_a_jwt_is_not_shown(text):
    result = inspect(text)
    assert_failed(result, 1, "token")
    assert not text or text not in result.stderr


def test_encrypted_key_does_not_prompt(keys, tmp_path):
    path = tmp_path / "encrypted.pem"
    subprocess.run(
        ["openssl", "pkey", "-aes256", "-passout", "pass:hush", "-out", path],
        input=keys.private.encode(), check=True)
    result = inspect(keys.signed(), "--key", path)
    assert_failed(result, 1, "encrypted.pem is encrypted: decrypt it first")
    assert result.stderr.count("encrypted.pem") == 1 and "phrase" not in result.stderr


def test_a_key_that_is_not_there_is_named_once(keys):
    result = inspect(keys.signed(), "--key", "nosuch.pem")
    assert_failed(result, 1, "--key: nosuch.pem: No such file")
    assert result.stderr.count("nosuch.pem") == 1


def test_credentials_come_from_standard_input(keys):
    result = tripwire("token", "mint", "--credentials", "-", "--trip", "t1",
                      stdin=keys.path.read_bytes())
    assert keys.claims(result.stdout.strip())["authorization"] == {"tripid": "t1"}


@pytest.mark.parametrize("change, cure", [
    (lambda text: text.replace(b"\\n", b"\\\\n"), "line ends"),
    (lambda text: b"\xef\xbb\xbf" + text, "byte order mark"),
    (lambda text: text[:500], "unexpected end of the JSON: copy the whole file"),
    (lambda text: text.replace(b"{", b'{"type": "service_account", ', 1),
     "unchanged file from Google Cloud"),
    (lambda text: json.loads(text)["private_key"].encode(), "a PEM file: use the JSON file"),
])
def test_changed_key_file_gets_a_hint(keys, change, cure):
    result = tripwire("token", "mint", "--credentials", "-", "--trip", "t1",
                      stdin=change(keys.path.read_bytes()))
    assert_failed(result, 1, "stdin", cure)
    assert "PRIVATE" not in result.stderr


def test_numbers_are_those_of_the_token(keys):
    result = inspect(keys.signed(large=2**60 + 1), "-o", "json")
    assert json.loads(result.stdout)["claims"]["large"] == 2**60 + 1


def test_closed_reader_is_not_reported(keys):
    read, write = os.pipe()
    os.close(read)
    process = start("token", "inspect", stdin=subprocess.PIPE, stdout=write)
    os.close(write)
    _, stderr = process.communicate(keys.signed().encode(), timeout=LONGEST)
    assert (process.returncode, stderr) == (141, b"")


# Tokens of calls


@pytest.mark.parametrize("resource, authorization", [
    ("trips/echo", {"tripid": "echo"}),
])
def test_credentials_sign_for_what_is_asked_for(keys, server, resource, authorization):
    token = bearer(get(server, resource, "--credentials", keys.path))
    assert keys.claims(token)["authorization"] == authorization


def test_credentials_sign_for_any_method(keys, server):
    result = tripwire(
        "call", "maps.fleetengine.v1.TripService/GetTrip", "-d",
        '{"name": "providers/p/trips/echo"}', "--endpoint", server.address, "--plaintext",
        "--credentials", keys.path)
    assert keys.claims(bearer(result))["authorization"] == {"tripid": "echo"}


def test_command_gets_the_resource_of_its_token(server):
    line = 'echo "$TRIPWIRE_RESOURCE=$TRIPWIRE_TRIP_ID"'
    assert bearer(get(server, "trips/echo", "--token-command", line)) == \
        "providers/p/trips/echo=echo"


def test_a_command_may_write_json(server):
    line = """echo '{"token": "abc", "expiresIn": 60}'"""
    assert bearer(get(server, "trips/echo", "--token-command", line)) == "abc"


def test_failing_token_command_is_reported(own_server):
    line = "echo secret; (echo no account; echo; echo password=hunter2; echo log in) >&2; exit 7"
    result = get(own_server, "trips/echo", "--token-command", line)
    assert_failed(result, 80, "exit code 7: no account | password=*** | log in", 
                  hint=["run the token command by hand", "nothing was sent"], lines=["never sent"])
    assert "secret" not in result.stderr and "hunter2" not in result.stderr
    assert own_server.arrived.empty()


def test_a_command_that_fails_is_not_run_for_every_poll(server, tmp_path):
    """But two seconds later. Every poll is told why."""
    times = tmp_path / "times"
    times.touch()
    line = f"date +%s.%N >> {times}; echo 'log in again' >&2; exit 1"
    options = ["--plaintext", "--token-command", line]
    with following(server.address, "providers/p/trips/t1", options=options) as follow:
        error = follow.until_error("UNAUTHENTICATED")["error"]
        assert "log in again" in error["message"]
        follow.wait_until(lambda: times.read_text().count("\n") >= 2)
    first, second = map(float, times.read_text().split()[:2])
    assert second - first >= 2


def test_token_for_all_runs_the_command_once(server, tmp_path):
    for options, runs in ([], 2), (["--token-for-all"], 1):
        count, names = tmp_path / f"count{runs}", {"providers/p/trips/t1", "providers/p/trips/t2"}
        options = [*options, "--plaintext", "--token-command",
                   f"echo >> {count}; sleep 0.2; echo abc"]
        with following(server.address, *names, options=options) as follow:
            while names:
                names.discard(follow.until(lambda line: line["name"] in names)["name"])
        assert count.read_text() == "\n" * runs


def test_a_secret_on_standard_error_is_not_repeated(own_server, keys):
    result = get(own_server, "trips/echo", "--token-command",
                 f"{os.environ['TRIPWIRE_BIN']} token mint --credentials {keys.path} --trip t1 >&2;"
                 " exit 1")
    assert_failed(result, 80, "exit code 1: ***")
    assert "eyJ" not in result.stderr


def test_a_command_has_no_longer_than_the_call(own_server):
    result = get(own_server, "trips/echo", "--token-command", f"sleep {2 * LONGEST}", "--timeout",
                 "500ms")
    assert_failed(result, 68, "token provider")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_is_killed_with_ours(own_server, tmp_path, number):
    """By Ctrl-C and the like, with all that it has started."""
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    process = start(
        "get", "providers/p/trips/echo", "--endpoint", own_server.address, "--plaintext",
        "--token-command", f"sleep 100 & echo $$ $! > {pids}; wait")
    children = [int(pid) for pid in pids.read_text().split()]
    process.send_signal(number)
    assert process.wait(LONGEST) == 128 + number
    end = time.monotonic() + LONGEST
    for pid in children:
        while is_running(pid):
            assert time.monotonic() < end, f"{pid} goes on"
            time.sleep(0.01)


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("options", [
    ["--token-file", "a", "--credentials", "b"], ["--token-command", "a", "--credentials", "b"],
    ["--token-command", "a", "--token-file", "b"],
])
@pytest.mark.parametrize("command", [
    ["get", "providers/p/trips/t"], ["call", "GetTrip"], ["list"], ["describe"],
    ["follow", "providers/p/trips/t"],
])
def test_a_call_has_one_token(command, options):
    assert_failed(tripwire(*command, *options), 2, "cannot be used with --")


def test_options_win_over_the_variable(server, keys):
    token = bearer(
        get(server, "trips/echo", "--token-command", "echo command", TRIPWIRE_TOKEN="variable"))
    assert token == "command"
    token = bearer(get(server, "trips/echo", "--credentials", keys.path, TRIPWIRE_TOKEN="variable"))
    assert keys.claims(token)


# Secrets


@pytest.mark.parametrize("resource, code", [("trips/t1", 0), ("trips/fails-UNAUTHENTICATED", 80)])
def test_key_and_token_are_not_shown(keys, server, resource, code):
    secrets = [line for line in keys.private.splitlines() if "-" not in line]
    result = get(server, resource, "-v", "--credentials", keys.path)
    assert result.code == code
    assert "authorization" in result.stderr.lower()
    for text in result.stdout, result.stderr:
        assert "eyJ" not in text
        assert not [secret for secret in secrets if secret in text]
    token = "tokenoftheprogram"
    result = get(server, resource, "-v", "--token-command", f"echo {token}")
    assert result.code == code
    assert token not in result.stderr + result.stdout


@pytest.mark.parametrize("arguments", [
    ("get", "providers/p/trips/t1", "--credentials"),
    ("get", "providers/p/trips/t1", "--token-file"),
    ("token", "mint", "--trip", "t1", "--credentials"),
    ("token", "inspect"),
])
@pytest.mark.parametrize("secret", [
    '{"type": "service_account", "private_key": "hush"}',
    "eyJhbGciOiJSUzI1NiJ9.hush.hush",
    "-----BEGIN PRIVATE KEY-----\nhush",
])
def test_a_secret_in_place_of_its_file_is_not_shown(arguments, secret):
    # Behind --, as it begins with a dash.
    last = ["--", secret] if arguments[-1] == "inspect" else [secret]
    result = tripwire(*arguments, *last)
    assert result.code != 0
    assert "hush" not in result.stderr + result.stdout
