"""Does the command of the build plugin ProtobufGenerator generate a target, and report what is wrong with it?"""

import os
import pathlib
import subprocess

import pytest

CONFIG = "tripwire-protobuf-config.json"
NOTE = """syntax = "proto3";
package notes.v1;
import "google/protobuf/timestamp.proto";
import "shared/place.proto";
message Note { google.protobuf.Timestamp time = 1; shared.Place place = 2; }
service Notes { rpc Get(Note) returns (Note); }
"""
PLACE = """syntax = "proto3";
package shared;
message Place { string name = 1; }
"""


class Target:
    """A folder with .proto files, with a space and a colon in its path."""

    def __init__(self, folder):
        self.folder = folder / "My: Sources"
        self.output = folder / "my output"
        self.output.mkdir()
        self.write("note.proto", NOTE)
        self.write("shared/place.proto", PLACE)

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def generate(self, *imports, **environment):
        """Runs the command with all files of the target, and the files that other folders have."""
        tool = pathlib.Path(os.environ["TRIPWIRE_BIN"]).with_name("generate-protobuf")
        protos = sorted(self.folder.rglob("*.proto"))
        configs = [path for path in [self.folder / CONFIG] if path.exists()]
        return subprocess.run(
            [tool, self.output, self.folder, *protos, *configs, *imports], capture_output=True, text=True,
            timeout=60, env={**os.environ, **environment})

    def generated(self):
        return {path.name: path.read_text() for path in self.output.iterdir()}


@pytest.fixture
def target(tmp_path):
    return Target(tmp_path)


def expect_success(done):
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def expect_error(done, message):
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message + "\n")


def test_target_has_messages_and_clients(target):
    expect_success(target.generate())
    files = target.generated()
    assert sorted(files) == ["note.pb.swift", "shared_place.pb.swift"]
    assert "internal var place: Shared_Place?" in files["note.pb.swift"]
    assert "struct Notes_V1_NotesClient" in files["note.pb.swift"]


def test_output_is_that_of_protoc(target, tmp_path):
    expect_success(target.generate())
    plugin = pathlib.Path(os.environ["TRIPWIRE_BIN"]).with_name("protoc-gen-tripwire")
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(
        ["protoc", f"--plugin={plugin}", "-I.", f"--tripwire_out={other}", "note.proto", "shared/place.proto"],
        cwd=target.folder, check=True)
    assert target.generated() == {path.name: path.read_text() for path in other.iterdir()}


def test_only_files_that_differ_are_written(target):
    expect_success(target.generate())
    for path in target.output.iterdir():
        os.utime(path, (0, 0))
    target.write("shared/place.proto", PLACE.replace("name = 1", "title = 1"))
    expect_success(target.generate())
    written = [path.name for path in target.output.iterdir() if path.stat().st_mtime]
    assert written == ["shared_place.pb.swift"]
    # The type of a field has another name.
    target.write("shared/place.proto", PLACE + "option swift_prefix = \"X\";\n")
    expect_success(target.generate())
    assert "internal var place: XPlace?" in target.generated()["note.pb.swift"]


def test_options_apply(target):
    target.write(CONFIG, """{
      "generate": {"clients": false, "registry": false},
      "generatedSource": {"accessLevel": "public", "prefix": "Acme", "presence": true, "documentation": false,
        "serviceConfig": "timeouts.json"}
    }""")
    target.write("timeouts.json", '{"methodConfig": [{"name": [{"service": "notes.v1.Notes"}], "timeout": "9s"}]}')
    expect_success(target.generate())
    text = target.generated()["note.pb.swift"]
    assert "public nonisolated struct AcmeNote" in text
    assert "public var hasPlace: Bool" in text
    assert "timeout: .seconds(9)" in text
    assert "Client" not in text.replace("WireGRPCClient", "")
    assert "TypeRegistry" not in text


def test_imports_of_other_folders_are_in_other_modules(target, tmp_path):
    (target.folder / "shared/place.proto").unlink()
    (tmp_path / "all/shared").mkdir(parents=True)
    shared = tmp_path / "all/shared/place.proto"
    shared.write_text(PLACE)
    target.write(CONFIG, """{
      "generatedSource": {"modules": {"shared": "Places"}}, "protoc": {"importPaths": ["../all"]}
    }""")
    expect_success(target.generate(shared))
    files = target.generated()
    assert sorted(files) == ["note.pb.swift"]
    assert "import Places\n" in files["note.pb.swift"]
    # The build system has to know the file, to generate again after it has changed.
    expect_error(
        target.generate(), "error: SwiftPM does not know yet that ../all/shared/place.proto is imported: run touch"
        " Package.swift, and build again")


def test_folder_of_imports_may_be_in_the_target(target):
    (target.folder / "protos").mkdir()
    for name in "note.proto", "shared":
        (target.folder / name).rename(target.folder / "protos" / name)
    target.write(CONFIG, '{"protoc": {"importPaths": ["./protos/"]}}')
    expect_success(target.generate())
    assert sorted(target.generated()) == ["protos_note.pb.swift", "protos_shared_place.pb.swift"]


@pytest.mark.parametrize("config, place, reason", [
    ('{\n  "generate": {"servers": false}\n}', "2:16", 'unknown field "servers"'),
    ('{"generatedSource": {"acessLevel": "public"}}', "1:22",
     'unknown field "acessLevel"; did you mean accessLevel?'),
    ('{"generatedSource": {"accessLevel": "open"}}', "1:37", "accessLevel: expected public, package or internal"),
    ('{"generatedSource": {"prefix": "a-b"}}', "1:32",
     "prefix: expected a Swift identifier, such as Acme, or nothing"),
    ('{"generatedSource": {"modules": {"a": "b c"}}}', "1:39", "modules: expected the name of a module"),
    ('{"generate": {"clients": "yes"}}', "1:26", "expected true or false"),
    ("{", "1:2", "truncated"),
], ids=["unknown", "misspelled", "access", "prefix", "module", "type", "truncated"])
def test_invalid_config_has_the_place(target, config, place, reason):
    target.write(CONFIG, config)
    expect_error(target.generate(), f"{target.folder / CONFIG}:{place}: error: {reason}")
    assert target.generated() == {}


def test_missing_protoc_has_its_package(target):
    expect_error(
        target.generate(PATH="/nonexistent"),
        "error: protoc is not installed: on Debian run apt install protobuf-compiler, on macOS run brew install"
        f" protobuf, or set executablePath in {CONFIG}")
    expect_error(target.generate(PROTOC_PATH="/no/protoc"), "error: /no/protoc does not exist: correct PROTOC_PATH")
    target.write(CONFIG, '{"protoc": {"executablePath": "/no/protoc"}}')
    expect_error(target.generate(), f"error: /no/protoc does not exist: correct executablePath in {CONFIG}")


def test_errors_of_protoc_have_the_place(target):
    target.write("shared/place.proto", PLACE.replace("string name = 1", "string name"))
    done = target.generate()
    assert done.returncode == 1
    assert "shared/place.proto:3:28: Missing field number." in done.stderr
    assert target.generated() == {}


def test_files_with_the_same_generated_name_are_refused(target):
    target.write("shared_place.proto", PLACE.replace("Place", "Other"))
    expect_error(
        target.generate(), "error: shared/place.proto and shared_place.proto would have the same generated file: rename"
        " one of them")


def test_missing_service_config_is_reported(target):
    target.write(CONFIG, '{"generatedSource": {"serviceConfig": "none.json"}}')
    expect_error(target.generate(), "error: none.json: No such file or directory")
