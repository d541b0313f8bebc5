import Tripwire

/// The calls that ended without an answer to the client although the server answered them, according to its log.
struct SlowAnswers {
  /// The largest error of the time of an answer, in seconds.
  private static let clockError = 1.0

  /// How long the server took, in seconds, by the start of the call.
  private var seconds: [Double: Double] = [:]

  /// - Parameters:
  ///   - interval: a call that ended otherwise than by its deadline was longer than this, in seconds.
  ///   - othersAsk: whether other clients ask, too. Then the log does not tell whose answer one is.
  init(_ evidence: TripEvidence, interval: Double, othersAsk: Bool) {
    let timeouts = evidence.polls.filter { poll in
      poll.outcome.isUnanswered
        && (poll.outcome.code?.named == .deadlineExceeded || poll.end - poll.start > interval)
    }
    guard !othersAsk, let first = evidence.polls.first, !timeouts.isEmpty else { return }
    // The other calls of the client have their own answers.
    var answered = evidence.polls.filter { !$0.outcome.isUnanswered }[...]
    var rest = evidence.answers.filter { answer in
      guard answer.end >= first.start - Self.clockError else { return false }
      while let poll = answered.first, poll.end + Self.clockError < answer.end {
        answered.removeFirst()
      }
      guard let poll = answered.first, poll.start - Self.clockError <= answer.end else {
        return true
      }
      answered.removeFirst()
      return false
    }
    for poll in timeouts.reversed() {
      guard let answer = rest.last, answer.end >= poll.start else { continue }
      rest.removeLast()
      let begin = answer.start < answer.end ? max(answer.start, poll.start) : poll.start
      // In less time, the network took the most.
      guard answer.end - begin > (poll.end - poll.start) / 2 else { continue }
      seconds[poll.start] = answer.end - begin
    }
  }

  /// How long the server took to answer such a call, in seconds; nil if it was not slow.
  subscript(poll: TripEvidence.Poll) -> Double? { seconds[poll.start] }
}
