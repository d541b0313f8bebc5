"""Are revocation lists, client certificates and the key log used, and are their faults reported?"""

import pytest

from support.command import assert_failed, tripwire
from peers.servers.fleet_server import FleetServer
from peers.tls.tls_peers import SETTINGS, OpenSSLServer, early_writing_server
from support.tls import get

UNAVAILABLE = 78


# Revocation

@pytest.mark.parametrize("name, code, words", [
    ("revoking", UNAVAILABLE, ["the certificate of CN=good was revoked"]),
    ("not_revoking", 0, []),
    ("outdated_revoking", UNAVAILABLE, ["tripwire test authority is out of date"]),
])
def test_revoked_certificates_are_refused(tls_server, certificates, name, code, words):
    result = get(tls_server.port, certificates, "--crlfile", getattr(certificates, name))
    assert result.code == code, result.stderr
    for word in words:
        assert word in result.stderr


def test_revoked_certificate_is_not_retried(tls_server, certificates):
    result = get(tls_server.port, certificates, "--crlfile", certificates.revoking, "-v",
                 "--retries", 2, host="127.0.0.1")
    assert_failed(result, UNAVAILABLE, "was revoked")
    assert result.stderr.count("* connecting to ") == 1
    assert "retrying may help" not in result.stderr


def test_missing_revocation_list_is_reported(tls_servers, certificates):
    result = tripwire(
        "get", "providers/p/trips/t1", "--endpoint", f"localhost:{tls_servers('self_signed').port}",
        "--cacert", certificates.self_signed.chain, "--crlfile", certificates.not_revoking)
    assert_failed(result, UNAVAILABLE, "there is no revocation list of CN=self-signed")


@pytest.mark.parametrize("text, words", [
    ("", "no PEM revocation list"),
    ("-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n", "--crlfile: "),
])
def test_invalid_revocation_list_is_reported(tls_server, certificates, tmp_path, text, words):
    (tmp_path / "list.crl").write_text(text)
    result = get(tls_server.port, certificates, "--crlfile", tmp_path / "list.crl")
    assert_failed(result, 1, words)
    assert_failed(get(tls_server.port, certificates, "--crlfile", tmp_path / "absent.crl"), 1,
                  "absent.crl")


# The client's certificate

@pytest.fixture(scope="module")
def mutual_tls(certificates):
    """A grpcio server that requires a client certificate issued by our authority."""
    with FleetServer(certificates.good, client_authority=certificates.authority) as server:
        yield server


def certificate_options(certificate):
    return ["--cert", certificate.chain, "--key", certificate.key]


def test_client_certificate_is_sent_with_its_chain(mutual_tls, certificates):
    assert get(mutual_tls.port, certificates, *certificate_options(certificates.client)).code == 0


def test_certificate_and_key_may_be_in_one_file(mutual_tls, certificates, tmp_path):
    both = tmp_path / "both.pem"
    both.write_bytes(certificates.client.key.read_bytes() + certificates.client.chain.read_bytes())
    assert get(mutual_tls.port, certificates, "--cert", both).code == 0


def test_key_that_others_can_read_gets_a_warning(mutual_tls, certificates, tmp_path):
    key = tmp_path / "client.key"
    both = tmp_path / "both.pem"
    key.write_bytes(certificates.client.key.read_bytes())
    both.write_bytes(key.read_bytes() + certificates.client.chain.read_bytes())
    chain = certificates.client.chain
    for options, name in (["--cert", chain, "--key", key], f"--key {key}"), (["--cert", both], f"--cert {both}"):
        for mode, warned in (0o600, False), (0o640, True), (0o604, True):
            key.chmod(mode)
            both.chmod(mode)
            result = get(mutual_tls.port, certificates, *options)
            assert (result.code, result.stderr) == (0, (
                f"warning: {name}: other users can read this private key: run chmod 600\n" if warned else ""))


def test_certificate_without_a_key_gets_no_warning(mutual_tls, certificates):
    certificates.client.chain.chmod(0o644)
    result = get(mutual_tls.port, certificates, *certificate_options(certificates.client))
    assert (result.code, result.stderr) == (0, "")


def test_missing_client_certificate_is_reported(mutual_tls, certificates):
    result = get(mutual_tls.port, certificates)
    assert_failed(result, UNAVAILABLE, "after it requested a client certificate",
                  "most likely it requires one", hint="--cert FILE")


def test_rejected_client_certificate_is_reported(mutual_tls, certificates):
    result = get(mutual_tls.port, certificates, *certificate_options(certificates.strange_client))
    assert_failed(result, UNAVAILABLE, "after it received the client's certificate",
                  "most likely it rejected the certificate", hint="--cert FILE")


@pytest.mark.parametrize("option", ["-tls1_2", "-tls1_3"])
@pytest.mark.parametrize("name, words", [
    (None, "the server requires a client certificate"),
    ("strange_client", "the server rejected the client's certificate (TLS alert unknown_ca)"),
    ("expired", "the server rejected the client's certificate (TLS alert certificate_expired)"),
])
def test_openssl_refuses_client_certificates(certificates, option, name, words):
    with OpenSSLServer(certificates.good, option, "-Verify", "2", "-verify_return_error",
                       "-CAfile", certificates.authority) as server:
        result = get(server.port, certificates,
                     *(certificate_options(getattr(certificates, name)) if name else []))
    assert_failed(result, UNAVAILABLE, words)


@pytest.mark.parametrize("_", range(8))
def test_rejection_after_the_settings_is_reported(certificates, _):
    """A TLS 1.3 server may send before it verifies the client's certificate. Whether the call was
    sent by then varies, so the test runs several times."""
    with early_writing_server(certificates.good, certificates.authority, SETTINGS) as port:
        result = get(port, certificates, "-v", *certificate_options(certificates.strange_client))
    assert "* HTTP/2 ready" in result.stderr
    assert_failed(result, UNAVAILABLE, "the server rejected the client's certificate",
                  hint="--cert FILE")


@pytest.mark.parametrize("arguments, words", [
    (["--key", "x"], ["--key", "--cert"]),
    (["--cert", "x", "--plaintext"], ["--cert", "--plaintext"]),
    (["--crlfile", "x", "--insecure-skip-verify"], ["--crlfile", "--insecure-skip-verify"]),
])
def test_conflicting_options_are_a_usage_error(arguments, words):
    assert_failed(tripwire("get", "providers/p/trips/t1", *arguments), 2, *words)


@pytest.mark.parametrize("option", ["--cert", "--key"])
def test_missing_file_is_reported(mutual_tls, certificates, tmp_path, option):
    files = {"--cert": certificates.client.chain, "--key": certificates.client.key}
    files[option] = tmp_path / "absent.pem"
    result = get(mutual_tls.port, certificates, *[word for pair in files.items() for word in pair])
    assert_failed(result, 1, "absent.pem")


# The key log for Wireshark

def test_key_log_is_written_only_with_the_option(tls_server, certificates, tmp_path):
    log = tmp_path / "keys.log"
    assert get(tls_server.port, certificates, SSLKEYLOGFILE=str(log)).code == 0
    assert not log.exists()
    assert get(tls_server.port, certificates, "--keylog", log).code == 0
    labels = [line.split()[0] for line in log.read_text().splitlines()]
    assert "CLIENT_TRAFFIC_SECRET_0" in labels and "SERVER_TRAFFIC_SECRET_0" in labels
    assert log.stat().st_mode & 0o777 == 0o600


def test_full_key_log_is_reported_once(tls_server, certificates):
    result = get(tls_server.port, certificates, "--keylog", "/dev/full")
    assert (result.code, result.stderr) == (
        0, "warning: --keylog: cannot write /dev/full: No space left on device\n")
    quiet = get(tls_server.port, certificates, "--keylog", "/dev/full", "--quiet")
    assert (quiet.code, quiet.stderr) == (0, "")


def test_key_log_that_others_can_read_is_reported(tls_server, certificates, tmp_path):
    log = tmp_path / "keys.log"
    assert get(tls_server.port, certificates, "--keylog", log).stderr == ""
    log.chmod(0o644)
    result = get(tls_server.port, certificates, "--keylog", log)
    assert (result.code, result.stderr) == (
        0, f"warning: --keylog {log}: other users can read or write it: run chmod 600\n")
    assert len({line.split()[1] for line in log.read_text().splitlines()}) == 2


def test_secrets_are_not_appended_to_other_files(tls_server, certificates, tmp_path):
    other = tmp_path / "notes"
    for text in "some notes", "#!/bin/sh\necho no\n", "-----BEGIN CERTIFICATE-----\nMIIB\n":
        other.write_text(text)
        assert_failed(get(tls_server.port, certificates, "--keylog", other), 1,
                      f"--keylog: {other} is not a log of TLS secrets, and nothing is appended to it",
                      hint="choose another file for --keylog")
        assert other.read_text() == text
    for text in "", "# NSS secrets\n", "CLIENT_RANDOM 01 02\n":
        other.write_text(text)
        assert get(tls_server.port, certificates, "--keylog", other).code == 0
        assert other.read_text().startswith(text) and len(other.read_text()) > len(text)


@pytest.mark.parametrize("path", ["-", "/dev/fd/1", "/dev/fd/2"])
def test_secrets_are_not_mixed_with_the_response(tls_server, certificates, path):
    name = "stderr" if path == "/dev/fd/2" else "stdout"
    assert_failed(get(tls_server.port, certificates, "--keylog", path), 2,
                  error=f"--keylog {path}: the same file as {name}", hint="choose another path for --keylog")


def test_input_is_no_key_log(tls_server, certificates, tmp_path):
    token = tmp_path / "token"
    token.touch()
    assert_failed(get(tls_server.port, certificates, "--token-file", token, "--keylog", token), 2,
                  error=f"--keylog {token}: this file is being read")
