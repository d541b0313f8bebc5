// swift-tools-version: 6.2
import PackageDescription

// A package of its own: all it builds is instrumented, and libFuzzer brings its main.
let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tripwire", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: ["Tripwire", "WireGRPC", "WireProtobuf"].map {
        .product(name: $0, package: "tripwire")
      },
      path: "Sources/Fuzz", swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6])
