"""Runs dynamic-testee (DYNAMIC_TESTEE) with the protocol of protobuf's conformance runner."""

import os
import subprocess

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PROTOBUF, JSON = 1, 2
IGNORING = 3


def _conformance():
    """Returns the needed part of conformance.proto."""
    file = descriptor_pb2.FileDescriptorProto(
        name="conformance.proto", package="conformance", syntax="proto3")
    types = descriptor_pb2.FieldDescriptorProto
    messages = {
        "ConformanceRequest": [
            ("protobuf_payload", 1, types.TYPE_BYTES), ("json_payload", 2, types.TYPE_STRING),
            ("requested_output_format", 3, types.TYPE_ENUM),
            ("message_type", 4, types.TYPE_STRING), ("test_category", 5, types.TYPE_ENUM)],
        "ConformanceResponse": [
            ("parse_error", 1, types.TYPE_STRING), ("runtime_error", 2, types.TYPE_STRING),
            ("protobuf_payload", 3, types.TYPE_BYTES), ("json_payload", 4, types.TYPE_STRING),
            ("skipped", 5, types.TYPE_STRING), ("serialize_error", 6, types.TYPE_STRING)],
    }
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        message.oneof_decl.add(name="result")
        for field, number, type in fields:
            added = message.field.add(
                name=field, number=number, type=type, label=types.LABEL_OPTIONAL)
            if type == types.TYPE_ENUM:
                added.type_name = ".conformance.Choice"
            elif field != "message_type":
                added.oneof_index = 0
    choice = file.enum_type.add(name="Choice")
    for number in range(4):
        choice.value.add(name=f"CHOICE_{number}", number=number)
    return file


FILE = _conformance()
_pool = descriptor_pool.DescriptorPool()
_pool.AddSerializedFile(FILE.SerializeToString())
Request, Response = [
    message_factory.GetMessageClass(_pool.FindMessageTypeByName(f"conformance.Conformance{name}"))
    for name in ("Request", "Response")]


class Testee:
    """A running dynamic-testee with the types of some files."""

    __test__ = False

    def __init__(self, files, folder):
        path = os.environ.get("DYNAMIC_TESTEE")
        if not path:
            pytest.fail("DYNAMIC_TESTEE must name the dynamic-testee to test")
        protoset = folder / "testee.protoset"
        protoset.write_bytes(
            descriptor_pb2.FileDescriptorSet(file=[*files, FILE]).SerializeToString())
        self._process = subprocess.Popen(
            [path, protoset], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(timeout=300) == 0

    def ask(self, message_type, payload, output, *, ignoring=False):
        """Sends bytes or JSON text for conversion; returns the Response."""
        request = Request(message_type=message_type, requested_output_format=output)
        if isinstance(payload, str):
            request.json_payload = payload
        else:
            request.protobuf_payload = payload
        if ignoring:
            request.test_category = IGNORING
        data = request.SerializeToString()
        self._process.stdin.write(len(data).to_bytes(4, "little") + data)
        self._process.stdin.flush()
        header = self._process.stdout.read(4)
        assert len(header) == 4, "dynamic-testee ended"
        return Response.FromString(self._process.stdout.read(int.from_bytes(header, "little")))

    def bytes(self, message_type, payload):
        response = self.ask(message_type, payload, PROTOBUF)
        assert response.WhichOneof("result") == "protobuf_payload", f"{message_type}: {response}"
        return response.protobuf_payload

    def json(self, message_type, payload):
        response = self.ask(message_type, payload, JSON)
        assert response.WhichOneof("result") == "json_payload", f"{message_type}: {response}"
        return response.json_payload
