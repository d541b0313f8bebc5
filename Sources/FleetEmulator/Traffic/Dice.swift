import FleetEngineAPI
import WireSystem

/// Random choices that are the same for the same seed.
struct Dice: Sendable {
  /// The center of the demo's city, and the distance of places from it in degrees.
  private static let center = LatLng(latitude: 37.7749, longitude: -122.4194)
  private static let radius = 0.015

  private var state: UInt64

  init(seed: String) { state = fnv1a(seed.utf8) }

  var isHeads: Bool { mutating get { next() & 1 == 0 } }

  /// A place in the city of the demo.
  var place: LatLng {
    mutating get {
      LatLng(
        latitude: LatLng.rounded(Self.center.latitude + Self.radius * fraction),
        longitude: LatLng.rounded(Self.center.longitude + Self.radius * fraction))
    }
  }

  /// A number between -1 and 1 with five decimals.
  var fraction: Double {
    mutating get { Double(Int64(next() % 200_001) - 100_000) / 100_000 }
  }

  /// SplitMix64.
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
