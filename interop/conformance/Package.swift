// swift-tools-version: 6.2
import PackageDescription

// The testee of protobuf's conformance suite. run.sh copies this folder to
// .build/conformance/VERSION/testee and generates the suite's messages there, because they are not ours.

let package = Package(
  name: "testee",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "tripwire", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "Testee", dependencies: [.product(name: "WireProtobuf", package: "tripwire")],
      path: "Testee",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ])
  ],
  swiftLanguageModes: [.v6])
