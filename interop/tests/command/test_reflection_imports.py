"""Are types found although the server has the imported files under other names, or not at all?"""

import grpc
import pytest
from google.protobuf import descriptor_pb2

from support.command import assert_failed, tripwire
from peers.servers.reflecting import V1, handler, serving
from tests.command.test_describe import compiled
from tests.command.test_faulty_reflection import at, files, listing, not_found, reflection_handler

SHOP = {
    "shop.proto": """syntax = "proto3"; package shop; import "location.proto"; import "kinds.proto";
        message Order { string id = 1; common.Place place = 2; common.Kind kind = 3; }
        service Orders { rpc Get(Order) returns (Order); }""",
    "location.proto": """syntax = "proto3"; package shop.common; import "point.proto";
        message Place { common.Point point = 1; message Floor { int32 number = 1; } }""",
    "point.proto": 'syntax = "proto3"; package shop.common; message Point { double x = 1; }',
    "kinds.proto": 'syntax = "proto3"; package shop.common; enum Kind { NONE = 0; BIG = 1; }',
}
# The names under which the server has the imported files.
NAMES = {"location.proto": "shop/common/location.proto", "point.proto": "build/gen/point.proto",
         "kinds.proto": "gen/enums.proto"}
WARNING = ("warning: the server has imported files under other names: gen/enums.proto for kinds.proto,"
           " shop/common/location.proto for location.proto, build/gen/point.proto for point.proto\n")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The compiled files by name, with the names that they import."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    protoset = compiled(folder, "shop.proto", source=folder)
    found = descriptor_pb2.FileDescriptorSet.FromString(protoset.read_bytes()).file
    return {file.name: file for file in found}


def no_file(name):
    return not_found()


def symbols(file):
    prefix = file.package + "."
    return [prefix + part.name for part in [*file.message_type, *file.enum_type, *file.service]]


def serving_shop(shop, absent=no_file, without=(), names=NAMES):
    """Runs a server that has the files under `names`, and yields its address.

    absent: answers a request for a file that the server does not have.
    """
    named = {}
    for name, file in shop.items():
        copy = descriptor_pb2.FileDescriptorProto.FromString(file.SerializeToString())
        copy.name = names.get(name, name)
        if name not in without:
            named[copy.name] = copy
    by_symbol = {symbol: file for file in named.values() for symbol in symbols(file)}

    def answer(request, kind):
        match kind:
            case "list_services": return listing("shop.Orders")
            case "file_containing_symbol": found = by_symbol.get(request.file_containing_symbol)
            case "file_by_filename": found = named.get(request.file_by_filename)
        if found:
            return files(found)
        return absent(request.file_by_filename) if kind == "file_by_filename" else not_found()

    return serving(handler(V1, reflection_handler(answer)), echo("shop.Orders", "Get"))


def echo(service, method):
    return grpc.method_handlers_generic_handler(service, {
        method: grpc.unary_unary_rpc_method_handler(lambda request, context: request)})


def old_placeholder(name):
    """As google.golang.org/protobuf answered until version 1.31."""
    return files(descriptor_pb2.FileDescriptorProto(name=name, syntax="<unknown:0>"))


def new_placeholder(name):
    return files(descriptor_pb2.FileDescriptorProto(name=name))


@pytest.mark.parametrize("absent", [no_file, old_placeholder, new_placeholder])
def test_imports_under_other_names_are_found(shop, absent):
    with serving_shop(shop, absent) as address:
        result = at(address, "list", "shop.Orders")
        assert (result.stdout, result.stderr) == ("shop.Orders/Get\n", WARNING)
        result = at(address, "describe", "shop.Order")
        assert "shop.common.Place place = 2;" in result.stdout and result.stderr == WARNING
        request = '{"place":{"point":{"x":1.5}},"kind":"BIG"}'
        result = at(address, "call", "shop.Orders/Get", "-d", request)
        assert (result.stdout, result.stderr) == (request + "\n", WARNING)


def test_file_under_two_names_is_used_once(shop):
    """Another file imports the file by its true name."""
    extended = dict(shop)
    other = descriptor_pb2.FileDescriptorProto.FromString(shop["shop.proto"].SerializeToString())
    other.name = "other.proto"
    del other.message_type[:], other.service[:], other.dependency[:]
    other.dependency.append(NAMES["location.proto"])
    other.message_type.add(name="Other").field.add(
        name="place", number=1, type="TYPE_MESSAGE", label="LABEL_OPTIONAL", type_name=".shop.common.Place")
    order = descriptor_pb2.FileDescriptorProto.FromString(shop["shop.proto"].SerializeToString())
    order.dependency.insert(0, "other.proto")
    extended |= {"other.proto": other, "shop.proto": order}
    with serving_shop(extended) as address:
        result = at(address, "describe", "shop.Order")
        assert "shop.common.Place place = 2;" in result.stdout and result.stderr == WARNING


def test_correct_imports_have_no_warning(shop):
    with serving_shop(shop, names={}) as address:
        result = at(address, "list", "shop.Orders")
        assert (result.stdout, result.stderr) == ("shop.Orders/Get\n", "")


@pytest.mark.parametrize("absent", [no_file, old_placeholder, new_placeholder])
def test_file_that_is_missing_is_reported(shop, absent):
    with serving_shop(shop, absent, without=["point.proto"]) as address:
        assert_failed(
            at(address, "list", "shop.Orders"), 77,
            "shop/common/location.proto: .shop.common.Point is not defined; missing imports: point.proto",
            hint="pass correct descriptors with --protoset FILE")


def test_missing_file_of_which_nothing_is_used_is_accepted(shop):
    extended = dict(shop)
    order = descriptor_pb2.FileDescriptorProto.FromString(shop["shop.proto"].SerializeToString())
    order.dependency.append("opts.proto")
    extended["shop.proto"] = order
    for absent in no_file, old_placeholder, new_placeholder:
        with serving_shop(extended, absent, names={}) as address:
            result = at(address, "list", "shop.Orders")
            assert (result.stdout, result.stderr) == ("shop.Orders/Get\n", "")


def test_types_of_a_protoset_need_no_matching_imports(shop, tmp_path):
    renamed = descriptor_pb2.FileDescriptorSet(file=shop.values())
    for file in renamed.file:
        file.name = NAMES.get(file.name, file.name)
    path = tmp_path / "set"
    path.write_bytes(renamed.SerializeToString())
    result = tripwire("describe", "shop.Order", "--protoset", path)
    assert "shop.common.Place place = 2;" in result.stdout and result.stderr == ""


def test_placeholder_in_a_protoset_is_a_missing_file(shop, tmp_path):
    order = descriptor_pb2.FileDescriptorProto.FromString(shop["shop.proto"].SerializeToString())
    order.dependency.append("opts.proto")
    placeholder = descriptor_pb2.FileDescriptorProto(name="opts.proto", syntax="<unknown:0>")
    rest = [file for name, file in shop.items() if name != "shop.proto"]
    path = tmp_path / "set"
    path.write_bytes(descriptor_pb2.FileDescriptorSet(
        file=[placeholder, *rest, order]).SerializeToString())
    assert tripwire("list", "shop.Orders", "--protoset", path).stdout == "shop.Orders/Get\n"
