"""Does `tripwire call` find types, and report invalid requests and names?"""

import json
import os
import subprocess

import pytest
from google.protobuf import json_format, message, struct_pb2

from support.command import LONGEST, assert_failed, tripwire
from peers.servers.reflecting import reflecting_test_service
from support.paths import INTEROP
from support.service_calls import SERVICE, call, lines


# Invalid requests.

FIELDS = "run 'tripwire describe grpc.testing.SimpleRequest SERVER' to list its fields"


def for_server(hint, address):
    """The types come from this server only."""
    return hint.replace("SERVER", f"--endpoint {address} --plaintext")


@pytest.mark.parametrize("data, error, hint", [
    ('{"responseSiez": 1}',
     '1:2: SimpleRequest: unknown field "responseSiez"; did you mean responseSize?', FIELDS),
    ('{"zzzzzzzz": 1}', '1:2: SimpleRequest: unknown field "zzzzzzzz"',
     f"{FIELDS}, or pass --allow-unknown-fields"),
    ('{"payload":\n {"body": "?"}}', "2:14: SimpleRequest.payload.body: malformed base64",
     "correct the JSON at line 2, column 14"),
    ("{", "1:2: unexpected end of JSON: the { at 1:1 is not closed", "append } to the JSON"),
    ('{"payload":\n {"body": "AA',
     "2:14: unexpected end of JSON: the string at 2:11 is not closed", 'append "}} to the JSON'),
    ('{"payload":\n {"body": "AA"', "2:15: unexpected end of JSON: the { at 2:2 is not closed",
     "append }} to the JSON"),
    ("[]", "1:1: SimpleRequest: expected a JSON object that begins with {",
     "correct the JSON at line 1, column 1"),
    ("5 5", "1:1: SimpleRequest: expected a JSON object that begins with {",
     "correct the JSON at line 1, column 1"),
    ('{"responseType": "LOST"}',
     '1:18: SimpleRequest.response_type: grpc.testing.PayloadType has no value "LOST";'
     " expected one of COMPRESSABLE",
     "run 'tripwire describe grpc.testing.PayloadType SERVER' to list its values"),
    ('{"payload":', "1:12: unexpected end of JSON: the { at 1:1 is not closed", "complete the JSON"),
])
def test_invalid_request_is_reported(address, data, error, hint):
    assert_failed(call(address, f"{SERVICE}/UnaryCall", "-d", data), 2, error=f"-d: {error}",
                  hint=for_server(hint, address))


def test_invalid_requests_get_a_hint(address, tmp_path):
    path = tmp_path / "request.json"
    path.write_text('{"responseSize": "many"}')
    for data, hint in [
            ('{"zzzzzzzz": 1}', f"{FIELDS}, or pass --allow-unknown-fields"),
            (f"@{path}", "correct the JSON at line 1, column 19"),
            (str(path), f"did you mean -d @{path}?")]:
        result = call(address, f"{SERVICE}/UnaryCall", "-d", data)
        assert result.stderr.endswith(f"hint: {for_server(hint, address)}\n"), result.stderr


def test_response_limit_does_not_apply_to_descriptors(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-d", '{"responseSize":1}',
                  "--max-message-size", "20")
    assert lines(result) == [{"payload": {"body": "AA=="}}]


@pytest.mark.parametrize("scheme", ["", "dns:///", "ipv4:"])
def test_grpc_target_schemes_are_accepted(address, scheme):
    assert lines(call(scheme + address, f"{SERVICE}/EmptyCall")) == [{}]


def test_invalid_message_in_a_stream_is_reported(address):
    data = b'{"payload":{"body":"AAAA"}}\n\n  {"payload":{"body":1}}'
    result = call(address, f"{SERVICE}/StreamingInputCall", "-d", "-", stdin=data)
    assert_failed(result, 1, "-d: stdin:3:22: StreamingInputCallRequest.payload.body: expected a string")


def test_unknown_fields_can_be_skipped(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-d", '{"x":[{}],"responseSize":1}',
                  "--allow-unknown-fields")
    assert lines(result) == [{"payload": {"body": "AA=="}}]


def test_defaults_can_be_written(address):
    result = call(address, f"{SERVICE}/UnaryCall", "--emit-defaults")
    assert lines(result)[0]["username"] == ""


# Sources of types.

def test_both_reflection_versions_are_used(address, both):
    for server, version in (address, "v1alpha"), (both, "v1"):
        result = call(server, f"{SERVICE}/EmptyCall", "-v")
        assert lines(result) == [{}]
        assert f"grpc.reflection.{version}.ServerReflection" in result.stderr


def test_protoset_needs_no_reflection(test_protoset):
    with reflecting_test_service(test_protoset.read_bytes()) as plain:
        assert lines(call(plain, "EmptyCall", "--protoset", test_protoset)) == [{}]
        result = call(plain, f"{SERVICE}/EmptyCall")
        assert_failed(result, 76, "UNIMPLEMENTED",
                      hint=f"--protoset FILE or --proto FILE -I DIR: {plain} has no reflection service")


def test_option_header_is_sent_and_echoed(address):
    result = call(address, f"{SERVICE}/UnaryCall", "-H", "x-grpc-test-echo-initial: hello", "-v")
    assert result.code == 0 and "x-grpc-test-echo-initial: hello" in result.stderr


@pytest.mark.parametrize("method, error, hint", [
    ("UnaryCal", "METHOD: UnaryCal was not found in the reflection service of ",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("TestService/UnaryCal", "METHOD: grpc.testing.TestService has no method UnaryCal",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("TestServise/UnaryCall",
     "METHOD: TestServise/UnaryCall was not found in the reflection service of ",
     "did you mean grpc.testing.TestService/UnaryCall?"),
    ("a/b/c", "METHOD: a/b/c is not a method name", "write SERVICE/METHOD"),
    ('GetTrip({"name":1})', "METHOD: GetTrip", "pass the method as SERVICE/METHOD, and the request with -d"),
])
def test_unknown_method_is_reported(both, method, error, hint):
    assert_failed(call(both, method), 2, error, hint=hint)


def test_unknown_service_is_reported():
    result = tripwire("call", "pkg.Some/Thing")
    assert_failed(result, 2, error="METHOD: pkg.Some/Thing was not found in the built-in descriptors",
                  hint=["--protoset", "--endpoint"])


def test_protoset_without_its_imports_is_reported(tmp_path):
    (tmp_path / "types.proto").write_text('syntax = "proto3"; package t; message T {}')
    (tmp_path / "a.proto").write_text(
        'syntax = "proto3"; package a; import "types.proto";'
        "service S { rpc M(t.T) returns (t.T); }")
    protoset = tmp_path / "a.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={protoset}", "a.proto"],
                   check=True)
    assert_failed(tripwire("call", "S/M", "--protoset", protoset), 1,
                  error="--protoset: a.proto: .t.T is not defined; missing imports: types.proto",
                  hint="--include_imports")
    other = tmp_path / "t.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={other}", "types.proto"],
                   check=True)
    listed = tripwire("list", "S", "--protoset", protoset, "--protoset", other)
    assert listed.stdout == "a.S/M\n"
    assert_failed(tripwire("list", "--protoset", tmp_path / "a.proto"), 1,
                  f"--protoset: {tmp_path / 'a.proto'}: not a FileDescriptorSet")


def test_other_methods_are_not_sent_to_fleet_engine(test_protoset):
    assert_failed(tripwire("call", "EmptyCall", "--protoset", test_protoset), 2,
                  "--endpoint is missing", "grpc.testing.TestService/EmptyCall")
    assert_failed(tripwire("call", "Health/Check"), 2, "--endpoint is missing")


def test_ambiguous_method_lists_its_services(tmp_path):
    (tmp_path / "two.proto").write_text(
        'syntax = "proto3"; package t; message M {}'
        "service A { rpc Do(M) returns (M); } service B { rpc Do(M) returns (M); }")
    protoset = tmp_path / "two.protoset"
    subprocess.run(["protoc", f"-I{tmp_path}", f"--descriptor_set_out={protoset}", "two.proto"],
                   check=True)
    assert_failed(tripwire("call", "Do", "--protoset", protoset), 2,
                  error="METHOD: Do is ambiguous", hint="add the name of the service",
                  lines=["t.A/Do", "t.B/Do"])


def test_data_and_token_from_stdin_is_a_usage_error():
    assert_failed(tripwire("call", "GetTrip", "-d", "-", "--token-file", "-"), 2,
                  error="-d cannot read stdin: the token is read from it",
                  hint="write the JSON to a file, and pass it with -d @FILE")


def test_output_equals_that_of_grpcurl(address, tmp_path):
    """Compares unary responses, streams and lists with those of grpcurl."""
    grpcurl = [os.path.join(INTEROP.parent, ".venv/bin/grpcurl"), "-plaintext"]

    def theirs(*arguments, stdin=b""):
        done = subprocess.run([*grpcurl, *arguments], input=stdin, capture_output=True,
                              timeout=LONGEST, check=True)
        return done.stdout.decode()

    def values(text):
        decoder, found = json.JSONDecoder(), []
        text = text.strip()
        while text:
            value, end = decoder.raw_decode(text)
            found.append(value)
            text = text[end:].strip()
        return found

    request = '{"responseSize": 4}'
    assert call(address, f"{SERVICE}/UnaryCall", "-d", request, "-o", "json").stdout \
        == theirs("-d", request, address, f"{SERVICE}/UnaryCall")
    many = b'{"responseParameters":[{"size":2},{"size":3}]} {"responseParameters":[{"size":1}]}'
    assert values(call(address, f"{SERVICE}/FullDuplexCall", "-d", "@", stdin=many).stdout) \
        == values(theirs("-d", "@", address, f"{SERVICE}/FullDuplexCall", stdin=many))
    listed = tripwire("list", "--endpoint", address, "--plaintext").stdout
    assert listed == theirs(address, "list")
    methods = tripwire("list", SERVICE, "--endpoint", address, "--plaintext").stdout
    assert sorted(methods.replace("/", ".").split()) == sorted(theirs(address, "list", SERVICE).split())


@pytest.mark.parametrize("opening, closing, deepest", [("[", "]", 49), ('{"a":', "}", 33)],
                         ids=["arrays", "objects"])
def test_json_that_no_peer_could_read_is_not_sent(tmp_path, opening, closing, deepest):
    """In binary, an array takes two levels and an object three. upb reads 100, as most libraries do."""
    (tmp_path / "a.proto").write_text(
        'syntax = "proto3"; package a; import "google/protobuf/struct.proto";'
        " message M { google.protobuf.Value v = 1; } service S { rpc C(M) returns (M); }")
    for depth in deepest, deepest + 1:
        text = opening * depth + "1" + closing * depth
        # A message with the value in a field, as M.
        peer = struct_pb2.ListValue()
        json_format.Parse(f"[{text}]", peer, max_recursion_depth=1000)
        result = tripwire("call", "localhost:1", "a.S/C", "--plaintext", "--proto", "a.proto",
                          "-d", f'{{"v":{text}}}', cwd=tmp_path)
        if depth == deepest:
            assert struct_pb2.ListValue.FromString(peer.SerializeToString()) == peer
            assert_failed(result, 64 + 14, "UNAVAILABLE")
        else:
            with pytest.raises(message.DecodeError):
                struct_pb2.ListValue.FromString(peer.SerializeToString())
            assert_failed(result, 2, "-d: 1:", "M.v", "nested more than 100 levels deep")


def test_repeated_messages_nest_as_deep_as_in_binary(tmp_path):
    """In binary, an array is not a level. upb reads 100 levels."""
    source = 'syntax = "proto3"; package a; message M { repeated M m = 1; } service S { rpc C(M) returns (M); }'
    (tmp_path / "a.proto").write_text(source)
    for depth in 51, 100, 101:
        text = '{"m":[' * depth + "{}" + "]}" * depth
        result = tripwire("call", "localhost:1", "a.S/C", "--plaintext", "--proto", "a.proto", "-d", "@",
                          stdin=text.encode(), cwd=tmp_path)
        if depth <= 100:
            assert_failed(result, 64 + 14, "UNAVAILABLE")
        else:
            assert_failed(result, 1, "-d: stdin:1:", "M.m[0].m[0]", "nested more than 100 levels deep")


@pytest.mark.parametrize("data, form", [
    ('{"expireTime":{"seconds":1}}', '"2026-11-21T10:00:00Z"'),
    ('{"expireTime":5}', '"2026-11-21T10:00:00Z"'),
    ('{"validity":{"seconds":1}}', '"1.5s"'),
    ('{"mask":{"paths":["a"]}}', '"id,tripStatus"'),
])
def test_form_of_a_well_known_type_is_shown(tmp_path, data, form):
    (tmp_path / "a.proto").write_text(
        'syntax = "proto3"; package a; import "google/protobuf/timestamp.proto";'
        ' import "google/protobuf/duration.proto"; import "google/protobuf/field_mask.proto";'
        " message M { google.protobuf.Timestamp expire_time = 1; google.protobuf.Duration validity = 2;"
        " google.protobuf.FieldMask mask = 3; } service S { rpc C(M) returns (M); }")
    result = tripwire("call", "localhost:1", "a.S/C", "--plaintext", "--proto", "a.proto", "-d", data, cwd=tmp_path)
    assert_failed(result, 2, f"such as {form}")
