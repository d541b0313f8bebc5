"""Does each Swift sample of the articles compile, and does it print what its article says?"""

import subprocess
import threading
from pathlib import Path

import pytest

from support.command import LONGEST, binary, environment
from support.paths import PROTOS
from support.samples import ROOT, Program, articles, samples, says, search_paths

# The modes of new packages and of most apps that used the Consumer SDK.
MODES = ["5", "6"]


@pytest.fixture(scope="session")
def program():
    return Program()


@pytest.fixture(scope="session")
def generated(tmp_path_factory):
    """The Swift files of the protos that the samples use."""
    folder = tmp_path_factory.mktemp("generated")
    (notes,) = samples(articles()["TalkingToAnyService"], "protobuf")
    (shop,) = samples(articles()["GeneratingCode"], "protobuf")
    (folder / "notes.proto").write_text(notes.code)
    (folder / "shop.proto").write_text(shop.code)

    def generate(options, *arguments):
        subprocess.run(
            ["protoc", f"--plugin={Path(binary()).parent / 'protoc-gen-tripwire'}", f"--tripwire_out={folder}",
             f"--tripwire_opt={options}", *arguments], check=True)

    generate("access=internal", "-I", folder, "notes.proto", "shop.proto")
    generate("access=internal", "-I", PROTOS, "grpc/binlog/v1/binarylog.proto")
    return list(folder.glob("*.swift"))


@pytest.fixture(scope="session")
def built(program, generated, tmp_path_factory):
    """The program in each language mode."""
    folder, build = tmp_path_factory.mktemp("samples"), Path(binary()).parent
    return {mode: program.build(folder / mode, build, mode, generated) for mode in MODES}


def test_every_sample_has_a_place(program):
    assert program.unplaced == {}


@pytest.mark.parametrize("mode", MODES)
def test_every_sample_compiles(built, mode):
    assert built[mode].exists()


def test_shop_proto_is_that_of_the_tests():
    (shop,) = samples(articles()["GeneratingCode"], "protobuf")
    assert shop.code == (ROOT / "Tests/WireProtobufTests/shop.proto").read_text()


@pytest.mark.parametrize("article", ["README", "Tripwire"])
def test_manifest_finds_the_package_in_any_folder(tmp_path, article):
    manifest = next(sample for sample in samples(articles()[article]) if sample.is_manifest)
    dependency, product = manifest.code.splitlines()
    app = tmp_path / "app"
    (app / "Sources/App").mkdir(parents=True)
    (app / "Sources/App/main.swift").touch()
    (tmp_path / "clone").symlink_to(ROOT)
    (app / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "App", platforms: [.macOS(.v26)],
  dependencies: [
    {dependency.replace("../tripwire", "../clone")}
  ],
  targets: [
    .executableTarget(name: "App", dependencies: [
      {product}
    ])
  ])
""")
    done = subprocess.run(["swift", "package", "show-dependencies"], cwd=app, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "clone<" in done.stdout


def test_marker_of_an_app_is_refused_with_a_reason(tmp_path):
    (tmp_path / "main.swift").write_text("import RidesharingConsumer\nprint(GMSMarker())\n")
    done = subprocess.run(["swiftc", "-typecheck", tmp_path / "main.swift", *search_paths(Path(binary()).parent)],
                          capture_output=True, text=True)
    assert done.returncode == 1
    assert "'init()' is unavailable: markers of an app belong to Google's map" in done.stderr


# The other commands run.
COMPILED_ONLY = {
    "relaySource": "needs NATS; interop/tests/relay runs the source", "followFromRelay": "needs NATS",
    "accessTokens": "needs credentials; interop/tests/sign_in tests them", "signedTokens": "needs credentials",
    "runMainQueue": "does not end", "plaintext": "is declared only"}
FOLLOWING = {"followAsInReadme", "testServer", "followTrip", "serveJourneys", "serveJourneysOfModel"}
ENDLESS = {"followVehicle", "followWithUpdates"}


def run(world, program, command):
    """Returns the output of a command that succeeds, or the first line of one that does not end."""
    with world.start(program, command) as process:
        watch = threading.Timer(LONGEST, process.kill)
        watch.start()
        if command in ENDLESS:
            output = process.stdout.readline()
            process.kill()
        else:
            output = process.stdout.read()
            assert process.wait() == 0, output
        watch.cancel()
    return output


def commands():
    return sorted(Program().output.keys() - COMPILED_ONLY)


@pytest.mark.parametrize("command", commands())
def test_sample_prints_what_its_article_says(program, built, world, command):
    for trip in world.trips:
        trip.go("COMPLETE" if command in FOLLOWING else "ENROUTE_TO_PICKUP")
    world.notes.waits_for_cancellation = command == "cancelSearch"
    lines = run(world, built["6"], command).splitlines()
    rest = iter(lines)
    for documented in program.output[command]:
        assert any(says(documented, line) for line in rest), (documented, lines)


@pytest.mark.parametrize("command, lines", [("readme", 1), ("tripwire", 1), ("record", 2)])
def test_program_without_a_token_prints_the_error(built, world, command, lines):
    (world.folder / "token.jwt").unlink()
    output = run(world, built["6"], command)
    assert "cannot read the token from token.jwt: No such file or directory" in output
    assert output.count("\n") == lines
