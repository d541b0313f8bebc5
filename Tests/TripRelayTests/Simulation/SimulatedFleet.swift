/// Trips whose versions grow until the last one.
final class SimulatedFleet {
  private struct Trip {
    var version = 1
    var isFinal = false
    var lastPoll: ContinuousClock.Instant
    var longestGap = Duration.zero
  }

  private let time: VirtualTime
  private var trips: [String: Trip]
  private(set) var calls = 0
  /// The probability that a call fails.
  var failures = 0.01
  /// The milliseconds of each half of a call.
  var latency = 1...30

  init(_ time: VirtualTime, _ keys: [String]) {
    self.time = time
    trips = Dictionary(uniqueKeysWithValues: keys.map { ($0, Trip(lastPoll: time.now)) })
    for key in keys { move(key) }
  }

  private func move(_ key: String) {
    time.after(time.milliseconds(50...3_000)) { [self] in
      guard trips[key]?.isFinal == false else { return }
      trips[key]?.version += 1
      move(key)
    }
  }

  /// Ends a trip with a last version.
  func end(_ key: String) {
    guard trips[key]?.isFinal == false else { return }
    trips[key]?.version += 1
    trips[key]?.isFinal = true
  }

  func version(of key: String) -> Int { trips[key]?.version ?? 0 }
  func isFinal(_ key: String) -> Bool { trips[key]?.isFinal ?? true }
  var longestGap: Duration { trips.values.map(\.longestGap).max() ?? .zero }

  /// Forgets the gaps up to now.
  func resetGaps() {
    calls = 0
    for key in trips.keys {
      trips[key]?.lastPoll = time.now
      trips[key]?.longestGap = .zero
    }
  }

  /// Polls a trip. The server reads the version at some time during the call.
  func poll(_ key: String, completion: @escaping ((version: Int, isFinal: Bool)?) -> Void) {
    calls += 1
    if let trip = trips[key], !trip.isFinal {
      trips[key]?.longestGap = max(trip.longestGap, time.now - trip.lastPoll)
    }
    trips[key]?.lastPoll = time.now
    time.after(time.milliseconds(latency)) { [self] in
      let result = time.chance(failures) ? nil : (version(of: key), isFinal(key))
      time.after(time.milliseconds(latency)) { completion(result) }
    }
  }
}
