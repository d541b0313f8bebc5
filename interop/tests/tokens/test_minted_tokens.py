"""Are signed tokens right, and are tokens and their claims checked?"""

import base64
import json
import os
import subprocess
import time

import pytest

from support.command import LONGEST, assert_failed, start, tripwire

AUDIENCE = "https://fleetengine.googleapis.com/"


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
def test_google_auth_verifies_minted_tokens(keys, arguments, authorization):
    claims = keys.claims(keys.mint(*arguments))
    assert claims["authorization"] == authorization
    assert claims["exp"] - claims["iat"] == 3600


def inspect(token, *arguments):
    return tripwire("token", "inspect", *arguments, stdin=token.encode() + b"\n")


def test_tokens_signed_by_google_auth_are_valid(keys, tmp_path):
    path = tmp_path / "token.jwt"
    token = keys.signed()
    path.write_text(token)
    for key in keys.path, keys.public_path:
        result = tripwire("token", "inspect", path, "--trip", "t1", "--key", key)
        assert result.code == 0, result.stdout
        assert " passed: " in result.stdout and token.split(".")[2] not in result.stdout


@pytest.mark.parametrize("has_key, outcome, valid", [(False, "unchecked", None), (True, "ok", True)])
def test_token_is_valid_only_after_its_signature_is_verified(keys, has_key, outcome, valid):
    options = ["--key", keys.public_path] if has_key else []
    result = inspect(keys.signed(), "-o", "json", *options)
    assert result.code == 0, result.stderr
    report = json.loads(result.stdout)
    outcomes = {check["name"]: check["outcome"] for check in report["checks"]}
    assert (outcomes["signature"], report["valid"]) == (outcome, valid)
    text = inspect(keys.signed(), *options).stdout
    assert ("signature was not verified" in text and "--key" in text) == (not has_key)


def test_task_ids_of_a_token_must_be_an_array(keys):
    token = keys.signed(authorization={"taskids": ["a", "b"]})
    result = inspect(token, "--task-ids", "a,b", "--key", keys.public_path)
    assert (result.code, " passed: " in result.stdout) == (0, True), result.stdout
    assert inspect(token, "--task-ids", "c").code == 1
    result = inspect(keys.signed(authorization={"taskids": "*"}))
    assert result.code == 1 and "taskids is not an array of strings" in result.stdout


def test_access_token_cannot_be_inspected():
    result = inspect("ya29.a0.hush")
    assert_failed(result, 1, "it is an OAuth access token, which cannot be inspected offline",
                  hint="Fleet Engine accepts access tokens: check the roles of the account")
    assert "hush" not in result.stderr


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
    assert_failed(result, 1)
    assert "token" in result.stderr
    assert not text or text not in result.stderr


def test_missing_input_is_reported():
    result = tripwire("get", "providers/p/trips/t1", "--token-file", "-", stdin=b"")
    assert_failed(result, 1, error="--token-file: stdin: no input", hint="write a token to stdin")


def test_encrypted_key_does_not_prompt(keys, tmp_path):
    path = tmp_path / "encrypted.pem"
    subprocess.run(
        ["openssl", "pkey", "-aes256", "-passout", "pass:hush", "-out", path],
        input=keys.private.encode(), check=True)
    result = inspect(keys.signed(), "--key", path)
    assert_failed(result, 1, "encrypted.pem is encrypted: decrypt it first")
    assert result.stderr.count("encrypted.pem") == 1 and "phrase" not in result.stderr


def test_missing_key_is_named_once(keys):
    result = inspect(keys.signed(), "--key", "nosuch.pem")
    assert_failed(result, 1, "--key: nosuch.pem: No such file")
    assert result.stderr.count("nosuch.pem") == 1


def test_credentials_are_read_from_stdin(keys):
    result = tripwire("token", "mint", "--credentials", "-", "--trip", "t1",
                      stdin=keys.path.read_bytes())
    assert keys.claims(result.stdout.strip())["authorization"] == {"tripid": "t1"}


@pytest.mark.parametrize("change, is_repaired", [
    (lambda text: text.replace(b"\\n", b"\\\\n"), True), (lambda text: text.replace(b"\\n", b" "), True),
    (lambda text: text.replace(b"\\n", b"\n"), True), (lambda text: b"\xef\xbb\xbf" + text, False),
    (lambda text: text.replace(b", ", b",\\n"), False),
])
@pytest.mark.parametrize("is_text", [False, True])
def test_lost_line_ends_are_restored(keys, change, is_repaired, is_text):
    """Variables and secret managers change keys."""
    text = change(keys.path.read_bytes())
    if is_text:
        variables = {"TRIPWIRE_CREDENTIALS_JSON": text.decode()}
        result = tripwire("token", "mint", "--trip", "t1", **variables)
    else:
        result = tripwire("token", "mint", "--credentials", "-", "--trip", "t1", stdin=text)
    assert keys.claims(result.stdout.strip())["authorization"] == {"tripid": "t1"}
    source = "TRIPWIRE_CREDENTIALS_JSON" if is_text else "--credentials"
    assert result.stderr == (f"warning: {source}: the line ends of private_key were restored\n" if is_repaired else "")


@pytest.mark.parametrize("change, problem, cure", [
    (lambda text: text[:500], "unexpected end of JSON", "copy the whole file"),
    (lambda text: text.replace(b"{", b'{"type": "service_account", ', 1), "stdin:1:29: invalid JSON: duplicate member",
     "use the unchanged JSON file from Google Cloud"),
    (lambda text: json.loads(text)["private_key"].encode(), "a PEM file, not JSON", "use the JSON file"),
    (lambda text: b"", "no input", "write the key to stdin"),
])
def test_changed_key_file_gets_a_hint(keys, change, problem, cure):
    result = tripwire("token", "mint", "--credentials", "-", "--trip", "t1",
                      stdin=change(keys.path.read_bytes()))
    assert_failed(result, 1, "stdin", problem, hint=cure)
    assert "PRIVATE" not in result.stderr


def test_large_numbers_in_claims_are_exact(keys):
    result = inspect(keys.signed(large=2**60 + 1), "-o", "json")
    assert json.loads(result.stdout)["claims"]["large"] == 2**60 + 1


def test_closed_reader_is_not_reported(keys):
    read, write = os.pipe()
    os.close(read)
    process = start("token", "inspect", stdin=subprocess.PIPE, stdout=write)
    os.close(write)
    _, stderr = process.communicate(keys.signed().encode(), timeout=LONGEST)
    assert (process.returncode, stderr) == (141, b"")
