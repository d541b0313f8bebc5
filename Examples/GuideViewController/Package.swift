// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "GuideViewController",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "tripwire", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "GuideViewController",
      dependencies: [
        // Only to show the map in a browser.
        .product(name: "JourneyMap", package: "tripwire"),
        .product(name: "JourneySharing", package: "tripwire"),
        .product(name: "RidesharingConsumer", package: "tripwire"),
        .product(name: "Tripwire", package: "tripwire"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)])
  ])
