"""Does the command survive faulty reflection servers and descriptors?"""

import threading

import pytest
from google.protobuf import descriptor_pb2

from support.command import LONGEST, assert_failed, tripwire
from peers.servers.reflecting import Response, V1, handler, serving
from tests.command.test_describe import at


def reflection_handler(answers):
    """Returns a reflection handler that answers each request by its kind."""
    def answer(requests):
        for request in requests:
            yield answers(request, request.WhichOneof("message_request"))
    return answer


def listing(*names):
    response = Response()
    for name in names:
        response.list_services_response.service.add(name=name)
    return response


def files(*protos):
    response = Response()
    response.file_descriptor_response.file_descriptor_proto.extend(
        proto if isinstance(proto, bytes) else proto.SerializeToString() for proto in protos)
    return response


def not_found():
    response = Response()
    response.error_response.error_code = 5
    return response


def file(name, *imports, message="M", service=None):
    proto = descriptor_pb2.FileDescriptorProto(
        name=name, package="h", syntax="proto3", dependency=imports)
    if message:
        proto.message_type.add(name=message)
    if service:
        proto.service.add(name=service).method.add(
            name="Do", input_type=".h.M", output_type=".h.M")
    return proto


def hostile(by_symbol, by_name=not_found):
    def answer(request, kind):
        match kind:
            case "list_services": return listing("h.S")
            case "file_containing_symbol": return by_symbol()
            case _: return by_name(request.file_by_filename) if by_name is not not_found else not_found()
    return serving(handler(V1, reflection_handler(answer)))


def test_cyclic_imports_are_accepted():
    cycle = {"a.proto": file("a.proto", "b.proto", service="S"),
             "b.proto": file("b.proto", "a.proto", message="Other")}
    with hostile(lambda: files(cycle["a.proto"]), lambda name: files(cycle[name])) as address:
        assert at(address, "list", "h.S").stdout == "h.S/Do\n"


def test_endless_imports_are_rejected():
    def more(name):
        return files(file(name, "x" + name, message=None))

    with hostile(lambda: files(file("a.proto", "b.proto", service="S")), more) as address:
        assert_failed(at(address, "list", "h.S"), 72, "RESOURCE_EXHAUSTED", "reflection")


def test_duplicate_file_is_accepted():
    twice = file("a.proto", service="S")
    with hostile(lambda: files(twice, twice)) as address:
        assert at(address, "list", "h.S").stdout == "h.S/Do\n"


def test_service_without_a_descriptor_is_reported():
    with hostile(not_found) as address:
        for command in ["list", "h.S"], ["describe", "h.S/Do"], ["call", "h.S/Do"]:
            assert_failed(at(address, *command), 2,
                          f"the reflection service of {address} lists h.S, but has no descriptor for it",
                          hint="pass descriptors with --protoset FILE")


def test_file_is_requested_once():
    both = file("a.proto", service="S")
    both.service.add(name="T").method.add(name="Do", input_type=".h.M", output_type=".h.M")
    kinds = []

    def answer(request, kind):
        kinds.append(kind)
        return listing("h.S", "h.T") if kind == "list_services" else files(both)

    with serving(handler(V1, reflection_handler(answer))) as address:
        assert at(address, "describe").stdout.count("service ") == 2
        assert kinds == ["list_services", "file_containing_symbol"]
        assert_failed(at(address, "describe", "h.Missing"), 2,
                      hint=f"run 'tripwire list --endpoint {address} --plaintext' to list the services,"
                           " or pass --protoset FILE")


@pytest.mark.parametrize("answer, code, words", [
    (lambda: files(b"\xff\xff"), 77, ["invalid descriptor"]),
    (lambda: files(file("a.proto", message="M\x1b[2J", service="S")), 77,
     ["is not the name of a package or type"]),
    (lambda: files(file("a.proto", message="Other", service="S")), 77, [".h.M is not defined"]),
    (lambda: files(file("a.proto", service="S"), file("b.proto")), 77, ["h.M is defined twice"]),
    (lambda: files(), 2, ["lists h.S, but has no descriptor for it"]),
    (not_found, 2, ["lists h.S, but has no descriptor for it"]),
    (lambda: Response(), 2, ["lists h.S, but has no descriptor for it"]),
    # An error response must not have the code OK.
    (lambda: Response(error_response={"error_message": "odd"}), 66, ["UNKNOWN: odd"]),
])
def test_invalid_reflection_response_is_reported(answer, code, words):
    with hostile(answer) as address:
        hint = "pass correct descriptors with --protoset FILE" if code == 77 else None
        assert_failed(at(address, "list", "h.S"), code, *words, hint=hint)


def test_empty_reflection_stream_is_reported():
    with serving(handler(V1, lambda requests: iter(()))) as address:
        assert_failed(at(address, "list"), 77,
                      error="INTERNAL: the reflection service closed the stream without a response")


def test_hanging_reflection_exceeds_the_deadline():
    over = threading.Event()

    def hang(requests):
        over.wait(LONGEST)
        yield from ()

    with serving(handler(V1, hang)) as address:
        result = tripwire("list", "--endpoint", address, "--plaintext", "--timeout", "500ms")
        over.set()
        assert_failed(result, 68, "DEADLINE_EXCEEDED")


# Descriptors that no compiler generates, from a file and by reflection.

def delimited(tag, value):
    """Encodes a bytes field by hand, because Python's protobuf has its own limits."""
    size, rest = b"", len(value)
    while rest > 0x7F:
        size, rest = size + bytes([rest & 0x7F | 0x80]), rest >> 7
    return tag + size + bytes([rest]) + value


def nested(depth, name=b"M"):
    message = delimited(b"\x0a", name)
    for _ in range(depth):
        message = delimited(b"\x0a", name) + delimited(b"\x1a", message)
    return file("a.proto", message=None).SerializeToString() + delimited(b"\x22", message)


def with_fields(*fields, count=0):
    proto = file("a.proto", service="S")
    for field in fields:
        proto.message_type[0].field.add(label="LABEL_OPTIONAL", **field)
    for number in range(1, count + 1):
        proto.message_type[0].field.add(
            name=f"f{number}", number=number, type="TYPE_INT32", label="LABEL_OPTIONAL")
    return proto


def with_raw_field(field):
    """Encodes a field that Python's protobuf does not write."""
    message = delimited(b"\x0a", b"M") + delimited(b"\x12", field)
    return file("a.proto", message=None, service="S").SerializeToString() + delimited(b"\x22", message)


def with_entry():
    proto = with_fields({"name": "m", "number": 1, "type": "TYPE_MESSAGE", "type_name": ".h.M"})
    proto.message_type[0].options.map_entry = True
    proto.message_type[0].field[0].label = 3
    proto.enum_type.add(name="Nothing")
    return proto


HOSTILE = {
    "deeply nested": (nested(150), "nested too deep"),
    "long nested names": (nested(60, b"n" * 100), "longer than 512 bytes"),
    "empty name": (with_fields({"name": "", "number": 1, "type": "TYPE_INT32"}),
                "is not the name of a package or type"),
    "missing number": (with_fields({"name": "x", "type": "TYPE_INT32"}), "has the invalid number 0"),
    "duplicate number": (
        with_fields({"name": "x", "number": 1, "type": "TYPE_INT32"}, count=1),
        "two fields with the number 1"),
    "missing oneof": (
        with_fields({"name": "x", "number": 1, "type": "TYPE_INT32", "oneof_index": 3}),
        "oneof that does not exist"),
    "wrong kind of type": (
        with_fields({"name": "x", "number": 1, "type": "TYPE_ENUM", "type_name": ".h.M"}),
         "h.M.x is declared as an enum, but .h.M is a message"),
    "unknown type": (
        # Field 5 of a field descriptor is the type, here 77.
        with_raw_field(b"\x0a\x01x\x18\x01\x20\x01\x28\x4d"),
        "a.proto: h.M.x has the unknown type 77, so its values cannot be read or written"),
    "undefined type": (
        with_fields({"name": "x", "number": 1, "type": "TYPE_MESSAGE", "type_name": ".h.\x1b[2J"}),
        "is not defined"),
    "map entry that contains itself": (with_entry(), None),
    "50,000 fields": (with_fields(count=50_000), None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_descriptors_are_rejected_or_read(tmp_path, name):
    proto, words = HOSTILE[name]
    path = tmp_path / "hostile.protoset"
    proto = proto if isinstance(proto, bytes) else proto.SerializeToString()
    path.write_bytes(delimited(b"\x0a", proto))
    with hostile(lambda: files(proto)) as address:
        results = [tripwire("list", "h.S", "--protoset", path), at(address, "list", "h.S")]
    hints = "compile the .proto files: ", "pass correct descriptors with --protoset FILE"
    for result, code, hint in zip(results, (1, 77), hints):
        if words:
            assert_failed(result, code, hint=hint)
            assert words in result.stderr and "\x1b" not in result.stderr
            assert len(result.stderr) < 2000
        else:
            assert (result.code, result.stdout) == (0, "h.S/Do\n"), result.stderr
    if not words:
        assert tripwire("describe", "h.M", "--protoset", path).stdout.startswith("// h.M")
