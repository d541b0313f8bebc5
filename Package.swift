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
  // A later version of a system library must not end the build.
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

// Targets with raw pointers mark each use with `unsafe`.
let pointers = safety + [.strictMemorySafety()]

// MARK: Products

let products: [Product] = [
  .library(name: "Tripwire", targets: ["Tripwire"]),
  .library(name: "TripwireHTTPTokens", targets: ["TripwireHTTPTokens"]),
  .library(name: "TripwireGoogleAuth", targets: ["TripwireGoogleAuth"]),
  .library(name: "JourneySharing", targets: ["JourneySharing"]),
  .library(name: "JourneyMap", targets: ["JourneyMap"]),
  .library(name: "FleetEmulator", targets: ["FleetEmulator"]),
  .library(name: "RidesharingConsumer", targets: ["RidesharingConsumer"]),
  .library(name: "TripRelay", targets: ["TripRelay"]),
  .library(name: "WireProtobuf", targets: ["WireProtobuf"]),
  .library(name: "WireGRPC", targets: ["WireGRPC", "WireGRPCClient"]),
  .library(name: "Recording", targets: ["Recording"]),
  .executable(name: "tripwire", targets: ["tripwire-command"]),
  .executable(name: "tripwire-relay", targets: ["tripwire-relay"]),
  .executable(name: "protoc-gen-tripwire", targets: ["protoc-gen-tripwire"]),
  .plugin(name: "ProtobufGenerator", targets: ["ProtobufGenerator"]),
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
  .systemLibrary(
    name: "CEvent", pkgConfig: "libevent",
    providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
  .systemLibrary(
    name: "CExpat", pkgConfig: "expat",
    providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
  .systemLibrary(
    name: "CNats", pkgConfig: "libnats",
    providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
  .systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .systemLibrary(name: "CGetopt"),
  .target(name: "CSpawn"),
  // Needs the header of libcurl (apt: libcurl4-openssl-dev). The library is loaded when it is used.
  .target(name: "CCurl"),
  // The Makefile passes the commit, which `tripwire --version` prints.
  .target(
    name: "CBuildInfo",
    cSettings: ["TRIPWIRE_COMMIT", "TRIPWIRE_COMMIT_DATE"].map {
      .define($0, to: "\"\(Context.environment[$0] ?? "")\"")
    }),
  .target(name: "CWireShims", dependencies: ["CNghttp2", "COpenSSL"]),
]

// MARK: Swift

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = safety
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let libraries: [Target] = [
  library("WireSystem", ["CSpawn"], settings: pointers),
  library("WireIO", ["WireSystem"], settings: pointers),
  // The standard library's conversions of numbers call libm, which only a C module would link.
  .target(
    name: "WireProtobuf", swiftSettings: pointers,
    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
  library("ProtobufDescriptors", ["WireProtobuf"]),
  library("DynamicProtobuf", ["ProtobufDescriptors", "WireProtobuf", "WireSystem"]),
  library(
    "HTTPTranscoding", ["DynamicProtobuf", "ProtobufDescriptors", "WireGRPC", "WireProtobuf"]),
  library("WireHTTP2", ["WireSystem", "CNghttp2", "CWireShims"], settings: pointers),
  library("WireTLS", ["WireSystem", "COpenSSL", "CWireShims"], settings: pointers),
  library("WireGRPC", ["WireProtobuf", "WireHTTP2", "WireSystem", "CZlib"], settings: pointers),
  library("WireTransport", ["WireGRPC", "WireTLS", "WireIO", "WireSystem"], settings: pointers),
  library(
    "WireGRPCClient",
    [
      "WireTransport", "WireGRPC", "WireHTTP2", "WireTLS", "WireIO", "WireProtobuf", "WireSystem",
    ], settings: pointers),
  library(
    "WireGRPCServer",
    [
      "WireTransport", "WireGRPC", "WireHTTP2", "WireTLS", "WireIO", "ProtobufDescriptors",
      "WireProtobuf", "WireSystem",
    ]),
  library("FleetEngineAPI", ["WireProtobuf", "WireGRPC", "WireSystem"]),
  library("FleetEngineDeliveryAPI", ["FleetEngineAPI", "WireProtobuf", "WireGRPC"]),
  library(
    "Tripwire",
    [
      "FleetEngineAPI", "FleetEngineDeliveryAPI", "WireGRPCClient", "WireGRPC", "WireProtobuf",
      "WireTLS", "WireIO", "WireSystem",
    ]),
  library(
    "TripwireGoogleAuth",
    [
      "CCurl", "Tripwire", "WireGRPCClient", "WireGRPC", "WireTransport", "WireTLS",
      "WireProtobuf", "WireSystem",
    ], settings: pointers),
  // Reads Fleet Engine's log entries from Cloud Logging.
  library(
    "CloudLogging",
    ["FleetEngineAPI", "Tripwire", "WireGRPCClient", "WireGRPC", "WireProtobuf"]),
  // The messages of a relay, for those who publish them and those who read them.
  library(
    "RelayAPI",
    [
      "FleetEngineAPI", "FleetEngineDeliveryAPI", "Tripwire", "WireGRPC", "WireProtobuf",
      "WireSystem",
    ]),
  // The relay itself: workers and readers, on NATS.
  library(
    "TripRelay",
    [
      "CNats", "RelayAPI", "FleetEngineAPI", "Tripwire", "WireGRPC", "WireProtobuf", "WireIO",
      "WireSystem",
    ], settings: pointers),
  library("JourneySharing", ["Tripwire", "WireProtobuf", "WireSystem"]),
  library("HTTPServer", ["CEvent", "WireProtobuf", "WireIO", "WireSystem"], settings: pointers),
  .target(
    name: "MapPage",
    dependencies: [
      "COpenSSL", "HTTPServer", "JourneySharing", "Tripwire", "WireGRPC", "WireProtobuf",
      "WireSystem",
    ], exclude: ["Page"], swiftSettings: pointers),
  // These two import Foundation. The command must not depend on them.
  library("TripwireHTTPTokens", ["Tripwire", "WireGRPCClient", "WireGRPC", "WireSystem"]),
  library("RidesharingConsumer", ["JourneySharing", "Tripwire", "WireSystem"]),
  library(
    "Recording", ["WireGRPC", "WireProtobuf", "WireIO", "WireSystem", "CZlib"],
    settings: pointers),
  library(
    "RecordingAnalysis",
    [
      "Recording", "Tripwire", "DynamicProtobuf", "ProtobufDescriptors", "WireGRPC", "WireProtobuf",
      "WireSystem",
    ]),
  library(
    "Replay",
    [
      "WireGRPCServer", "Recording", "ProtobufDescriptors", "Tripwire", "FleetEngineAPI",
      "FleetEngineDeliveryAPI", "WireGRPC", "WireProtobuf", "WireHTTP2", "WireIO", "WireSystem",
    ]),
  library(
    "FleetEmulator",
    [
      "Tripwire", "FleetEngineAPI", "FleetEngineDeliveryAPI", "ProtobufDescriptors",
      "WireGRPCServer", "WireTransport", "WireGRPC", "WireProtobuf", "WireIO", "WireSystem",
    ]),
  // The files of the emulator's commands, in targets of their own because they need further C libraries.
  library(
    "EmulatorState", ["CSQLite", "FleetEmulator", "WireGRPC", "WireSystem"], settings: pointers),
  library(
    "RouteFiles", ["CExpat", "FleetEmulator", "FleetEngineAPI", "WireProtobuf"], settings: pointers),
  library(
    "JourneyMap",
    [
      "JourneySharing", "MapPage", "HTTPServer", "Tripwire", "WireGRPC", "WireProtobuf",
      "WireSystem",
    ]),
  // The layers of the command: options and help, then what all commands share.
  library("CommandLine", ["CGetopt", "WireProtobuf", "WireSystem"]),
  library(
    "CommandShell",
    [
      "CommandLine", "CBuildInfo", "TripwireGoogleAuth", "Tripwire", "FleetEngineAPI", "RelayAPI",
      "Recording", "Replay",
      "DynamicProtobuf", "ProtobufDescriptors", "WireGRPCClient", "WireGRPCServer", "WireGRPC",
      "WireTransport", "WireProtobuf", "WireHTTP2", "WireIO", "WireTLS", "WireSystem",
    ]),
  library(
    "CommandCalls",
    [
      "CommandShell", "CommandLine", "Tripwire", "Recording", "Replay", "DynamicProtobuf",
      "ProtobufDescriptors", "WireGRPCServer", "WireGRPCClient", "WireGRPC", "WireProtobuf",
      "WireTLS", "WireSystem",
    ]),
  library(
    "CommandResources",
    [
      "CommandShell", "CommandLine", "FleetEngineAPI", "Tripwire", "JourneySharing", "MapPage",
      "HTTPServer", "WireTransport", "WireGRPC", "WireProtobuf", "WireIO", "WireSystem",
    ]),
  // The commands, which do not import each other.
  library(
    "FleetCommands",
    [
      "CommandCalls", "CommandResources", "CommandShell", "CommandLine", "Tripwire", "RelayAPI",
      "JourneySharing", "MapPage", "HTTPServer", "DynamicProtobuf",
      "ProtobufDescriptors", "WireIO", "WireSystem",
    ]),
  library(
    "CallCommands",
    [
      "CommandCalls", "CommandShell", "CommandLine", "Tripwire", "DynamicProtobuf",
      "ProtobufDescriptors", "WireSystem",
    ]),
  library(
    "RecordingCommands",
    [
      "CommandCalls", "CommandResources", "CommandShell", "CommandLine", "CloudLogging",
      "FleetEngineAPI", "Tripwire", "Recording", "RecordingAnalysis", "Replay", "JourneySharing",
      "MapPage", "DynamicProtobuf", "WireGRPC", "WireProtobuf", "WireSystem",
    ]),
  library(
    "TokenCommands",
    [
      "CommandResources", "CommandShell", "CommandLine", "CloudLogging", "Tripwire",
      "WireTransport", "WireHTTP2", "WireIO", "WireSystem",
    ]),
  library("SettingsCommands", ["CommandShell", "CommandLine", "WireProtobuf", "WireSystem"]),
  library(
    "RelayCommands",
    [
      "CommandResources", "CommandShell", "CommandLine", "TripRelay", "HTTPServer", "Tripwire",
      "WireIO", "WireSystem",
    ]),
  library(
    "EmulatorCommands",
    [
      "CommandCalls", "CommandResources", "CommandShell", "CommandLine", "FleetEmulator",
      "EmulatorState", "RouteFiles", "MapPage", "Recording", "Tripwire", "HTTPServer",
      "HTTPTranscoding", "DynamicProtobuf",
      "ProtobufDescriptors", "WireGRPCServer", "WireGRPC", "WireProtobuf", "WireSystem",
    ]),
  // The command without its main function.
  library(
    "TripwireCLI",
    [
      "FleetCommands", "CallCommands", "RecordingCommands", "EmulatorCommands", "TokenCommands",
      "SettingsCommands", "CommandCalls", "CommandShell", "CommandLine", "WireGRPC",
    ]),
  .target(
    name: "CodeGen", dependencies: ["ProtobufDescriptors", "WireProtobuf"], path: "codegen/CodeGen",
    swiftSettings: safety),
]

let tools: [Target] = [
  // The product is `tripwire`. A target folder `tripwire` would collide with Sources/Tripwire on
  // the case-insensitive file system of macOS.
  .executableTarget(
    name: "tripwire-command", dependencies: ["TripwireCLI"], swiftSettings: safety),
  // The command `tripwire relay`, which links the NATS client.
  .executableTarget(
    name: "tripwire-relay", dependencies: ["RelayCommands"], swiftSettings: safety),
  .executableTarget(
    name: "protoc-gen-tripwire",
    dependencies: ["CodeGen", "ProtobufDescriptors", "WireProtobuf", "WireSystem"],
    path: "codegen/protoc-gen-tripwire", swiftSettings: safety),
  // Generates the code of the .proto files of a target, in other packages.
  .plugin(
    name: "ProtobufGenerator", capability: .buildTool(), dependencies: ["generate-protobuf"],
    path: "codegen/ProtobufGenerator"),
  .executableTarget(
    name: "generate-protobuf",
    dependencies: ["CodeGen", "ProtobufDescriptors", "WireProtobuf", "WireSystem"],
    path: "codegen/generate-protobuf", swiftSettings: safety),
  .executableTarget(
    name: "interop-client",
    dependencies: ["WireGRPCClient", "WireGRPC", "WireProtobuf", "WireTLS", "WireSystem"],
    path: "interop/client", swiftSettings: safety),
  .executableTarget(
    name: "map-app",
    dependencies: ["JourneyMap", "JourneySharing", "RidesharingConsumer", "Tripwire"],
    path: "interop/map-app", swiftSettings: safety),
  .executableTarget(
    name: "relay-app",
    dependencies: [
      "FleetEngineAPI", "RelayAPI", "TripRelay", "Tripwire", "WireIO", "WireProtobuf",
    ],
    path: "interop/relay-app", swiftSettings: safety),
  .executableTarget(
    name: "dynamic-testee",
    dependencies: ["DynamicProtobuf", "ProtobufDescriptors", "WireProtobuf", "WireSystem"],
    path: "interop/dynamic/Testee", swiftSettings: safety),
  .executableTarget(
    name: "codec-benchmark", dependencies: ["FleetEngineAPI", "WireProtobuf", "WireSystem"],
    path: "Tests/Benchmarks/Codec", swiftSettings: safety),
  .executableTarget(
    name: "rpc-benchmark",
    dependencies: [
      "FleetEngineAPI", "Recording", "Tripwire", "WireGRPCClient", "WireProtobuf", "WireIO",
      "WireTLS", "WireSystem",
    ],
    path: "Tests/Benchmarks/Calls", swiftSettings: safety),
  .executableTarget(
    name: "follow-benchmark",
    dependencies: ["FleetEngineAPI", "Tripwire", "WireGRPCClient", "WireTLS", "WireSystem"],
    path: "Tests/Benchmarks/Follow", swiftSettings: safety),
  .executableTarget(
    name: "ownership-benchmark", dependencies: ["TripRelay", "WireSystem"],
    path: "Tests/Benchmarks/Ownership", swiftSettings: safety),
]

// MARK: Tests

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    swiftSettings: safety)
}

let testTargets: [Target] = [
  .target(
    name: "TestSupport",
    dependencies: ["ProtobufDescriptors", "WireHTTP2", "WireIO", "WireSystem"],
    path: "Tests/TestSupport",
    swiftSettings: safety),
  tests("WireSystem", ["TestSupport"]),
  tests("WireIO", ["WireSystem", "TestSupport"]),
  tests("WireProtobuf", ["TestSupport"], exclude: ["everything.proto", "shop.proto"]),
  tests("DynamicProtobuf", ["ProtobufDescriptors", "WireProtobuf"]),
  tests(
    "HTTPTranscoding",
    ["CommandShell", "DynamicProtobuf", "ProtobufDescriptors", "WireGRPC", "WireProtobuf"]),
  tests("WireHTTP2", ["TestSupport"]),
  tests("WireTLS", ["COpenSSL", "WireIO", "WireSystem", "TestSupport"]),
  tests("WireGRPC", ["WireProtobuf", "WireHTTP2", "WireSystem", "TestSupport"]),
  tests("WireTransport", ["WireGRPC", "WireIO", "TestSupport"]),
  tests(
    "WireGRPCClient",
    [
      "WireTransport", "WireGRPC", "WireProtobuf", "WireHTTP2", "WireTLS", "WireIO", "WireSystem",
      "TestSupport",
    ]),
  tests("FleetEngineAPI", ["WireProtobuf", "TestSupport"]),
  tests(
    "Tripwire",
    [
      "FleetEngineAPI", "FleetEngineDeliveryAPI", "Recording", "Replay", "WireGRPCClient",
      "WireGRPC", "WireProtobuf", "WireTLS", "WireIO", "WireSystem", "TestSupport",
    ]),
  tests(
    "RelayAPI",
    ["FleetEngineAPI", "FleetEngineDeliveryAPI", "Tripwire", "WireGRPC", "WireProtobuf"]),
  tests(
    "TripRelay",
    ["RelayAPI", "FleetEngineAPI", "Tripwire", "WireGRPC", "WireProtobuf", "WireSystem"]),
  tests("TripwireHTTPTokens", ["Tripwire", "WireGRPC", "TestSupport"]),
  tests(
    "TripwireGoogleAuth",
    [
      "Tripwire", "WireGRPCServer", "WireGRPCClient", "WireGRPC", "WireTLS", "WireIO",
      "WireProtobuf", "WireSystem", "TestSupport",
    ]),
  tests("CloudLogging", ["FleetEngineAPI", "WireGRPC", "WireProtobuf"]),
  tests("JourneySharing", ["Tripwire", "WireProtobuf", "WireSystem", "TestSupport"]),
  tests("MapPage", ["HTTPServer", "Tripwire", "WireProtobuf", "TestSupport"]),
  tests("Recording", ["WireProtobuf", "WireGRPCClient", "WireGRPC", "WireSystem", "TestSupport"]),
  tests(
    "WireGRPCServer",
    [
      "WireGRPCClient", "WireGRPC", "WireHTTP2", "WireTLS", "WireIO", "ProtobufDescriptors",
      "WireProtobuf", "WireSystem", "TestSupport",
    ]),
  tests(
    "Replay",
    [
      "Recording", "WireGRPCServer", "ProtobufDescriptors", "WireGRPCClient", "WireGRPC",
      "WireProtobuf", "WireHTTP2", "WireIO", "WireSystem", "FleetEngineAPI", "TestSupport",
    ]),
  tests("RouteFiles", ["FleetEmulator", "FleetEngineAPI", "WireProtobuf"]),
  tests(
    "FleetEmulator",
    [
      "EmulatorState", "Tripwire", "FleetEngineAPI", "FleetEngineDeliveryAPI", "WireGRPCServer",
      "WireGRPC",
      "WireProtobuf",
      "WireSystem", "TestSupport",
    ]),
  tests(
    "RecordingAnalysis",
    ["CommandShell", "Tripwire", "DynamicProtobuf", "Recording", "WireProtobuf", "TestSupport"]),
  tests(
    "TripwireCLI",
    [
      "CommandLine", "CommandShell", "CommandCalls", "CommandResources", "FleetCommands",
      "CallCommands", "EmulatorCommands", "RecordingCommands", "TokenCommands", "RelayCommands",
      "FleetEmulator", "TripwireGoogleAuth",
      "MapPage", "Tripwire", "FleetEngineAPI", "RelayAPI", "DynamicProtobuf", "ProtobufDescriptors",
      "Recording",
      "RecordingAnalysis", "WireGRPCServer", "WireGRPCClient", "WireGRPC", "WireTransport",
      "WireTLS", "WireProtobuf", "WireSystem", "TestSupport",
    ]),
  tests("HTTPServer", ["WireSystem", "TestSupport"]),
  tests(
    "JourneyMap",
    ["JourneySharing", "RidesharingConsumer", "Tripwire", "WireSystem", "TestSupport"]),
  tests(
    "CodeGen", ["ProtobufDescriptors", "WireProtobuf", "WireGRPC"], exclude: ["awkward.proto"]),
  // In the Swift 5 language mode, which most apps that used the SDK have.
  .testTarget(
    name: "RidesharingConsumerTests",
    dependencies: [
      "RidesharingConsumer", "JourneySharing", "Tripwire", "Recording", "Replay", "WireGRPC",
      "WireSystem", "TestSupport",
    ],
    swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
  // Generated code in a target with the settings of an app.
  .testTarget(
    name: "GeneratedCodeTests", dependencies: ["WireGRPCClient", "WireGRPC", "WireProtobuf"],
    exclude: ["forest.proto"],
    swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]),
]

// Only Tests/Fuzzing/run.sh builds this target, because libFuzzer provides its main function.
let fuzzers: [Target] =
  Context.environment["FUZZING"] == nil
  ? []
  : [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "FleetEngineAPI", "DynamicProtobuf", "ProtobufDescriptors", "Recording", "Replay",
        "WireGRPCServer", "WireGRPCClient", "WireGRPC", "WireHTTP2", "WireProtobuf", "WireSystem",
      ],
      path: "Tests/Fuzzing/Sources/Fuzz", swiftSettings: [.treatAllWarnings(as: .error)])
  ]

let package = Package(
  name: "tripwire",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: products,
  targets: systemLibraries + libraries + tools + testTargets + fuzzers,
  swiftLanguageModes: [.v6])
