import CommandLine
import Tripwire

extension ErrorReport {
  /// The report for people. The most helpful line is the last:
  ///
  ///     error: RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'GetTrip requests'.
  ///       retry after 2.5 s
  ///       in maps.fleetengine.v1.TripService/GetTrip at 10.0.0.1:443, attempt 1
  ///     client error: retrying at once will not help
  ///     hint: wait, or request more quota
  var text: String {
    var lines = ["error: " + escaped(headline)]
    lines += excerpt.map { "  " + $0 }
    lines += origin.lines.map { "  " + escaped($0) }
    lines += details.flatMap { $0.lines(detailTypes) }.map { "  " + escaped($0) }
    if let place { lines.append("  " + escaped(place)) }
    lines += attemptLines.map { "  " + $0 }
    switch kind {
    case .serverOrNetwork where isSetup:
      lines.append("server/network error: retrying will not help")
    case .serverOrNetwork where mayLast:
      lines.append("server/network error: retrying is unlikely to help\(tries)")
    case .serverOrNetwork: lines.append("server/network error: retrying may help\(tries)")
    case .client where mayHelpLater:
      lines.append("client error: retrying at once will not help\(tries)")
    case .client: lines.append("client error: retrying will not help\(tries)")
    case .local, .usage: break
    }
    if let hint { lines.append("hint: \(hint)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The code, if there is one, and the message: "NOT_FOUND: no such trip".
  package var headline: String {
    [code?.named.description, message.isEmpty ? nil : message].compactMap { $0 }
      .joined(separator: ": ")
  }

  /// Whether a retry, even a late one, fails in the same way until the user changes something.
  package var isLasting: Bool { kind == .client && !mayHelpLater }

  /// Whether the code means a defect, and not a server that is busy or unavailable. UNIMPLEMENTED does if the
  /// server caused it.
  private var mayLast: Bool {
    [.internal, .unknown, .dataLoss, .unimplemented].contains(code?.named)
  }

  /// The method, the resource, the address and the number of the attempt. Without a call, the number of the request.
  private var place: String? {
    guard let method else { return request.map { "in request \($0)" } }
    // The message about a failed connection may have the address already.
    let peer = attempts == 0 ? peer.flatMap { message.mentions($0) ? nil : $0 } : peer
    let subject = subject ?? request.map { "request \($0)" }
    return "in \(method)" + (subject.map { " of \($0)" } ?? "") + (peer.map { " at \($0)" } ?? "")
      + (attempts > 0 ? ", attempt \(attempts)" : ", never sent")
  }

  /// The earlier attempts. Consecutive equal ones share a line:
  ///
  ///     all 6 attempts: the server refused the stream
  ///     attempts 1 to 3 at 10.0.0.1:443: UNAVAILABLE: the connection was lost
  private var attemptLines: [String] {
    let isSame = earlierAttempts.allSatisfy {
      $0.code == code && $0.message == message && ($0.peer == nil || $0.peer == peer)
    }
    if isSame, !earlierAttempts.isEmpty {
      let reason = message.isEmpty ? code.map { "\($0)" } ?? "" : escaped(message)
      return [(tryCount == 2 ? "both" : "all \(tryCount)") + " attempts: \(reason)"]
    }
    var runs: [(attempt: FailedAttempt, numbers: ClosedRange<Int>)] = []
    for (index, attempt) in earlierAttempts.enumerated() {
      if let run = runs.last, run.attempt.isSame(as: attempt) {
        runs[runs.count - 1].numbers = run.numbers.lowerBound...index + 1
      } else {
        runs.append((attempt, index + 1...index + 1))
      }
    }
    return runs.map { attempt, numbers in
      let (first, last) = (numbers.lowerBound, numbers.upperBound)
      return (first == last ? "attempt \(first)" : "attempts \(first) to \(last)")
        + (attempt.peer.map { " at \($0)" } ?? "") + ": " + escaped("\(attempt)")
    }
  }

  private var tries: String { tryCount > 1 ? " (tried \(tryCount) times)" : "" }

  /// The number of attempts of the call, or of attempts to connect if it was never sent.
  private var tryCount: Int {
    attempts > 0 || earlierAttempts.isEmpty ? attempts : earlierAttempts.count + 1
  }
}

extension FailedAttempt {
  /// Whether both failed in the same way; the delays after them may differ.
  fileprivate func isSame(as other: FailedAttempt) -> Bool {
    code == other.code && message == other.message && peer == other.peer
  }
}
