"""Are types read from .proto files, and are mistakes in them reported?"""

import json
import os
import subprocess

import pytest

from support.command import assert_failed, tripwire
from support.paths import INTEROP
from support.service_calls import SERVICE, answer

PROTO = INTEROP / "protos/grpc/testing/test.proto"


def test_types_come_from_a_proto_file(address):
    common = ["--proto", PROTO, "-I", INTEROP / "protos"]
    assert SERVICE in tripwire("list", *common).stdout.splitlines()
    assert "rpc UnaryCall" in tripwire("describe", SERVICE, *common).stdout
    result = tripwire("call", address, f"{SERVICE}/EmptyCall", "--plaintext", *common)
    assert answer(result) == {}


def test_only_the_services_of_the_named_file_are_listed(tmp_path):
    (tmp_path / "a.proto").write_text('syntax = "proto3"; package a; import "b.proto";'
                                      " service A { rpc Get(b.M) returns (b.M); }")
    (tmp_path / "b.proto").write_text('syntax = "proto3"; package b; message M { string s = 1; }'
                                      " service B { rpc Get(M) returns (M); }")
    assert tripwire("list", "--proto", "a.proto", cwd=tmp_path).stdout == "a.A\n"
    assert tripwire("list", "--proto", tmp_path / "a.proto").stdout == "a.A\n"
    assert tripwire("describe", "M", "--proto", tmp_path / "a.proto").code == 0


def test_proto_file_may_be_anywhere(tmp_path):
    folder = tmp_path / "inner"
    (folder / "other").mkdir(parents=True)
    text = 'syntax = "proto3"; package e; message M {} service S { rpc Get(M) returns (M); }'
    for path in tmp_path / "e.proto", folder / "f.proto", folder / "@x":
        path.write_text(text)
    for arguments in [
            [folder / "f.proto"], ["../e.proto"], ["@x"], ["f.proto"], ["./f.proto"],
            ["../e.proto", "-I", "."], [tmp_path / "e.proto", "-I", "other"],
            ["f.proto", "-I", "other"], [folder / "f.proto", "-I", tmp_path], ["e.proto", "-I", ".."]]:
        result = tripwire("list", "--proto", *arguments, cwd=folder)
        assert (result.code, result.stdout) == (0, "e.S\n"), (arguments, result.stderr)


def test_text_that_is_not_utf8_is_refused(address):
    method = [f"{SERVICE}/UnaryCall", "--endpoint", address, "--plaintext"]
    assert_failed(tripwire("call", *method, "expect_compressed=\udcff"), 2,
                  "expect_compressed: the value is not UTF-8")
    assert_failed(tripwire("call", *method, "-d", '{"a":"\udcff"}'), 2, "not UTF-8")


@pytest.mark.parametrize("name", ["pipe.proto", "a.proto"], ids=["file", "import"])
def test_pipe_without_a_writer_is_reported(tmp_path, name):
    os.mkfifo(tmp_path / "pipe.proto")
    (tmp_path / "a.proto").write_text('import "pipe.proto";')
    result = tripwire("list", "--proto", name, "--timeout", "500ms", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc did not end in time and was killed",
                  hint="check the program that writes the file, if it is a pipe, or raise --timeout")


def test_mistakes_in_a_proto_file_are_shown_with_their_place(tmp_path):
    (tmp_path / "a.proto").write_text('syntax = "proto3";\nmessage M { string s }\n')
    result = tripwire("list", "--proto", "a.proto", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc: a.proto:2:")
    assert "correct the .proto file" in result.stderr
    (tmp_path / "a.proto").write_text('syntax = "proto3"; import "missing.proto";')
    result = tripwire("list", "--proto", "a.proto", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc: missing.proto: File not found")
    assert "-I DIR" in result.stderr
    assert_failed(tripwire("list", "--proto", "none.proto", cwd=tmp_path), 1, "none.proto")


def test_missing_import_folder_is_reported(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.proto").write_text('syntax = "proto3"; package a; service A {}')
    files = ["--proto", "a.proto", "-I", "inner", "-I", "missing", "-I", "inner/a.proto"]
    warnings = ("warning: -I missing: No such file or directory\n"
                "warning: -I inner/a.proto: Not a directory\n")
    result = tripwire("list", *files, cwd=tmp_path)
    assert (result.code, result.stdout, result.stderr) == (0, "a.A\n", warnings)
    result = tripwire("describe", "a.A", *files, cwd=tmp_path)
    assert (result.code, result.stderr) == (0, warnings)
    result = tripwire("list", *files, "-q", cwd=tmp_path)
    assert (result.code, result.stderr) == (0, "")
    result = tripwire("call", "a.B", *files, "--error-format", "json", cwd=tmp_path)
    assert (result.code, len(json.loads(result.stderr)["warnings"])) == (2, 2)
    # The warning is not the error.
    result = tripwire("list", "--proto", "a.proto", "-I", "missing", cwd=tmp_path)
    assert_failed(result, 1, "--proto: protoc: ", "a.proto: No such file", hint="check the path in --proto",
                  lines=["warning: -I missing: No such file or directory"])


def test_hints_find_the_types_of_a_proto_file(tmp_path):
    """The type exists only there."""
    (tmp_path / "greet.proto").write_text(
        'syntax = "proto3"; package demo; message Kind { string name = 1; }'
        " service Greeter { rpc Greet(Kind) returns (Kind); }")
    files = ["--proto", "greet.proto", "-I", "."]
    for arguments in (["-d", '{"zzzz": 1}'], ["zzzz=1"], ["--fields", "zzzz"]):
        result = tripwire(
            "call", "demo.Greeter/Greet", "--endpoint", "localhost:1", *files, *arguments, cwd=tmp_path)
        assert_failed(result, 2, "zzzz")
        assert f"run 'tripwire describe demo.Kind {' '.join(files)}' to list its fields" in result.stderr
    assert tripwire("describe", "demo.Kind", *files, cwd=tmp_path).code == 0
    result = tripwire("call", "demo.Greeter/Wrong", "--endpoint", "localhost:1", *files, cwd=tmp_path)
    assert_failed(result, 2, "demo.Greeter has no method Wrong",
                  hint=f"run 'tripwire list demo.Greeter {' '.join(files)}' to list its methods")


def test_missing_protoc_is_named_with_its_package(tmp_path):
    result = tripwire("list", "--proto", "a.proto", PATH=str(tmp_path))
    assert_failed(result, 1, "--proto: protoc is not installed")
    assert "protobuf-compiler" in result.stderr


@pytest.mark.parametrize("options, message", [
    (["--proto", "a", "--protoset", "b"], "--proto cannot be used with --protoset"),
    (["-I", "a"], "--import-path requires --proto"),
])
def test_contrary_options_for_types_are_refused(options, message):
    for command in ["list"], ["call", "a.S/M"]:
        assert_failed(tripwire(*command, *options), 2, message)


def test_unsupported_edition_names_the_version_of_protoc(tmp_path):
    version = subprocess.run(["protoc", "--version"], capture_output=True, check=True).stdout.decode().strip()
    (tmp_path / "a.proto").write_text('syntax = "proto3"; import "b.proto";')
    (tmp_path / "b.proto").write_text('\nedition = "2099";\nmessage M {}')
    for name, more in ("b.proto", []), ("a.proto", []), (tmp_path / "a.proto", ["-I", tmp_path]):
        result = tripwire("list", "--proto", name, *more, cwd=tmp_path)
        assert_failed(result, 1, "--proto: protoc: b.proto:2:",
                      hint=f"install a newer protoc: {version} does not support edition 2099")
