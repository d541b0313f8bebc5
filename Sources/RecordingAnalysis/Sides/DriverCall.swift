import Tripwire

/// A call of the driver's app that brought no new location. Times are in seconds since 1970.
struct DriverCall {
  /// The deadline of a call in Google's clients, in seconds.
  private static let usualDeadline = 15.0

  private(set) var start: Double
  let end: Double
  private var outcome = TripEvidence.Outcome()
  /// Nil for a call without a location.
  private var sent: SentLocation?
  /// How long before the location of the app it was measured, in seconds; 0 if it was not.
  private var age = 0.0

  private init(_ sent: SentLocation, after location: LocationReport) {
    (start, end, outcome) = (sent.update.time, sent.update.end, sent.update.outcome)
    self.sent = sent
    age = sent.location.seconds(before: location)
  }

  private init(withoutLocationAt time: Double) {
    (start, end) = (time, time)
  }

  /// Returns the calls in the order of their starts.
  ///
  /// - Parameters:
  ///   - missed: those with a location.
  ///   - empty: the times of those without one.
  ///   - location: the one that the app shows.
  ///   - start: when the server had it.
  static func all(
    _ missed: [SentLocation], _ empty: ArraySlice<Double>, after location: LocationReport,
    since start: Double
  ) -> [DriverCall] {
    var calls =
      (missed.map { DriverCall($0, after: location) }
      + empty.map { DriverCall(withoutLocationAt: $0) }).sorted { $0.start < $1.start }
    // Such a call took as long as its deadline, but Google's logs have its end only. Two of them in a row are not
    // closer than that.
    let ends = calls.filter(\.isTimeout).map(\.end)
    let deadline = zip(ends.dropFirst(), ends).map { $0 - $1 }.min() ?? usualDeadline
    for index in calls.indices where calls[index].isTimeout {
      let last = index > 0 ? calls[index - 1].end : start
      calls[index].start = max(last, calls[index].end - deadline)
    }
    return calls
  }

  /// Nil for a call that succeeded.
  var failure: TripEvidence.Outcome? { outcome.isFailure ? outcome : nil }

  /// Whether it has one time, and ended with its deadline.
  private var isTimeout: Bool { start == end && outcome.code?.named == .deadlineExceeded }

  /// - Parameter wait: the time to the next call, if it is longer than usual, in seconds.
  func cause(wait: Double) -> StaleCause {
    switch sent?.result {
    case nil: .noLocationSent(count: 1)
    case .failed: .updatesFailed(.init(count: 1, first: outcome, longestWait: wait))
    case .discarded(let reason): .updatesDiscarded(count: 1, reason)
    case .accepted, .changed, .unknown:
      age > 0 ? .oldDeviceTime(count: 1, seconds: age) : .updatesRepeated(count: 1)
    }
  }
}
