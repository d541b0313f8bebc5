"""Does the text that `tripwire describe` writes compile to the same descriptors?"""

import glob
import json
import os
import signal
import time
from pathlib import Path

import grpc_tools
import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

from support.command import LONGEST, assert_failed, start, tripwire
from support.paths import INTEROP
from peers.servers.reflecting import V1, correct_answers, handler, serving
from tests.command.test_describe import at
from tests.command.test_process import wait_for_the_last_reader

BUILT_IN = Path(grpc_tools.__file__).parent / "_proto"

PROTO2 = r"""syntax = "proto2"; package x.google;
import "google/protobuf/descriptor.proto";
// The name `google` is also that of another package.
message Nested {
  message google { optional int32 a = 1; }
  optional .google.protobuf.FileOptions outer = 1;
  optional google inner = 2;
}
enum Closed { option allow_alias = true; B = 5; A = 1; C = 5 [deprecated = true]; reserved 7, 9 to 11, 100 to max; reserved "OLD", "OLDER"; }
message Settings {
  optional bytes raw = 1; map<string, int32> counts = 2; repeated Settings more = 3; optional Closed kind = 4;
  optional double number = 5; optional float small = 6; repeated string names = 7; map<bool, Settings> by_flag = 8;
  optional group Inner = 9 { optional int64 big = 1; }
  extensions 100 to 200;
}
extend Settings { optional string note = 100; repeated group Extra = 101 { optional int32 z = 1; } }
extend .google.protobuf.MessageOptions { optional Settings settings = 50001; repeated int32 numbers = 50002; repeated Settings several = 50003; }
extend .google.protobuf.FieldOptions { optional bytes mark = 50001; optional double weight = 50002; optional string text = 50003; optional Closed kind = 50004; }
extend .google.protobuf.OneofOptions { optional bool special = 50001; }
extend .google.protobuf.ExtensionRangeOptions { optional string range_note = 50001; }
extend .google.protobuf.EnumValueOptions { optional string label = 50001; }
message M {
  option (settings) = {
    raw: "\377\000\"\\\n?" counts { key: "a\001" value: -1 } counts { key: "b" value: 2 } more { raw: "" } more {}
    kind: A number: inf small: -1e-7 names: ["ä", "日本\t", "\u202e"] by_flag { key: true value { number: nan } }
    Inner { big: -9223372036854775808 } [x.google.note]: "n" [x.google.extra] { z: 1 } };
  option (numbers) = 1; option (numbers) = -2;
  option (several) = { names: "one" }; option (several) = { names: "two" };
  message First { optional int32 a = 1; }
  required int32 r = 1 [(mark) = "\377a\1770", (weight) = 1e300, (text) = "Grüße \" \\ \001", (kind) = B];
  optional group G = 2 [deprecated = true] { optional string in_group = 1; message InGroup {} }
  message Second {}
  repeated group H = 3 { optional Second s = 1; }
  oneof choice { option (special) = true; string a = 4; group O = 5 { optional int32 o = 1; } M b = 6; }
  optional string s = 7 [default = "a\"\\\n\001ü?", json_name = "other\"Name"];
  optional bytes y = 8 [default = "\377\000\"\\"];
  optional double inf = 9 [default = inf]; optional float ninf = 10 [default = -inf]; optional float nan = 11 [default = nan];
  optional Closed e = 12 [default = A]; optional bool t = 13 [default = true]; repeated int32 p = 14 [packed = true];
  extensions 100 to 199, 300 [(range_note) = "ä"];
  extensions 1000 to max [verification = UNVERIFIED];
  reserved 20, 30 to 40; reserved "gone", "more";
  extend M { optional M deep = 100; optional group Deep2 = 101 { optional int32 d = 1; } }
  message Third {}
  enum Kind { option deprecated = true; ZERO = 0 [(label) = "null"]; }
}
extend M { repeated group Top = 300 { optional int32 t = 1; } }
message After {}
message Empty { option message_set_wire_format = true; extensions 4 to max; }
message Declared { extensions 5 to 9 [declaration = { number: 5, full_name: ".x.google.f", type: ".x.google.M" }, declaration = { number: 6, reserved: true }]; }
service S {
  option deprecated = true;
  rpc Do(M) returns (stream Nested.google) { option deprecated = true; option idempotency_level = IDEMPOTENT; }
  rpc Up(stream M) returns (M);
}
"""
PROTO3 = r"""syntax = "proto3"; package three;
import public "google/protobuf/any.proto"; import "google/protobuf/timestamp.proto";
option java_package = "com.ä"; option optimize_for = CODE_SIZE; option cc_enable_arenas = true;
message P {
  optional int32 maybe = 1; int32 plain = 2; repeated int32 packed = 3; repeated int32 loose = 4 [packed = false];
  map<string, google.protobuf.Timestamp> times = 5; map<int64, E> kinds = 6;
  oneof one { string a = 7; google.protobuf.Any any = 8; } optional string also = 9;
  enum E { ZERO = 0; NEG = -1; MIN = -2147483648; reserved -10 to -5; }
  message Times { map<string, P> inner = 1; }
}
"""
EDITION = r"""edition = "2023"; package ed;
import "google/protobuf/cpp_features.proto"; import "google/protobuf/java_features.proto";
option features.field_presence = IMPLICIT; option features.(pb.cpp).string_type = VIEW;
option features.enum_type = CLOSED;
message M {
  int32 r = 1 [features.field_presence = LEGACY_REQUIRED]; M d = 2 [features.message_encoding = DELIMITED];
  repeated int32 e = 3 [features.repeated_field_encoding = EXPANDED]; string u = 4 [features.utf8_validation = NONE];
  map<string, string> m = 5; oneof o { int32 a = 6; string b = 7; } int32 x = 8 [features.field_presence = EXPLICIT];
  bytes raw = 9 [features.field_presence = EXPLICIT, default = "\377"];
  M m2 = 10 [features.message_encoding = DELIMITED, deprecated = true];
  reserved gone, more; reserved 20 to 30; extensions 100 to 200;
  enum Open { option features.enum_type = OPEN; ZERO = 0; reserved OLD; reserved 5; }
  message Json { option features.json_format = LEGACY_BEST_EFFORT; string s = 1 [features.(pb.java).utf8_validation = VERIFY]; }
}
enum Closed { ONE = 1; }
extend M { string ext = 100; }
"""
EDITION_2024 = r"""edition = "2024"; package ed24;
import option "google/protobuf/cpp_features.proto";
option features.(pb.cpp).enum_name_uses_string_view = false;
export message M { local message Inner {} int32 a = 1; }
local enum E { E_ZERO = 0; }
"""
FILES = {"two.proto": PROTO2, "three.proto": PROTO3, "ed23.proto": EDITION, "ed24.proto": EDITION_2024}


def compile_all(folder, names, *, out, include=()):
    """Compiles files, with options that the compiler otherwise drops and with comments."""
    assert protoc.main([
        "protoc", f"-I{folder}", *(f"-I{path}" for path in include), "--include_imports", "--include_source_info",
        "--retain_options", f"--descriptor_set_out={out}", *names]) == 0
    return descriptor_pb2.FileDescriptorSet.FromString(Path(out).read_bytes()).file


def without_sources(files):
    found = {}
    for file in files:
        copy = descriptor_pb2.FileDescriptorProto.FromString(file.SerializeToString())
        copy.ClearField("source_code_info")
        found[file.name] = copy
    return found


def described(tmp_path, source, names, include=()):
    """Returns the descriptors by name before and after `describe`, and the folder that it wrote."""
    root = "".join(f'import "{name}";\n' for name in names)
    (source / "all_roots.proto").write_text(f'syntax = "proto3"; package all_roots;\n{root}message Root {{}}\n')
    before = compile_all(source, ["all_roots.proto"], out=tmp_path / "before", include=include)
    result = tripwire("describe", "all_roots.Root", "--protoset", tmp_path / "before", "--proto-out-dir",
                      tmp_path / "out")
    assert (result.code, result.stderr) == (0, "")
    after = compile_all(tmp_path / "out", ["all_roots.proto"], out=tmp_path / "after")
    return without_sources(before), without_sources(after), tmp_path / "out"


def assert_equal(before, after):
    assert list(before) == list(after)
    different = [name for name in before if before[name] != after[name]]
    for name in different:
        assert str(before[name]) == str(after[name]), name
    assert not different


@pytest.mark.parametrize("name", FILES)
def test_awkward_files_compile_to_the_same_descriptors(tmp_path, name):
    source = tmp_path / "source"
    source.mkdir()
    (source / name).write_text(FILES[name])
    before, after, _ = described(tmp_path, source, [name], [BUILT_IN])
    assert_equal(before, after)


def test_public_files_compile_to_the_same_descriptors(tmp_path):
    """All files of googleapis-common-protos, of protobuf and of this project."""
    source = tmp_path / "source"
    source.mkdir()
    site = BUILT_IN.parent.parent
    # This project has parts of some public files, which other public files import as a whole.
    folders = {INTEROP / "dynamic": "*.proto", INTEROP.parent / "Tests/WireProtobufTests": "*.proto",
               site: "google/**/*.proto", INTEROP.parent / "protos": "**/*.proto", BUILT_IN: "**/*.proto"}
    names = [path for folder, pattern in folders.items()
             for path in glob.glob(pattern, root_dir=folder, recursive=True)]
    assert len(names) > 100
    before, after, _ = described(tmp_path, source, sorted(set(names)), folders)
    assert len(before) > 100
    assert_equal(before, after)


def test_comments_are_kept(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "c.proto").write_text("""syntax = "proto3"; package c;
// Before M.
message M {  // Beside M.
  // Before a.
  int32 a = 1;  // Beside a.
  string b = 2;
  // Below b.
  // Second line.

  // Before o.
  oneof o {
    // Before x.
    int32 x = 3; // Beside x: ä.
  }
  map<string, int32> m = 4; // Beside m.
}
enum E {
  // Before ZERO.
  ZERO = 0; // Beside ZERO.
}
// Before S.
service S {
  // Before Do.
  rpc Do(M) returns (M); // Beside Do.
}
""")
    described(tmp_path, source, ["c.proto"])

    def comments(path):
        (file,) = [file for file in descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes()).file
                   if file.name == "c.proto"]
        return {tuple(place.path): (place.leading_comments, place.trailing_comments)
                for place in file.source_code_info.location
                if place.leading_comments or place.trailing_comments}

    assert comments(tmp_path / "after") == comments(tmp_path / "before")
    shown = tripwire("describe", "c.M.a", "--protoset", tmp_path / "before").stdout
    assert shown.endswith("// Before a.\nint32 a = 1;  // Beside a.\n")


@pytest.fixture(scope="module")
def awkward(tmp_path_factory):
    folder = tmp_path_factory.mktemp("awkward")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    compile_all(folder, FILES, out=folder / "set", include=[BUILT_IN])
    return folder / "set"


@pytest.mark.parametrize("symbol, text", [
    ("ed.M.r", "int32 r = 1 [features.field_presence = LEGACY_REQUIRED];"),
    ("ed.M.d", "M d = 2 [features.message_encoding = DELIMITED];"),
    ("ed.M.e", "repeated int32 e = 3 [features.repeated_field_encoding = EXPANDED];"),
    ("three.P.one", "oneof one {\n  string a = 7;\n  google.protobuf.Any any = 8;\n}"),
    ("x.google.M.choice", "  option (x.google.special) = true;\n"),
    ("x.google.A", "A = 1;"), ("x.google.Closed.A", "A = 1;"), ("three.P.NEG", "NEG = -1;"),
    ("M.Kind.ZERO", 'ZERO = 0 [(x.google.label) = "null"];'),
    ("x.google.Closed", 'reserved 7, 9 to 11, 100 to max;\n  reserved "OLD", "OLDER";'),
])
def test_symbols_are_described(awkward, symbol, text):
    result = tripwire("describe", symbol, "--protoset", awkward)
    assert result.code == 0 and text in result.stdout, result


def test_features_and_custom_options_are_json(awkward):
    def shown(symbol):
        return tripwire("describe", symbol, "--protoset", awkward, "-o", "json").json

    assert shown("ed.M.r")["options"] == {"features": {"fieldPresence": "LEGACY_REQUIRED"}}
    assert shown("x.google.M.Kind.ZERO")["options"] == {"[x.google.label]": "null"}
    assert shown("x.google.M.choice") == {"name": "choice", "options": {"[x.google.special]": True}}
    assert shown("x.google.M")["options"]["[x.google.numbers]"] == [1, -2]


def test_features_need_no_descriptor_proto_in_the_set(tmp_path):
    (tmp_path / "e.proto").write_text(
        'edition = "2023"; message M { int32 r = 1 [features.field_presence = LEGACY_REQUIRED]; }')
    compile_all(tmp_path, ["e.proto"], out=tmp_path / "set")
    assert "LEGACY_REQUIRED" in tripwire("describe", "M", "--protoset", tmp_path / "set").stdout


def test_protoset_out_has_the_types_and_their_imports(tmp_path, awkward):
    files = descriptor_pb2.FileDescriptorSet.FromString(awkward.read_bytes()).file
    with serving(handler(V1, correct_answers(["x.google.S", V1], files))) as address:
        result = at(address, "describe", "x.google.S", "-protoset-out", tmp_path / "out")
        assert result.code == 0 and "service S {" in result.stdout
    written = descriptor_pb2.FileDescriptorSet.FromString((tmp_path / "out").read_bytes()).file
    assert [file.name for file in written] == ["google/protobuf/descriptor.proto", "two.proto"]
    assert tripwire("list", "--protoset", tmp_path / "out").stdout == "x.google.S\n"


def test_built_in_types_are_written(tmp_path):
    assert tripwire("describe", "TripService", "--proto-out-dir", tmp_path / "out").code == 0
    compile_all(tmp_path / "out", ["google/maps/fleetengine/v1/trip_api.proto"], out=tmp_path / "set")


@pytest.mark.parametrize("name", ["../x.proto", "/x.proto", "a/../../x.proto", "a//x.proto", "./x.proto"])
def test_files_stay_in_the_folder(tmp_path, name):
    file = descriptor_pb2.FileDescriptorProto(name=name, package="p")
    file.message_type.add(name="M")
    (tmp_path / "set").write_bytes(descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString())
    result = tripwire("describe", "p.M", "--protoset", tmp_path / "set", "--proto-out-dir", tmp_path / "out")
    assert_failed(result, 1, f"--proto-out-dir: the file name {name} does not stay in the folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set"]


@pytest.fixture
def sources(tmp_path):
    """Files that import each other from a folder and below it."""
    (tmp_path / "in/sub").mkdir(parents=True)
    # A set begins with a line feed, too.
    (tmp_path / "in/sub/b.proto").write_text('\n\n\nsyntax = "proto3"; package b; message M {}')
    (tmp_path / "in/a.proto").write_text(
        '// Mine.\nsyntax = "proto3"; package a; import "sub/b.proto"; message A { b.M m = 1; }')
    return tmp_path


@pytest.mark.parametrize("arguments, path", [
    (["--proto", "in/a.proto", "-I", "in", "--proto-out-dir", "in"], "in/sub/b.proto"),
    (["--proto", "in/a.proto", "-I", "in", "--proto-out-dir", "link"], "link/sub/b.proto"),
    (["--proto", "a.proto", "-I", "in", "--proto-out-dir", "./in"], "./in/sub/b.proto"),
    (["--proto", "a.proto", "-I", "in", "--protoset-out", "in/sub/b.proto"], "in/sub/b.proto"),
])
def test_proto_files_that_are_read_are_not_replaced(sources, arguments, path):
    (sources / "link").symlink_to("in")
    before = {file: file.read_text() for file in sources.glob("in/**/*.proto")}
    result = tripwire("describe", "a.A", *arguments, cwd=sources)
    assert_failed(result, 2, f"{arguments[-2]} {path}: this file is being read",
                  hint=f"choose another path for {arguments[-2]}")
    assert {file: file.read_text() for file in sources.glob("in/**/*.proto")} == before
    assert len(list(sources.glob("**/*"))) == 5


def test_written_proto_files_are_replaced_with_their_modes(sources):
    command = ["describe", "a.A", "--proto", "in/a.proto", "-I", "in", "--proto-out-dir", "new/out"]
    assert tripwire(*command, cwd=sources).code == 0
    written = sources / "new/out/sub/b.proto"
    text = written.read_text()
    written.write_text("// Old.")
    written.chmod(0o644)
    assert tripwire(*command, cwd=sources).code == 0
    assert written.read_text() == text and written.stat().st_mode & 0o777 == 0o644
    assert {path.name for path in written.parent.iterdir()} == {"b.proto"}
    written.write_text("Other text.")
    assert_failed(tripwire(*command, cwd=sources), 1,
                  "--proto-out-dir new/out/sub/b.proto: the existing file is not a .proto file",
                  hint="choose another path for --proto-out-dir, or remove the existing file")


def test_text_with_line_feeds_is_not_a_set(sources):
    result = tripwire("describe", "TripService", "--protoset-out", "in/sub/b.proto", cwd=sources)
    assert_failed(result, 1, "--protoset-out in/sub/b.proto: the existing file is not a FileDescriptorSet")


@pytest.mark.parametrize("command", [["list"], ["call", "GetTrip"]])
def test_other_commands_name_describe(command):
    assert_failed(tripwire(*command, "-protoset-out", "x"), 2,
                  hint="did you mean: tripwire describe SYMBOL --protoset-out FILE")


def test_template_with_a_oneof_is_accepted_unedited(awkward):
    template = tripwire("describe", "three.P", "-o", "template", "--protoset", awkward).stdout
    assert "a" in json.loads(template) and "any" not in json.loads(template)


def test_interrupted_command_may_end_by_itself_after_a_written_file(tmp_path):
    """A written file does not change what a signal does: it cancels, and a second later ends the command."""
    (tmp_path / "m.proto").write_text('syntax = "proto3"; message M {}')
    compile_all(tmp_path, ["m.proto"], out=tmp_path / "set")
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(folder / "m.proto")
    process = start("describe", "M", "--protoset", tmp_path / "set", "--protoset-out", tmp_path / "out",
                    "--proto-out-dir", folder)
    with open(folder / "m.proto", "wb", buffering=0) as pipe:
        pipe.write(b'syntax = "proto3";\n')
        wait_for_the_last_reader(pipe)
    # The command now waits for a reader of the pipe, and has written the other file.
    assert (tmp_path / "out").exists()
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LONGEST)
    assert process.returncode == 130 and time.monotonic() - before >= 1
