// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FollowATrip",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "tripwire", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "FollowATrip",
      dependencies: [
        .product(name: "Tripwire", package: "tripwire")
      ])
  ])
