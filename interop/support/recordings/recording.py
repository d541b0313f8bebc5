"""Calls that are recorded, and the entries of their recordings."""

from support.command import tripwire


def get(server, name, *options, **more):
    address = getattr(server, "address", server)
    return tripwire("get", name, "--endpoint", address, "--plaintext", *options, **more)


def events(entries, call_id):
    return [e.EventType.Name(e.type).removeprefix("EVENT_TYPE_")
            for e in entries if e.call_id == call_id]
