"""Calls of the test service."""

import json

from support.command import tripwire

SERVICE = "grpc.testing.TestService"


def call(address, method, *arguments, **more):
    return tripwire("call", method, "--endpoint", address, "--plaintext", *arguments, **more)


def lines(result):
    assert result.code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.split("\n")[:-1]]


def answer(result):
    assert result.code == 0, result.stderr
    return json.loads(result.stdout)
