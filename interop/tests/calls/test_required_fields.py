"""Does `tripwire call` reject requests without a required field (proto2)?"""

import pytest

from support.command import assert_failed, tripwire

PROTO = """syntax = "proto2"; package g;
message Inner { required int32 p = 1; optional int32 q = 2; }
message Request {
  required int32 first_one = 1; optional int32 b = 2; optional Inner inner = 3; repeated Inner list = 4;
}
message Holder { required Inner inner = 1; optional int32 b = 2; }
service S {
  rpc Unary(Request) returns (Request); rpc Many(Request) returns (stream Request);
  rpc Hold(Holder) returns (Holder); rpc Up(stream Request) returns (Request);
}
"""


@pytest.fixture(scope="module")
def proto(tmp_path_factory):
    path = tmp_path_factory.mktemp("required") / "required.proto"
    path.write_text(PROTO)
    return path


def call(proto, method, *arguments, stdin=b""):
    return tripwire("call", f"g.S/{method}", "--proto", proto, "--endpoint", "localhost:1", "--plaintext",
                    *arguments, stdin=stdin)


EXAMPLE = "set first_one in -d, for example -d '{\"first_one\": …}'"
NOT_SET = "required field Request.first_one is not set"


@pytest.mark.parametrize("method", ["Unary", "Many"])
@pytest.mark.parametrize("arguments, code, error, hint", [
    (["-d", "{}"], 2, f"-d: 1:1: {NOT_SET}", EXAMPLE),
    (["-d", ""], 2, f"-d: {NOT_SET}", EXAMPLE),
    ([], 2, f"-d: {NOT_SET}", EXAMPLE),
    (["-d", "@/dev/null"], 1, f"-d: /dev/null: {NOT_SET}",
     'set first_one in the JSON, for example {"first_one": …}'),
    (["-d", "-"], 1, f"-d: stdin: {NOT_SET}",
     'set first_one in the JSON, for example {"first_one": …}'),
    (["-d", '{"b":1}'], 2, f"-d: 1:1: {NOT_SET}", "set first_one in -d"),
    (["-d", '{"first_one":1,"list":[{"p":1},{}]}'], 2,
     "-d: 1:1: required field Request.list[1].p is not set", "set list[1].p in -d"),
    (["b=1"], 2, f"FIELD=VALUE: {NOT_SET}", "pass first_one=VALUE"),
    (["first_one=1", "inner.q=1"], 2, "FIELD=VALUE: required field Request.inner.p is not set",
     "pass inner.p=VALUE"),
])
def test_request_without_a_required_field_is_rejected(proto, method, arguments, code, error, hint):
    result = call(proto, method, *arguments)
    assert_failed(result, code, error=error)
    assert result.stderr.endswith(f"hint: {hint}\n"), result.stderr


def test_required_message_is_named_with_the_form_of_its_fields(proto):
    assert_failed(call(proto, "Hold", "b=1"), 2,
                  error="FIELD=VALUE: required field Holder.inner is not set",
                  hint="set its fields with inner.FIELD=VALUE, or pass JSON with -d")


def test_stream_may_have_no_request(proto):
    """Only the connection fails."""
    assert_failed(call(proto, "Up"), 78, "UNAVAILABLE")
    assert_failed(call(proto, "Up", "-d", ""), 78, "UNAVAILABLE")
