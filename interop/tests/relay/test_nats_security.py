"""Does the relay use TLS and the credentials of NATS, and report what is wrong with them?"""

import os

import pytest

from support.command import tripwire
from support.nats.server import NATSServer
from support.nats.operator import Operator
from support.relay import Reader, Worker, relay, working

NAME = "providers/p/trips/t1"
CHECK_TLS = "hint: check --nats-ca, --nats-cert and --nats-key, and the host in the URL of NATS\n"
TRUST = "hint: pass the certificate of the CA of NATS with --nats-ca FILE\n"
CHECK_CERTIFICATE = "hint: check the address of NATS, and --nats-cert if NATS requires client certificates\n"
CHECK_USER = "hint: check --nats-creds, or the user and password in the URL\n"


def tls(certificate, *lines):
    block = [f'cert_file: "{certificate.chain}"', f'key_file: "{certificate.key}"', *lines]
    return "tls { " + "\n".join(block) + " }\n"


def secure(server, host="localhost"):
    return f"tls://{host}:{server.port}"


def is_reported(result, text, hint):
    """One error and its cure, and nothing else."""
    error, cure = result.stderr.splitlines(keepends=True)
    assert error.startswith("error: ") and text in error, result.stderr
    assert (result.code, cure) == (1, hint)


# MARK: TLS


@pytest.fixture
def encrypted(tmp_path, certificates):
    with NATSServer(tmp_path, tls(certificates.good)) as server:
        yield server


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_relay_works_over_tls(encrypted, certificates, moving, host):
    trust = ["--nats-ca", certificates.authority]
    url = secure(encrypted, host)
    with Worker(url, moving, *trust) as worker, Reader(url, NAME, options=trust) as reader:
        reader.until(lambda state: state.trip.name)
        assert worker.errors == []


def test_authority_of_the_system_is_trusted(encrypted, certificates):
    result = relay(secure(encrypted), "want", NAME, SSL_CERT_FILE=str(certificates.authority))
    assert (result.code, result.stderr) == (0, "")


def test_unknown_authority_is_reported(encrypted, certificates):
    for options in [], ["--nats-ca", certificates.other_authority]:
        result = relay(secure(encrypted), "status", *options)
        is_reported(result, "unable to get local issuer certificate", TRUST)


def test_wrong_host_is_reported(tmp_path, certificates):
    with NATSServer(tmp_path, tls(certificates.wrong_host)) as server:
        result = relay(secure(server), "status", "--nats-ca", certificates.authority)
        is_reported(result, "hostname mismatch", CHECK_TLS)


def test_expired_certificate_is_reported(tmp_path, certificates):
    with NATSServer(tmp_path, tls(certificates.expired)) as server:
        result = relay(secure(server), "status", "--nats-ca", certificates.authority)
        is_reported(result, "certificate has expired", CHECK_TLS)


def test_client_certificate_is_presented(tmp_path, certificates, moving):
    configuration = tls(certificates.good, f'ca_file: "{certificates.authority}"', "verify: true")
    trust = ["--nats-ca", certificates.authority]
    with NATSServer(tmp_path, configuration) as server:
        url = secure(server)
        own = ["--nats-cert", certificates.client.chain, "--nats-key", certificates.client.key]
        with Worker(url, moving, *trust, *own), Reader(url, NAME, options=[*trust, *own]) as reader:
            reader.until(lambda state: state.trip.name)
        closed = "the server closed the connection"
        is_reported(relay(url, "status", *trust), closed, CHECK_CERTIFICATE)
        other = ["--nats-cert", certificates.strange_client.chain, "--nats-key", certificates.strange_client.key]
        is_reported(relay(url, "status", *trust, *other), closed, CHECK_CERTIFICATE)
        result = relay(url, "status", *trust, "--nats-cert", certificates.client.chain, "--nats-key",
                       certificates.good.key)
        is_reported(
            result, "key values mismatch",
            "hint: pass the certificate with --nats-cert and its private key with --nats-key, as PEM files\n")


def test_file_without_certificates_is_reported(encrypted, tmp_path):
    (tmp_path / "empty.pem").write_text("nothing\n")
    result = relay(secure(encrypted), "status", "--nats-ca", tmp_path / "empty.pem")
    is_reported(result, "empty.pem", "hint: pass a PEM file with CA certificates in --nats-ca\n")


def test_file_that_libnats_cannot_read_at_once_is_reported(nats, tmp_path):
    """libnats would wait for a pipe, and read a device without end."""
    fifo, large = tmp_path / "fifo", tmp_path / "large"
    os.mkfifo(fifo)
    with open(large, "wb") as file:
        file.truncate((1 << 20) + 1)
    for option in "--nats-ca", "--nats-cert", "--nats-creds":
        result = relay(nats, "status", option, fifo)
        assert (result.code, result.stderr) == (
            1, f"error: {option}: {fifo} is not a regular file\nhint: pass a regular file in {option}\n")
    result = relay(nats, "status", "--nats-ca", large)
    assert (result.code, result.stderr) == (
        1, f"error: --nats-ca: {large}: larger than 1 MiB\nhint: check that --nats-ca names the right file\n")


def test_tls_to_a_server_without_is_reported(nats):
    is_reported(relay(secure(nats), "status"), "", "hint: use nats:// in place of tls://: the server has no TLS\n")


def test_certificates_for_a_server_without_tls_are_reported(nats, certificates):
    is_reported(
        relay(nats, "status", "--nats-ca", certificates.authority), "",
        "hint: remove --nats-ca and --nats-cert: they require TLS, which the server does not have\n")


def test_server_that_requires_tls_gets_it(encrypted, certificates):
    """The server's greeting requires TLS, so nats:// uses it, and verifies the certificate."""
    is_reported(relay(encrypted, "status"), "unable to get local issuer certificate", TRUST)


# MARK: Users


def test_credentials_log_in(tmp_path, moving):
    operator = Operator()
    creds = operator.credentials(tmp_path / "worker.creds")
    options = ["--nats-creds", creds]
    with NATSServer(tmp_path, operator.configuration) as server:
        with Worker(server, moving, *options) as worker, Reader(server, NAME, options=options) as reader:
            reader.until(lambda state: state.trip.name)
            assert worker.errors == []
        creds.chmod(0o644)
        warning = f"warning: --nats-creds {creds}: other users can read this private key: run chmod 600\n"
        assert relay(server, "status", *options).stderr == warning


def test_wrong_credentials_are_reported(tmp_path):
    operator = Operator()
    elsewhere = operator.credentials(tmp_path / "elsewhere.creds", src=["192.0.2.1/32"])
    stranger = Operator().credentials(tmp_path / "stranger.creds")
    with NATSServer(tmp_path, operator.configuration) as server:
        for options in [], ["--nats-creds", stranger], ["--nats-creds", elsewhere]:
            result = relay(server, "status", *options)
            is_reported(result, "cannot connect to NATS at", CHECK_USER)
            assert "eyJ" not in result.stderr and "SUA" not in result.stderr


def test_file_without_credentials_is_reported(nats, tmp_path):
    (tmp_path / "empty.creds").write_text("nothing\n")
    result = relay(nats, "status", "--nats-creds", tmp_path / "empty.creds")
    is_reported(result, "no nkey user seed found in", CHECK_USER)


def test_user_in_the_url_logs_in_and_is_never_printed(tmp_path, moving):
    users = 'authorization { users = [ { user: "fleet", password: "swordfish" } ] }\n'
    with NATSServer(tmp_path, users) as server:
        url = server.url.replace("//", "//fleet:swordfish@")
        with Worker(url, moving) as worker, Reader(url, NAME) as reader:
            working(url, 1)
            reader.until(lambda state: state.trip.name)
            server.kill()
            worker.error(f"the connection to NATS at {server.url} was lost")
            lost = reader.until(lambda state: state.HasField("relay_error"))
            assert "swordfish" not in str(lost)
            result = relay(url, "status")
            is_reported(result, f"cannot connect to NATS at {server.url}: ",
                        "hint: start nats-server with -js, or check the address of NATS\n")
            for text in [*worker.errors, *reader.errors, result.stderr]:
                assert "swordfish" not in text and "fleet:" not in text


@pytest.mark.parametrize("command", [["relay", "status", "--nats"], ["follow", NAME, "--from"], ["map", NAME, "--from"]])
def test_wrong_password_is_one_error(tmp_path, command):
    users = 'authorization { users = [ { user: "fleet", password: "swordfish" } ] }\n'
    with NATSServer(tmp_path, users) as server:
        result = tripwire(*command, server.url.replace("//", "//fleet:wrong-one@"))
    is_reported(result, f"cannot connect to NATS at {server.url}", CHECK_USER)
    assert "wrong-one" not in result.stderr


@pytest.mark.parametrize("address", ["nats://fleet:sword/fish@127.0.0.1:1", "nats://fleet:s@w@127.0.0.1:1"])
def test_password_with_special_characters_is_never_printed(address):
    result = relay(address, "status")
    assert result.code == 1 and "fish" not in result.stderr and "s@w" not in result.stderr


def test_revoked_user_ends_the_worker(tmp_path, moving):
    """The server comes back with another password."""
    users = 'authorization { users = [ { user: "fleet", password: "swordfish" } ] }\n'
    with NATSServer(tmp_path, users) as server:
        url = server.url.replace("//", "//fleet:swordfish@")
        with Worker(url, moving) as worker:
            working(url, 1)
            server.kill()
            server.path.write_text(server.path.read_text().replace("swordfish", "another"))
            server.start()
            assert worker.process.wait(60) == 1
            worker.error("hint: check --nats-creds, or the user and password in the URL")
            assert not any("swordfish" in line for line in worker.errors)
