// swift-tools-version: 6.2
import PackageDescription

// Google's common protos in Swift, and a program that reads and writes their messages.
// test_round_trip.py copies this folder to .build/googleapis/package and generates the code there, because
// the comments of Google's files are not ours.

let package = Package(
  name: "googleapis",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tripwire", path: "../../..")],
  targets: [
    .executableTarget(
      name: "RoundTrip",
      dependencies: [
        .product(name: "WireProtobuf", package: "tripwire"),
        .product(name: "WireGRPC", package: "tripwire"),
      ],
      path: "RoundTrip",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ])
  ],
  swiftLanguageModes: [.v6])
