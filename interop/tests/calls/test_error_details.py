"""Are error details of the user's own types shown, with types from files and by reflection?"""

import base64
import json

import grpc
import pytest
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory, struct_pb2, wrappers_pb2
from google.rpc import error_details_pb2, status_pb2

from support.command import tripwire
from peers.servers.reflecting import V1, correct_answers, handler, serving
from tests.command.test_describe import at, compiled

SHOP = {
    "shop.proto": """syntax = "proto3"; package shop; import "google/protobuf/any.proto";
        message Order { string id = 1; }
        service Orders { rpc Get(Order) returns (Order); rpc Watch(Order) returns (stream Order); }""",
    # Nothing in shop.proto refers to this file.
    "faults.proto": """syntax = "proto3"; package shop.faults; import "google/protobuf/any.proto";
        message OutOfStock { string sku = 1; repeated int32 sizes = 2; google.protobuf.Any cause = 3; }""",
}
KNOWN = {"@type": "type.googleapis.com/shop.faults.OutOfStock", "sku": "x\x1b1", "sizes": [1, 2],
         "cause": {"@type": "type.googleapis.com/shop.faults.OutOfStock", "sku": "inner"}}
TEXT = {"value": "plain", "@type": "type.googleapis.com/google.protobuf.StringValue"}
STRUCT = {"value": {"a": [1, None]}, "@type": "type.googleapis.com/google.protobuf.Struct"}
UNKNOWN = {"@type": "type.googleapis.com/other.Type", "value": base64.b64encode(b"\x08\x01").decode()}
CORRUPT = {"@type": "type.googleapis.com/shop.faults.OutOfStock", "value": base64.b64encode(b"\xff").decode()}


@pytest.fixture(scope="module")
def protoset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    return compiled(folder, *SHOP, source=folder)


@pytest.fixture(scope="module")
def shop_files(protoset):
    return descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file


@pytest.fixture(scope="module")
def address(shop_files):
    pool = descriptor_pool.DescriptorPool()
    for file in shop_files:
        pool.Add(file)
    OutOfStock = message_factory.GetMessageClass(pool.FindMessageTypeByName("shop.faults.OutOfStock"))
    inner = OutOfStock(sku="inner")
    known = OutOfStock(sku="x\x1b1", sizes=[1, 2])
    known.cause.Pack(inner)
    struct = struct_pb2.Struct()
    struct.update({"a": [1, None]})
    status = status_pb2.Status(code=9, message="sold out")
    for detail in known, error_details_pb2.ErrorInfo(reason="R"), wrappers_pb2.StringValue(value="plain"), struct:
        status.details.add().Pack(detail)
    status.details.append(any_pb2.Any(type_url=UNKNOWN["@type"], value=b"\x08\x01"))
    status.details.append(any_pb2.Any(type_url=CORRUPT["@type"], value=b"\xff"))

    def fail(request, context):
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "sold out")

    orders = grpc.method_handlers_generic_handler("shop.Orders", {
        "Get": grpc.unary_unary_rpc_method_handler(fail),
        "Watch": grpc.unary_stream_rpc_method_handler(fail)})
    with serving(orders, handler(V1, correct_answers(["shop.Orders", V1], shop_files))) as address:
        yield address


@pytest.fixture(params=["reflection", "protoset", "proto"])
def types(request, protoset):
    return {"reflection": [], "protoset": ["--protoset", protoset],
            "proto": ["--proto", "shop.proto", "--proto", "faults.proto", "-I", protoset.parent]}[request.param]


@pytest.mark.parametrize("method", ["shop.Orders/Get", "shop.Orders/Watch"])
def test_details_of_own_types_are_shown(address, types, method):
    result = at(address, "call", method, *types)
    lines = result.stderr.splitlines()
    assert (result.code, lines[0]) == (73, "error: FAILED_PRECONDITION: sold out")
    head, _, shown = lines[1].partition(": ")
    assert head == "  detail shop.faults.OutOfStock"
    assert json.loads(shown) == {name: value for name, value in KNOWN.items() if name != "@type"}
    assert lines[2:7] == [
        "  reason R", '  detail google.protobuf.StringValue: "plain"',
        '  detail google.protobuf.Struct: {"a":[1.0,null]}',
        "  detail of type type.googleapis.com/other.Type (2 bytes, not shown)",
        "  detail of type type.googleapis.com/shop.faults.OutOfStock (1 byte, not shown)"]


def test_details_of_own_types_are_json(address, types):
    result = at(address, "call", "shop.Orders/Get", "--error-format", "json", *types)
    details = json.loads(result.stderr)["details"]
    assert details == [
        KNOWN, {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R"}, TEXT, STRUCT, UNKNOWN,
        CORRUPT]
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("options", [[], ["--parallel", "2"]])
def test_each_of_several_errors_has_its_details(address, options):
    result = at(address, "call", "shop.Orders/Get", "-d", "{} {}", "--keep-going", *options)
    assert (result.code, result.stderr.count("  detail shop.faults.OutOfStock: {")) == (73, 2), result.stderr


def test_recorded_details_of_own_types_are_shown(address, protoset, tmp_path):
    log = tmp_path / "log"
    at(address, "call", "shop.Orders/Get", "--protoset", protoset, "--record", log)
    shown = tripwire("log", log, "--call", "1", "--protoset", protoset).stdout
    assert '  detail shop.faults.OutOfStock: {"sku":"x' in shown
    assert '  detail google.protobuf.Struct: {"a":[1.0,null]}\n' in shown
    assert "  detail of type type.googleapis.com/other.Type (2 bytes, not shown)\n" in shown
    for types, first in ([], None), (["--protoset", protoset], KNOWN):
        entries = [json.loads(line) for line in tripwire("log", log, "-o", "json", *types).stdout.splitlines()]
        (trailer,) = [entry["trailer"] for entry in entries if "trailer" in entry]
        details = trailer["status"]["details"]
        assert details[1:4] == [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "R"}, TEXT, STRUCT]
        assert details[4] == {"@type": UNKNOWN["@type"], "@value": UNKNOWN["value"]}
        assert details[5] == {"@type": CORRUPT["@type"], "@value": CORRUPT["value"]}
        assert first is None or details[0] == first
