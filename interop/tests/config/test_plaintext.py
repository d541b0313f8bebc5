"""Is no token sent without TLS by accident?"""

import socket

import pytest

from support.command import assert_failed, tripwire

# An address of this machine is refused like any other that is not a loopback address; nothing is sent to it.
ELSEWHERE = "192.0.2.1:50051"


def plain(configuration, endpoint):
    configuration.set("provider", "p")
    configuration.set("endpoint", endpoint)
    configuration.set("plaintext", "true")


def test_plaintext_of_a_profile_holds_only_for_its_endpoint(configuration, server, tls_server,
                                                            certificates):
    plain(configuration, server.address)
    assert configuration.run("get", "t1").code == 0
    secure = configuration.run("get", "t1", "--endpoint", f"localhost:{tls_server.port}",
                               "--cacert", certificates.authority)
    assert secure.code == 0, secure.stderr
    for arguments, variables in [
            (["--endpoint", server.address], {}), ([], {"TRIPWIRE_ENDPOINT": server.address})]:
        assert_failed(configuration.run("get", "t1", *arguments, **variables), 78,
                      hint="add --plaintext: the server does not use TLS")
    assert configuration.run("get", "t1", "--endpoint", server.address, "--plaintext").code == 0


def test_plaintext_of_the_environment_holds_only_for_its_endpoint(server, configuration):
    name = "providers/p/trips/t1"
    both = {"TRIPWIRE_ENDPOINT": server.address, "TRIPWIRE_PLAINTEXT": "true"}
    assert tripwire("get", name, **both).code == 0
    assert_failed(
        tripwire("get", name, "--endpoint", server.address, TRIPWIRE_PLAINTEXT="true"), 78,
        hint="add --plaintext")
    configuration.set("endpoint", server.address)
    assert_failed(configuration.run("get", name, TRIPWIRE_PLAINTEXT="true"), 78,
                  hint="add --plaintext")
    assert_failed(tripwire("get", name, **both | {"TRIPWIRE_PLAINTEXT": "1"}), 2,
                  error="TRIPWIRE_PLAINTEXT=1: expected true or false", hint="set TRIPWIRE_PLAINTEXT=true")


def test_false_disables_the_plaintext_of_a_profile(server, configuration):
    plain(configuration, server.address)
    assert_failed(configuration.run("get", "t1", TRIPWIRE_PLAINTEXT="false"), 78,
                  hint="add --plaintext")


@pytest.mark.parametrize("value, right", [
    ("0", "false"), ("no", "false"), ("FALSE", "false"), ("off", "false"), ("True", "true"), ("on", "true")])
@pytest.mark.parametrize("command", [["get", "t1"], ["list"], ["doctor"],
                                     ["config", "list", "--effective"]])
def test_invalid_variable_is_an_error(configuration, command, value, right):
    plain(configuration, "127.0.0.1:1")
    assert_failed(configuration.run(*command, TRIPWIRE_PLAINTEXT=value), 2,
                  error=f"TRIPWIRE_PLAINTEXT={value}: expected true or false",
                  hint=f"set TRIPWIRE_PLAINTEXT={right}")


TOKENS = [
    (["-H", "authorization: Bearer x"], {}), (["-H", "x-goog-api-key: 0123456789"], {}),
    (["--token-command", "echo called >&2; echo token"], {}), ([], {"TRIPWIRE_TOKEN": "token"}),
]


@pytest.mark.parametrize("arguments, variables", TOKENS)
def test_token_is_not_sent_over_a_network(configuration, arguments, variables):
    plain(configuration, ELSEWHERE)
    result = configuration.run("get", "t1", *arguments, **variables)
    assert_failed(
        result, 2,
        error=f"a token would be sent to {ELSEWHERE} without TLS (plaintext from profile default)",
        hint="use TLS, or add --plaintext to send the token unencrypted")
    assert "called" not in result.stderr
    result = tripwire("get", "providers/p/trips/t1", *arguments, **variables,
                      TRIPWIRE_ENDPOINT=ELSEWHERE, TRIPWIRE_PLAINTEXT="true")
    assert_failed(result, 2, "(plaintext from TRIPWIRE_PLAINTEXT)")


@pytest.mark.parametrize("command", [["follow", "t1"], ["map", "t1"], ["call", "TripService/GetTrip"],
                                     ["list"]])
def test_every_command_refuses_to_send_it(configuration, command):
    plain(configuration, ELSEWHERE)
    assert_failed(configuration.run(*command, TRIPWIRE_TOKEN="token"), 2,
                  "a token would be sent to")


@pytest.mark.parametrize("endpoint", [
    "example.localhost:1", "0.0.0.0:1", "ipv4:127.0.0.1:1,192.0.2.1:1", "128.0.0.1:1", "[::2]:1",
    "dns:///example.org:1", "127.0.0.1.example.org:1",
])
def test_other_addresses_are_not_this_machine(configuration, endpoint):
    plain(configuration, endpoint)
    assert_failed(configuration.run("get", "t1", TRIPWIRE_TOKEN="token"), 2,
                  "a token would be sent to")


def test_proxy_is_not_this_machine(configuration, server):
    plain(configuration, server.address)
    assert_failed(
        configuration.run("get", "t1", "--proxy", "http://127.0.0.1:9", TRIPWIRE_TOKEN="token"), 2,
        "a token would be sent to")


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "localhost:{}", "LOCALHOST:{}", "127.9.8.7:{}",
                                  "[::1]:{}", "dns:///localhost:{}", "ipv4:127.0.0.1:{}",
                                  "ipv6:[::1]:{}", "unix:/nonexistent/{}"])
def test_loopback_needs_no_option(configuration, form):
    plain(configuration, form.format(closed_port()))
    assert configuration.run("get", "t1", TRIPWIRE_TOKEN="token").code == 78


def test_token_is_sent_to_a_loopback_server(configuration, server):
    plain(configuration, f"localhost:{server.port}")
    result = configuration.run("get", "trips/echo", TRIPWIRE_TOKEN="token")
    assert result.attributes["authorization"] == ["Bearer token"]


def test_hint_removes_the_plaintext_of_its_source(configuration, tls_server):
    plain(configuration, tls_server.address)
    assert_failed(configuration.run("get", "t1"), 78,
                  hint="run 'tripwire config unset plaintext --profile default': the server")
    result = tripwire("get", "providers/p/trips/t1", TRIPWIRE_ENDPOINT=tls_server.address,
                      TRIPWIRE_PLAINTEXT="true")
    assert_failed(result, 78, hint="unset TRIPWIRE_PLAINTEXT: the server")
