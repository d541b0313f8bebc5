// swift-tools-version: 6.2
import PackageDescription

// MARK: Settings

let safety: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

// Targets that hold raw pointers say `unsafe` at each use.
let pointers = safety + [.strictMemorySafety()]

// MARK: Products

let products: [Product] = [
  .library(name: "Tripwire", targets: ["Tripwire"]),
  .library(name: "TripwireHTTPTokens", targets: ["TripwireHTTPTokens"]),
  .library(name: "JourneySharing", targets: ["JourneySharing"]),
  .library(name: "RidesharingConsumer", targets: ["RidesharingConsumer"]),
  .library(name: "WireProtobuf", targets: ["WireProtobuf"]),
  .library(name: "WireGRPC", targets: ["WireGRPC"]),
  .library(name: "Recording", targets: ["Recording"]),
  .executable(name: "tripwire", targets: ["TripwireCLI"]),
  .executable(name: "protoc-gen-tripwire", targets: ["protoc-gen-tripwire"]),
]

// MARK: C

let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CNghttp2", pkgConfig: "libnghttp2",
    providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
  .systemLibrary(
    name: "COpenSSL", pkgConfig: "openssl",
    providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CZlib", pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  .systemLibrary(name: "CGetopt"),
  .target(name: "CSpawn"),
  .target(name: "CWireShims", dependencies: ["CNghttp2", "COpenSSL"]),
]

// MARK: Swift

func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = safety
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let libraries: [Target] = [
  room("WireProtobuf", settings: pointers),
  room("ProtobufDescriptors", ["WireProtobuf"]),
  room("DynamicProtobuf", ["ProtobufDescriptors", "WireProtobuf"]),
  room("WireHTTP2", ["CNghttp2", "CWireShims"], settings: pointers),
  room("WireIO", ["CSpawn"], settings: pointers),
  room("WireTLS", ["WireIO", "COpenSSL", "CWireShims"], settings: pointers),
  room(
    "WireGRPC", ["WireProtobuf", "WireHTTP2", "WireTLS", "WireIO", "CZlib"], settings: pointers),
  room("FleetEngineAPI", ["WireProtobuf", "WireGRPC"]),
  room("Tripwire", ["FleetEngineAPI", "WireGRPC", "WireProtobuf", "WireTLS", "WireIO"]),
  room("JourneySharing", ["Tripwire"]),
  // These two import Foundation: nothing that the command links may depend on them.
  room("TripwireHTTPTokens", ["Tripwire", "WireGRPC", "WireIO"]),
  room("RidesharingConsumer", ["JourneySharing", "Tripwire", "WireIO"]),
  room("Recording", ["WireGRPC", "WireProtobuf", "WireIO", "CZlib"], settings: pointers),
  // What gRPC's own services say: health and reflection.
  room("WireServices", ["WireGRPC", "WireProtobuf"]),
  room(
    "Replay",
    [
      "Recording", "WireServices", "ProtobufDescriptors", "FleetEngineAPI", "WireGRPC",
      "WireProtobuf", "WireHTTP2", "WireTLS", "WireIO",
    ]),
  .target(
    name: "CodeGen", dependencies: ["ProtobufDescriptors", "WireProtobuf"], path: "codegen/CodeGen",
    swiftSettings: safety),
]

let tools: [Target] = [
  .executableTarget(
    name: "TripwireCLI",
    dependencies: [
      "CGetopt", "Tripwire", "JourneySharing", "Recording", "Replay", "DynamicProtobuf",
      "ProtobufDescriptors", "WireServices", "WireGRPC", "WireProtobuf", "WireIO", "WireTLS",
    ],
    swiftSettings: safety),
  .executableTarget(
    name: "protoc-gen-tripwire",
    dependencies: ["CodeGen", "ProtobufDescriptors", "WireProtobuf"],
    path: "codegen/protoc-gen-tripwire", swiftSettings: safety),
  .executableTarget(
    name: "interop-client", dependencies: ["WireGRPC", "WireProtobuf"], path: "interop/client",
    swiftSettings: safety),
  .executableTarget(
    name: "dynamic-testee",
    dependencies: ["DynamicProtobuf", "ProtobufDescriptors", "WireProtobuf"],
    path: "interop/dynamic/Testee", swiftSettings: safety),
  .executableTarget(
    name: "codec-benchmark", dependencies: ["FleetEngineAPI", "WireProtobuf"],
    path: "Tests/Benchmarks/Codec", swiftSettings: safety),
  .executableTarget(
    name: "rpc-benchmark",
    dependencies: [
      "FleetEngineAPI", "Recording", "Tripwire", "WireGRPC", "WireProtobuf", "WireIO", "WireTLS",
    ],
    path: "Tests/Benchmarks/Calls", swiftSettings: safety),
  .executableTarget(
    name: "follow-benchmark",
    dependencies: ["FleetEngineAPI", "Tripwire", "WireGRPC", "WireIO", "WireTLS"],
    path: "Tests/Benchmarks/Follow", swiftSettings: safety),
]

// MARK: Tests

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    exclude: exclude, swiftSettings: safety)
}

let testTargets: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["WireHTTP2"], path: "Tests/TestSupport",
    swiftSettings: safety),
  tests("WireProtobuf", exclude: ["everything.proto", "shop.proto"]),
  tests("DynamicProtobuf", ["ProtobufDescriptors", "WireProtobuf"]),
  tests("WireHTTP2"),
  tests("WireIO"),
  tests("WireTLS", ["COpenSSL", "WireIO"]),
  tests("WireGRPC", ["WireProtobuf", "WireHTTP2", "WireTLS", "WireIO"]),
  tests("FleetEngineAPI", ["WireProtobuf", "WireGRPC"]),
  tests(
    "Tripwire",
    ["FleetEngineAPI", "Recording", "Replay", "WireGRPC", "WireProtobuf", "WireTLS"]),
  tests("TripwireHTTPTokens", ["Tripwire", "WireGRPC", "WireIO"]),
  tests("JourneySharing", ["Tripwire", "WireProtobuf"]),
  tests("Recording", ["WireProtobuf", "WireGRPC", "WireIO"]),
  tests(
    "Replay",
    [
      "Recording", "WireServices", "ProtobufDescriptors", "WireGRPC", "WireProtobuf", "WireHTTP2",
      "WireTLS", "WireIO", "FleetEngineAPI",
    ]),
  tests(
    "TripwireCLI",
    ["Tripwire", "FleetEngineAPI", "DynamicProtobuf", "Recording", "WireGRPC", "WireProtobuf"]),
  tests(
    "CodeGen", ["ProtobufDescriptors", "WireProtobuf", "WireGRPC"], exclude: ["awkward.proto"]),
  // In the language mode of most apps that used the SDK.
  .testTarget(
    name: "RidesharingConsumerTests",
    dependencies: [
      "RidesharingConsumer", "JourneySharing", "Tripwire", "Recording", "Replay", "WireGRPC",
      "TestSupport",
    ],
    swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
  // Generated code in a target with an app's settings instead of ours.
  .testTarget(
    name: "GeneratedCodeTests", dependencies: ["WireGRPC", "WireProtobuf"],
    exclude: ["forest.proto"],
    swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
]

// libFuzzer brings the main function of this one: it is there for Tests/Fuzzing/run.sh alone.
let fuzzers: [Target] =
  Context.environment["FUZZING"] == nil
  ? []
  : [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Tripwire", "DynamicProtobuf", "ProtobufDescriptors", "Recording", "Replay",
        "WireServices", "WireGRPC", "WireHTTP2", "WireProtobuf",
      ],
      path: "Tests/Fuzzing/Sources/Fuzz", swiftSettings: [.treatAllWarnings(as: .error)])
  ]

let package = Package(
  name: "tripwire",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: products,
  targets: systemLibraries + libraries + tools + testTargets + fuzzers,
  swiftLanguageModes: [.v6])
