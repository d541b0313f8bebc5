// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CallAnyService",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "tripwire", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "CallAnyService",
      dependencies: [
        .product(name: "WireGRPC", package: "tripwire")
      ],
      plugins: [
        // Generates the code of notes.proto.
        .plugin(name: "ProtobufGenerator", package: "tripwire")
      ])
  ])
