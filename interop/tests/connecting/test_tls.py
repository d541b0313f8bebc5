"""Are TLS failures reported with the cause and the option that helps?"""

import contextlib
import socket
import ssl
import threading

import pytest

from support.command import PATIENT, assert_failed, get, tripwire
from peers.tls.certificates import OTHER_HOST

UNAVAILABLE = 78


def get_over_tls(server, *arguments, name="providers/p/trips/t1", host="127.0.0.1", **more):
    return tripwire("get", name, "--endpoint", f"{host}:{server.port}", *arguments, **more)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_trusted_certificate_is_accepted(tls_server, certificates, server, host):
    result = get_over_tls(tls_server, "--cacert", certificates.authority, host=host)
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout == get(server, "trips/t1").stdout


def test_untrusted_certificate_is_reported(tls_server):
    assert_failed(get_over_tls(tls_server), UNAVAILABLE, "UNAVAILABLE", "trust", hint="--cacert")


def test_certificate_of_another_ca_is_reported(tls_server, certificates):
    result = get_over_tls(tls_server, "--cacert", certificates.other_authority)
    assert_failed(result, UNAVAILABLE, "trust", hint="--cacert")


def test_self_signed_certificate_is_reported(tls_servers):
    result = get_over_tls(tls_servers("self_signed"))
    assert_failed(result, UNAVAILABLE, "self", "sign", hint="--cacert")


def test_self_signed_certificate_can_be_trusted(tls_servers, certificates):
    result = get_over_tls(
        tls_servers("self_signed"), "--cacert", certificates.self_signed.chain)
    assert result.code == 0, result.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_certificate_of_another_host_is_reported(tls_servers, certificates, host):
    result = get_over_tls(
        tls_servers("wrong_host"), "--cacert", certificates.authority, host=host)
    assert_failed(result, UNAVAILABLE, host, OTHER_HOST, hint="--authority")


def test_authority_sets_the_verified_name(tls_servers, certificates):
    result = get_over_tls(
        tls_servers("wrong_host"), "--cacert", certificates.authority, "--authority", OTHER_HOST,
        name="providers/p/trips/echo")
    assert result.code == 0, result.stderr
    assert result.attributes[":authority"] == [OTHER_HOST]


def test_wrong_authority_is_reported(tls_server, certificates):
    result = get_over_tls(
        tls_server, "--cacert", certificates.authority, "--authority", OTHER_HOST)
    assert_failed(result, UNAVAILABLE, OTHER_HOST, "localhost", hint="correct or remove --authority")


def test_expired_certificate_is_reported(tls_servers, certificates):
    result = get_over_tls(tls_servers("expired"), "--cacert", certificates.authority)
    assert_failed(result, UNAVAILABLE, "expired")


def test_certificate_that_is_not_yet_valid_is_reported(tls_servers, certificates):
    result = get_over_tls(tls_servers("not_yet_valid"), "--cacert", certificates.authority)
    assert_failed(result, UNAVAILABLE, "is not valid before", hint="correct the clock")


@pytest.mark.parametrize("name", ["good", "wrong_host", "expired", "self_signed"])
def test_verification_can_be_skipped_with_a_warning(tls_servers, name):
    result = get_over_tls(tls_servers(name), "--insecure-skip-verify")
    assert result.code == 0, result.stderr
    assert "warning" in result.stderr.lower()


def test_tls_to_a_plaintext_server_is_reported(server):
    assert_failed(get_over_tls(server), UNAVAILABLE, "UNAVAILABLE", "TLS",
                  hint="add --plaintext")


def test_plaintext_to_a_tls_server_is_reported(tls_server):
    assert_failed(get_over_tls(tls_server, "--plaintext"), UNAVAILABLE, "UNAVAILABLE", "TLS",
                  hint="remove --plaintext")


@pytest.mark.parametrize("arguments", [["--cacert", "/dev/null"], ["--insecure-skip-verify"]])
def test_tls_options_conflict_with_plaintext(server, arguments):
    assert_failed(get(server, "trips/t1", *arguments), 2, arguments[0], "--plaintext")


def test_close_notify_without_fin_closes_the_connection(certificates):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.good.chain, certificates.good.key)
    context.set_alpn_protocols(["h2"])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        done = threading.Event()

        def send_settings_and_close_notify():
            connection, _ = listener.accept()
            # A call that was not sent yet is retried on a new connection, which is refused.
            listener.close()
            with context.wrap_socket(connection, server_side=True) as tls:
                tls.sendall(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
                tls.setblocking(False)
                with contextlib.suppress(ssl.SSLError):
                    tls.unwrap()
                done.wait(300)

        server = threading.Thread(target=send_settings_and_close_notify)
        port = listener.getsockname()[1]
        server.start()
        result = tripwire(
            "get", "providers/p/trips/t1", "--endpoint", f"127.0.0.1:{port}", "--cacert",
            certificates.authority, "--timeout", PATIENT, "--retries", 0, "-v")
        done.set()
        server.join()
    assert_failed(result, UNAVAILABLE, lines=["* HTTP/2 ready", "* closed: "])
