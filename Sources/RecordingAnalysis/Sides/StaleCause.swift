import Tripwire

/// Why the app got no new location.
package enum StaleCause: Equatable {
  /// The side that has to be fixed.
  package enum Side: String {
    case driver, server, client, network, unknown
  }

  /// Calls that failed in the same way.
  package struct Failures: Equatable {
    package var count: Int
    /// The first of them.
    package var first: TripEvidence.Outcome
    /// The longest time from an error to the next call, in seconds.
    package var longestWait = 0.0
  }

  /// The driver's app sent no location. `last` is the time of the last one, which may have ended with an error.
  case nothingSent(missing: Int, usual: Double, last: Double?, error: TripEvidence.Outcome? = nil)
  /// The server refused the updates of the driver's app.
  case updatesFailed(Failures)
  /// The server kept the location before those that the driver's app sent.
  case updatesDiscarded(count: Int, DiscardReason)
  /// The driver's app sent a location again that the server had.
  case updatesRepeated(count: Int)
  /// The device of the driver's app measured the locations that it sent before one that the server had, by this many
  /// seconds at most: its clock was set back.
  case oldDeviceTime(count: Int, seconds: Double)
  /// The driver's app sent calls without a location.
  case noLocationSent(count: Int)
  /// The client sent no request for this long; `after` is the error before.
  case notAsked(longest: Double, after: TripEvidence.Outcome? = nil)
  /// The client had no token that the server accepts.
  case tokenRefused(Failures)
  /// The calls of the client failed.
  case pollsFailed(Failures)
  /// The server took long to answer. `longest` is in seconds.
  case slow(longest: Double)
  /// A call took long, and no log says where. `longest` is in seconds.
  case slowCall(longest: Double)
  /// The server answered in time, but the client had the answer much later.
  case lateAnswer(longest: Double)
  /// The server repeated a location although it had a newer one.
  case oldAnswers(count: Int)
  /// The server had no newer location, and its log with the updates is missing.
  case noUpdatesKnown(answers: Int)
  case unexplained

  package var side: Side {
    switch self {
    case .updatesDiscarded(_, .unknown): .unknown
    case .nothingSent, .updatesDiscarded, .updatesRepeated, .oldDeviceTime, .noLocationSent: .driver
    case .updatesFailed(let failures): failures.first.isOfServer ? .server : .driver
    case .notAsked, .tokenRefused: .client
    case .pollsFailed(let failures):
      failures.first.isUnanswered ? .network : failures.first.isOfServer ? .server : .client
    case .slow, .oldAnswers: .server
    case .lateAnswer: .network
    case .slowCall, .noUpdatesKnown, .unexplained: .unknown
    }
  }

  /// The cause without its evidence.
  private enum Kind: String, CaseIterable {
    case nothingSent = "nothing-sent"
    case updatesFailed = "updates-failed"
    case updatesDiscarded = "updates-discarded"
    case updatesRepeated = "updates-repeated"
    case oldDeviceTime = "old-device-time"
    case noLocationSent = "no-location-sent"
    case notAsked = "not-asked"
    case tokenRefused = "token-refused"
    case pollsFailed = "polls-failed"
    case slow = "slow-answer"
    case slowCall = "slow-call"
    case lateAnswer = "late-answer"
    case oldAnswers = "old-answers"
    case noUpdatesKnown = "no-updates-known"
    case unexplained
  }

  /// "nothing-sent".
  package var name: String { kind.rawValue }

  /// All values of ``name``.
  package static let names = Kind.allCases.map(\.rawValue)

  private var kind: Kind {
    switch self {
    case .nothingSent: .nothingSent
    case .updatesFailed: .updatesFailed
    case .updatesDiscarded: .updatesDiscarded
    case .updatesRepeated: .updatesRepeated
    case .oldDeviceTime: .oldDeviceTime
    case .noLocationSent: .noLocationSent
    case .notAsked: .notAsked
    case .tokenRefused: .tokenRefused
    case .pollsFailed: .pollsFailed
    case .slow: .slow
    case .slowCall: .slowCall
    case .lateAnswer: .lateAnswer
    case .oldAnswers: .oldAnswers
    case .noUpdatesKnown: .noUpdatesKnown
    case .unexplained: .unexplained
    }
  }

  /// The cause of two spans that follow each other; nil if they have different ones.
  func merged(with next: StaleCause) -> StaleCause? {
    switch (self, next) {
    case (
      .nothingSent(let one, let usual, let last, let error), .nothingSent(let other, _, _, _)
    ):
      .nothingSent(
        missing: one.addingReportingOverflow(other).overflow ? .max : one + other, usual: usual,
        last: last, error: error)
    case (.updatesFailed(let one), .updatesFailed(let other))
    where one.first.code == other.first.code:
      .updatesFailed(one + other)
    case (.updatesDiscarded(let one, let reason), .updatesDiscarded(let other, let second)):
      .updatesDiscarded(count: one + other, reason == .unknown ? second : reason)
    case (.updatesRepeated(let one), .updatesRepeated(let other)):
      .updatesRepeated(count: one + other)
    case (.oldDeviceTime(let one, let seconds), .oldDeviceTime(let other, let others)):
      .oldDeviceTime(count: one + other, seconds: max(seconds, others))
    case (.noLocationSent(let one), .noLocationSent(let other)):
      .noLocationSent(count: one + other)
    case (.notAsked(let one, _), .notAsked(let other, _)): one < other ? next : self
    case (.slow(let one), .slow(let other)): .slow(longest: max(one, other))
    case (.slowCall(let one), .slowCall(let other)): .slowCall(longest: max(one, other))
    case (.lateAnswer(let one), .lateAnswer(let other)): .lateAnswer(longest: max(one, other))
    case (.noUpdatesKnown(let one), .noUpdatesKnown(let other)):
      .noUpdatesKnown(answers: one + other)
    case (.oldAnswers(let one), .oldAnswers(let other)): .oldAnswers(count: one + other)
    case (.tokenRefused(let one), .tokenRefused(let other)): .tokenRefused(one + other)
    case (.pollsFailed(let one), .pollsFailed(let other))
    where side == next.side:
      .pollsFailed(one + other)
    default: self == next ? self : nil
    }
  }
}

extension StaleCause.Failures {
  fileprivate static func + (one: Self, other: Self) -> Self {
    Self(
      count: one.count + other.count, first: one.first,
      longestWait: max(one.longestWait, other.longestWait))
  }
}

extension TripEvidence.Outcome {
  /// Whether the server failed. Otherwise the request has to change, or be sent less often.
  var isOfServer: Bool {
    switch code?.named {
    case .unknown, .deadlineExceeded, .internal, .unavailable, .dataLoss, nil: true
    default: false
    }
  }

  /// Whether the server refused the token, or there was none.
  var isOfToken: Bool {
    switch code?.named {
    case .unauthenticated, .permissionDenied: true
    default: false
    }
  }
}
