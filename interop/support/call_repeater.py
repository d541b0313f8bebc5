"""Repeats the calls of a recording with `tripwire call`."""

import base64
import re
import signal

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

from support.command import LONGEST, start
from peers.servers.protosets import compiled
from support.paths import INTEROP, PROTOS

SET_BY_ITSELF = {"x-goog-request-params", "google-cloud-resource-prefix", "x-goog-api-client"}
SERVICES = [
    (PROTOS, "google/maps/fleetengine/v1/trip_api.proto"),
    (PROTOS, "google/maps/fleetengine/v1/vehicle_api.proto"),
    (INTEROP / "protos", "grpc/testing/test.proto"),
]


class CallRepeater:
    """Repeats recorded calls of the services in SERVICES."""

    def __init__(self, folder):
        """`folder` is for temporary files."""
        self._protoset = folder / "repeated.protoset"
        files, self._pool = {}, descriptor_pool.DescriptorPool()
        for place in SERVICES:
            for file in descriptor_pb2.FileDescriptorSet.FromString(compiled(*place)).file:
                files.setdefault(file.name, file)
        self._protoset.write_bytes(
            descriptor_pb2.FileDescriptorSet(file=files.values()).SerializeToString())
        for file in files.values():
            self._pool.Add(file)

    def repeat(self, entries, *options):
        """Repeats all calls; returns exit code, stdout and stderr of each, without the server's address."""
        calls = {}
        for entry in entries:
            calls.setdefault(entry.call_id, []).append(entry)
        return [self.call(call, *options) for call in calls.values()]

    def call(self, entries, *options):
        """Repeats one call: sends the recorded messages, and waits for responses where the client did."""
        header = entries[0].client_header
        method = self._pool.FindMethodByName(header.method_name[1:].replace("/", "."))
        process = start(
            "call", header.method_name, "-d", "-", "--protoset", self._protoset,
            "--authority", header.authority, "--timeout", "15s", "--retries", "0",
            "--error-format", "json", "-o", "ndjson", *headers(header), *options, stdin=-1)
        output = b""
        for entry in entries:
            match entry.EventType.Name(entry.type).removeprefix("EVENT_TYPE_"):
                case "CLIENT_MESSAGE":
                    process.stdin.write(self.json(method.input_type, entry.message.data))
                    process.stdin.flush()
                case "CLIENT_HALF_CLOSE":
                    process.stdin.close()
                    process.stdin = None
                case "SERVER_MESSAGE":
                    output += process.stdout.readline()
                case "SERVER_TRAILER":
                    process.wait(LONGEST)
                case "CANCEL":
                    process.send_signal(signal.SIGINT)
                    process.wait(LONGEST)
        out, errors = process.communicate(timeout=LONGEST)
        # Hints depend on the server.
        errors = re.sub(rb',"hint":"[^"]*"', b"", errors)
        return process.returncode, output + out, re.sub(rb"127.0.0.1:\d+", b"", errors)

    def json(self, message_type, data):
        """Returns a message as a line of JSON."""
        message = message_factory.GetMessageClass(message_type).FromString(data)
        return json_format.MessageToJson(message, indent=None).encode() + b"\n"


def headers(header):
    for entry in header.metadata.entry:
        if entry.key not in SET_BY_ITSELF:
            binary = entry.key.endswith("-bin")
            value = base64.b64encode(entry.value) if binary else entry.value
            yield from ["-H", f"{entry.key}: {value.decode()}"]
