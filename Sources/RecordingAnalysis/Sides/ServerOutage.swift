import Tripwire
import WireSystem

/// A time in which the client got no answer, and the server's log has none. The driver's app could not reach the server
/// either.
struct ServerOutage {
  /// The largest error of the times of both sides, in seconds.
  private static let clockError = 1.0

  /// When the first of its calls began, in seconds since 1970.
  let start: Double
  /// When the next call began that the server answered, in seconds since 1970; the end of the silence without one.
  let end: Double
  /// The longest time from one of its calls to the next, in seconds.
  let longestWait: Double

  /// Returns the outage that explains a silence of the driver's app; nil if there is none.
  ///
  /// - Parameters:
  ///   - polls: the calls of the client, in the order of their starts.
  ///   - answers: those that the server logged, in the order of their ends.
  ///   - delay: how long after the beginning of the silence the client may notice the outage, in seconds.
  init?(
    in polls: [TripEvidence.Poll], _ answers: [TripEvidence.Poll],
    during silence: Range<Double>, noticedWithin delay: Double
  ) {
    let calls = polls.part(from: silence.lowerBound, to: silence.upperBound) { $0.start }
    guard let begin = calls.firstIndex(where: \.hasFailedOnServer),
      calls[begin].start <= silence.lowerBound + delay
    else { return nil }
    let failed = calls[begin...].prefix(while: \.hasFailedOnServer)
    guard let first = failed.first, let last = failed.last else { return nil }
    let logged = answers[answers.partitioningIndex { $0.end > first.start + Self.clockError }...]
      .prefix { $0.end < last.end - Self.clockError }
    guard !logged.contains(where: { $0.outcome.code?.named == .ok }) else { return nil }
    start = first.start
    end = failed.endIndex < calls.endIndex ? calls[failed.endIndex].start : silence.upperBound
    longestWait = zip(failed, calls[begin...].dropFirst()).reduce(0) {
      max($0, $1.1.start - $1.0.end)
    }
  }
}

extension TripEvidence.Poll {
  /// Whether the server failed, or the client got no answer.
  fileprivate var hasFailedOnServer: Bool {
    outcome.isFailure && !outcome.isOfToken && (outcome.isUnanswered || outcome.isOfServer)
  }
}
