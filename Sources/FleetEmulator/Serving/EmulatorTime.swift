package import WireProtobuf
import WireSystem

/// The time of an emulator.
package enum EmulatorTime: Sendable {
  /// That of a clock.
  case following(@Sendable () -> Timestamp)
  /// It stands still until it is advanced.
  case standing(Timestamp)

  package static let system = EmulatorTime.following { .now }

  var now: Timestamp {
    switch self {
    case .following(let clock): clock()
    case .standing(let time): time
    }
  }

  /// Returns whether it has been advanced, because it does not follow a clock.
  mutating func advance(by duration: Duration) -> Bool {
    guard case .standing(let time) = self else { return false }
    self = .standing(time + duration)
    return true
  }
}

extension Timestamp {
  /// The time of the system.
  package static var now: Timestamp { Timestamp(secondsSince1970: WallTime.now) ?? Timestamp() }
}
