"""Does the build plugin ProtobufGenerator generate the code of another package, and again after a change?"""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFIG = "tripwire-protobuf-config.json"
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "app",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tripwire", path: "%s")],
  targets: [
    .executableTarget(
      name: "App", dependencies: [.product(name: "WireProtobuf", package: "tripwire")],
      plugins: [.plugin(name: "ProtobufGenerator", package: "tripwire")])
  ])
"""
NOTE = """syntax = "proto3";
package notes.v1;
import "google/protobuf/timestamp.proto";
import "shared/place.proto";
message Note { google.protobuf.Timestamp time = 1; shared.Place place = 2; }
"""
PLACE = """syntax = "proto3";
package shared;
message Place { string name = 1; }
"""
MAIN = """let note = Notes_V1_Note(time: .init(seconds: 1), place: Shared_Place(name: "here"))
print(try note.jsonString())
"""


class Package:
    """A package in a folder with a space in its path."""

    def __init__(self, folder):
        self.folder = folder
        self.write("Package.swift", MANIFEST % ROOT)
        self.restore()

    def restore(self):
        shutil.rmtree(self.folder / "Sources", ignore_errors=True)
        self.write("Sources/App/note.proto", NOTE)
        self.write("Sources/App/shared/place.proto", PLACE)
        self.write("Sources/App/main.swift", MAIN)

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(self, **environment):
        return subprocess.run(
            ["swift", "build", "--package-path", self.folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=1800, env={**os.environ, **environment})

    def run(self):
        done = self.build()
        assert done.returncode == 0, done.stdout
        assert "warning:" not in done.stdout, done.stdout
        return subprocess.run(
            [self.folder / ".build/debug/App"], capture_output=True, text=True, timeout=60, check=True).stdout

    def error(self, **environment):
        done = self.build(**environment)
        assert done.returncode != 0, done.stdout
        return done.stdout

    def times(self):
        files = (self.folder / ".build/plugins/outputs").rglob("*.pb.swift")
        return {path.name: path.stat().st_mtime_ns for path in files}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    package = Package(tmp_path_factory.mktemp("plugin") / "my app")
    package.build()
    return package


@pytest.fixture
def package(built):
    built.restore()
    return built


pytestmark = [pytest.mark.interop("package"), pytest.mark.long]


def test_code_is_generated_with_the_build(package):
    assert package.run() == '{"time":"1970-01-01T00:00:01Z","place":{"name":"here"}}\n'


def test_only_changed_code_is_generated_again(package):
    package.run()
    before = package.times()
    assert sorted(before) == ["note.pb.swift", "shared_place.pb.swift"]
    package.run()
    assert package.times() == before
    package.write("Sources/App/shared/place.proto", PLACE.replace("name = 1;", "name = 1; int32 floor = 2;"))
    package.write("Sources/App/main.swift", MAIN.replace('"here"', '"here", floor: 2'))
    assert package.run() == '{"time":"1970-01-01T00:00:01Z","place":{"name":"here","floor":2}}\n'
    after = package.times()
    assert after["note.pb.swift"] == before["note.pb.swift"]
    assert after["shared_place.pb.swift"] != before["shared_place.pb.swift"]


def test_files_may_be_added_and_removed(package):
    package.write("Sources/App/more/extra.proto", 'syntax = "proto3"; message Extra {}')
    package.write("Sources/App/main.swift", MAIN + "print(Extra.messageName)\n")
    assert package.run().endswith("Extra\n")
    shutil.rmtree(package.folder / "Sources/App/more")
    package.write("Sources/App/main.swift", MAIN)
    assert package.run().endswith("}\n")


def test_options_apply_after_a_change(package):
    package.write(f"Sources/App/{CONFIG}", '{"generatedSource": {"prefix": "My"}}')
    package.write("Sources/App/main.swift", "print(MyNote(place: MyPlace(name: \"x\")).place?.name ?? \"\")\n")
    assert package.run() == "x\n"
    package.write(f"Sources/App/{CONFIG}", '{"generatedSource": {"prefix": "Your"}}')
    package.write("Sources/App/main.swift", "print(YourNote(place: YourPlace(name: \"x\")).place?.name ?? \"\")\n")
    assert package.run() == "x\n"


def test_imports_outside_the_target_are_watched(package):
    shared = package.folder / "protos/shared/place.proto"
    package.write("protos/shared/place.proto", PLACE)
    (package.folder / "Sources/App/shared/place.proto").unlink()
    package.write(f"Sources/App/{CONFIG}", '{"protoc": {"importPaths": ["../../protos"]}}')
    package.write("Sources/App/place.swift", "typealias Shared_Place = Empty\n")
    package.write("Sources/App/main.swift", "import WireProtobuf\nprint(Notes_V1_Note(place: Empty()).place != nil)\n")
    package.write("Sources/App/place.swift", "import WireProtobuf\ntypealias Shared_Place = Empty\n")
    assert package.run() == "true\n"
    shared.write_text(PLACE.replace("string name", "strin name"))
    assert 'shared/place.proto:3:17: "strin" is not defined.' in package.error()


def test_unknown_option_is_an_error_with_its_place(package):
    package.write(f"Sources/App/{CONFIG}", '{\n  "generate": {"servers": true}\n}\n')
    path = package.folder / "Sources/App" / CONFIG
    assert f'{path}:2:16: error: unknown field "servers"' in package.error()


def test_error_of_protoc_reaches_the_user(package):
    package.write("Sources/App/note.proto", NOTE.replace("shared.Place", "Place"))
    assert 'note.proto:5:52: "Place" is not defined.' in package.error()


def test_missing_protoc_is_named(package):
    package.write("Sources/App/note.proto", NOTE + "message More {}\n")
    assert "error: /no/protoc does not exist: correct PROTOC_PATH" in package.error(PROTOC_PATH="/no/protoc")


def test_target_without_proto_files_is_refused(package):
    for path in (package.folder / "Sources/App").rglob("*.proto"):
        path.unlink()
    assert (f"ProtobufGenerator: the target App has no .proto file: add one to {package.folder}/Sources/App, or remove"
            " the plugin from the target") in package.error()
