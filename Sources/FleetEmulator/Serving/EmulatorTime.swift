import WireGRPC
package import WireProtobuf
import WireSystem

/// The time of an emulator.
package enum EmulatorTime: Sendable {
  /// That of a clock.
  case following(@Sendable () -> Timestamp)
  /// It stands still until it is advanced.
  case standing(Timestamp)

  /// The longest step in which a program advances it, and the longest wait of a vehicle.
  static let longestStep = Duration.seconds(86_400)

  /// 9999-01-01T00:00:00Z. Timestamps end a year later, and vehicles need later ones for what they do next.
  package static let latest = Timestamp(seconds: 253_370_764_800)

  package static let system = EmulatorTime.following { .now }

  var now: Timestamp {
    switch self {
    case .following(let clock): clock()
    case .standing(let time): time
    }
  }

  /// Advances the time.
  ///
  /// - Throws: FAILED_PRECONDITION if it follows a clock, INVALID_ARGUMENT if it would pass ``latest``.
  mutating func advance(by duration: Duration) throws(EngineError) {
    guard case .standing(let time) = self else {
      throw EngineError(
        .failedPrecondition,
        "the time of the emulator is that of the system: start it with --virtual-time")
    }
    let next = time + duration
    guard next <= Self.latest else { throw .invalid("duration", "leads beyond the year 9998") }
    self = .standing(next)
  }
}

extension Timestamp {
  /// The time of the system.
  package static var now: Timestamp { Timestamp(secondsSince1970: WallTime.now) ?? Timestamp() }
}
