"""The entries of an anonymous copy."""

import json

from support.command import tripwire


def shown(path):
    result = tripwire("log", path, "--json")
    assert (result.code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]
