"""Does a package that depends on a version of this package, by URL, build each product in release?

The version is a tag in a clone, so these tests see only what is committed.
"""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The products, and the other products that each program imports.
NAMES = {
    "WireProtobuf": [], "WireGRPC": [], "Tripwire": [], "TripwireHTTPTokens": ["Tripwire"],
    "JourneySharing": ["Tripwire"], "JourneyMap": ["JourneySharing"], "RidesharingConsumer": [],
    "Recording": ["Tripwire"], "TripRelay": ["Tripwire"], "FleetEmulator": ["Tripwire"]}
# The products whose programs need these shared libraries. The others work without.
NEEDING = {"libevent": {"JourneyMap"}, "libexpat": set(), "libsqlite3": set(), "libnats": {"TripRelay"},
           "libFoundation": {"TripwireHTTPTokens", "RidesharingConsumer"}}

PROGRAMS = ["tripwire", "tripwire-relay", "protoc-gen-tripwire"]
VERSION = "1000.0.0"

# The settings are those of a new package.
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "dependent",
  platforms: [.macOS(.v26)],
  dependencies: [.package(url: "file://%s", exact: "%s")],
  targets: [
%s
  ])
"""
TARGET = """    .executableTarget(name: "With%s", dependencies: [%s]),
"""
PRODUCT = '.product(name: "%s", package: "tripwire")'

SOURCES = {
    "WireProtobuf": """
import WireProtobuf

let time = Timestamp(seconds: 1)
print(try time.jsonString())
""",
    "WireGRPC": """
import WireGRPCClient

actor Caller {
  var sent = 0

  func call(_ client: ForestClient) async throws(CallError) {
    _ = try await client.count { trees in
      sent += 1
      try await trees.send(Tree(name: "oak"))
    }
  }
}

let channel = try Channel(
  target: "unix:/nonexistent",
  configuration: ChannelConfiguration(security: .tls(TLSConfiguration()), failFast: true))
let caller = Caller()
do {
  try await caller.call(ForestClient(channel))
} catch {
  print(error.code, await caller.sent)
}
""",
    "Tripwire": """
import Tripwire

let services = try FleetServices(
  providerID: "p", endpoint: "unix:/nonexistent",
  configuration: ChannelConfiguration(security: .plaintext, failFast: true))
do {
  _ = try await services.tripService.getTrip(services.tripName("t"))
} catch let error as CallError {
  print(error.code)
}
""",
    "TripwireHTTPTokens": """
import Tripwire
import TripwireHTTPTokens

let services = try FleetServices(
  providerID: "p", endpoint: "unix:/nonexistent",
  tokenProvider: try HTTPToken(url: "http://127.0.0.1:1/{tripID}"),
  configuration: ChannelConfiguration(security: .plaintext, failFast: true))
do {
  _ = try await services.tripService.getTrip(services.tripName("t"))
} catch let error as CallError {
  print(error.code, error.message)
}
""",
    "JourneySharing": """
import JourneySharing
import Tripwire

print(String(decoding: Journey(Trip()).geoJSON(), as: UTF8.self))
""",
    "JourneyMap": """
import JourneyMap
import JourneySharing

let (journeys, _) = AsyncStream.makeStream(of: Journey.self)
do {
  _ = try await journeys.serve(on: "127.0.0.1")
} catch {
  print(error)
}
""",
    "RidesharingConsumer": """
import RidesharingConsumer

final class NoToken: GMTCAuthorization {
  func fetchToken(with context: GMTCAuthorizationContext?) async throws -> String { "none" }
}

GMTCServices.setAccessTokenProvider(NoToken(), providerID: "p")
print(GMTCServices.shared().tripService.tripModel(forTripName: "providers/p/trips/t").tripName)
""",
    "Recording": """
import Recording
import Tripwire

let recorder = try CallRecorder(to: "calls.binlog")
let services = try FleetServices(
  providerID: "p", endpoint: "unix:/nonexistent",
  configuration: ChannelConfiguration(
    security: .plaintext, failFast: true, interceptors: [recorder]))
_ = try? await services.tripService.getTrip(services.tripName("t"))
let report = await recorder.close()
print(report.written, report.dropped)
""",
    "FleetEmulator": """
import FleetEmulator
import Tripwire

let clock = VirtualClock()
let fleet = FleetEmulator(provider: "p", clock: clock)
fleet.trips["t"] = Trip(
  pickup: LatLng(latitude: 1, longitude: 1), dropoff: LatLng(latitude: 1, longitude: 1.01),
  vehicle: "v")
fleet.drive("v")
await clock.advance(by: .seconds(3600))
let services = FleetServices(emulator: fleet)
print(try await services.tripService.getTrip(services.tripName("t")).tripStatus)
""",
    "TripRelay": """
import TripRelay
import Tripwire

let services = try FleetServices(
  providerID: "p", source: RelaySource(NATSOptions(url: "nats://127.0.0.1:1")))
let model = services.tripService.tripModel(forTripName: try services.tripName("t"))
for await update in model.updates {
  guard let failure = update.failure else { continue }
  print(failure.error.code)
  break
}
""",
}
OUTPUT = {
    "WireProtobuf": '"1970-01-01T00:00:01Z"\n', "WireGRPC": "UNAVAILABLE 1\n",
    "Tripwire": "UNAVAILABLE\n",
    "TripwireHTTPTokens":
        "UNAVAILABLE the token provider failed: the token endpoint http://127.0.0.1:1/{tripID}"
        " refused the connection\n",
    "JourneySharing":
        '{"type":"FeatureCollection","status":"UNKNOWN_TRIP_STATUS","features":[]}\n',
    "JourneyMap":
        "cannot listen on '127.0.0.1': not HOST:PORT (use an address such as 127.0.0.1:0)\n",
    "RidesharingConsumer": "providers/p/trips/t\n",
    "Recording": "4 0\n", "TripRelay": "UNAVAILABLE\n",
    "FleetEmulator": "complete\n"}

FOREST = """syntax = "proto3";
option swift_prefix = "";
message Tree { string name = 1; Tree graft = 2; }
service Forest { rpc Count(stream Tree) returns (Tree); }
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of a built package with a program for each product."""
    folder = tmp_path_factory.mktemp("dependent")
    clone = folder / "tripwire"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, clone], check=True)
    subprocess.run(["git", "-C", clone, "tag", VERSION], check=True)
    (folder / "Package.swift").write_text(
        MANIFEST % (clone, VERSION, "".join(
            TARGET % (name, ", ".join(PRODUCT % product for product in (name, *others)))
            for name, others in NAMES.items()).rstrip()))
    for name in NAMES:
        (folder / "Sources" / f"With{name}").mkdir(parents=True)
        (folder / "Sources" / f"With{name}" / "main.swift").write_text(SOURCES[name].lstrip())
    (folder / "forest.proto").write_text(FOREST)
    plugin = pathlib.Path(os.environ["TRIPWIRE_BIN"]).with_name("protoc-gen-tripwire")
    subprocess.run(
        ["protoc", f"--plugin={plugin}", f"-I{folder}",
         f"--tripwire_out={folder / 'Sources' / 'WithWireGRPC'}", "forest.proto"], check=True)
    build = ["swift", "build", "-c", "release", "--package-path", folder]
    subprocess.run(build, check=True)
    for program in PROGRAMS:
        subprocess.run([*build, "--product", program], check=True)
    return folder


@pytest.mark.interop("package")
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_package_with_one_product_runs(programs, name):
    done = subprocess.run(
        [programs / ".build" / "release" / f"With{name}"], capture_output=True, text=True,
        timeout=300, cwd=programs)
    assert (done.returncode, done.stdout, done.stderr) == (0, OUTPUT[name], "")


@pytest.mark.interop("package")
@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_of_the_package_runs(programs, name):
    done = subprocess.run(
        [programs / ".build" / "release" / name, "--version"], capture_output=True, text=True,
        timeout=300)
    assert done.returncode == 0 and "tripwire " in done.stdout, done


@pytest.mark.interop("package")
@pytest.mark.long
@pytest.mark.parametrize("library", NEEDING)
@pytest.mark.parametrize("name", NAMES)
def test_package_links_the_required_libraries(programs, name, library):
    program = programs / ".build" / "release" / f"With{name}"
    needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    assert (library in needed) == (name in NEEDING[library])
