import CommandLine
package import Tripwire

extension ErrorReport {
  /// The report for people. The most helpful line is the last:
  ///
  ///     error: RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'GetTrip requests'.
  ///       retry after 2.5 s
  ///       in maps.fleetengine.v1.TripService/GetTrip at 10.0.0.1:443, attempt 1
  ///     client error: retrying at once will not help
  ///     hint: wait, or request more quota
  func text(_ palette: Palette) -> String {
    var lines = [palette.painted("error:", .error) + " " + escaped(headline)]
    lines += excerpt.map { "  " + $0 }
    lines += origin.lines(besides: message).map { "  " + escaped($0) }
    lines += (call?.details ?? []).flatMap { $0.lines(detailTypes) }.map { "  " + escaped($0) }
    if let place { lines.append("  " + escaped(place)) }
    lines += attemptLines.map { "  " + $0 }
    if let outlook { lines.append("\(kind.rawValue) error: retrying \(outlook)") }
    if let hint { lines.append(palette.painted("hint:", .hint) + " " + escaped(hint)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The code, if there is one, and the message: "NOT_FOUND: no such trip".
  package var headline: String {
    [code?.named.description, message.isEmpty ? nil : message].compactMap { $0 }
      .joined(separator: ": ")
  }

  /// The status of the call; nil if no call was started for a reason on this machine.
  package var code: StatusCode? { call.flatMap { $0.isOfThisMachine ? nil : $0.code } }

  /// The method of the failed call, "maps.fleetengine.v1.TripService/GetTrip"; nil without a call.
  package var method: String? {
    call?.path.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
  }

  /// The address of the last attempt, or of the failed connection.
  var peer: String? { call?.peer ?? call?.connectionFailure?.peer }

  /// Whether a retry, even a late one, fails in the same way until the user changes something.
  package var isLasting: Bool { kind == .client && call?.mayHelpLater != true }

  /// Whether a retry helps; nil if nothing was sent for a reason on this machine.
  private var outlook: String? {
    switch kind {
    case .serverOrNetwork where call?.connectionFailure?.reason.fault == .setup: "will not help"
    case .serverOrNetwork where mayLast: "is unlikely to help\(tries)"
    case .serverOrNetwork: "may help\(tries)"
    case .client where isLasting: "will not help\(tries)"
    case .client: "at once will not help\(tries)"
    case .local, .usage: nil
    }
  }

  /// Whether the code means a defect, and not a server that is busy or unavailable. UNIMPLEMENTED does if the
  /// server caused it.
  private var mayLast: Bool {
    [.internal, .unknown, .dataLoss, .unimplemented].contains(code?.named)
  }

  /// The method, the resource, the address and the number of the attempt. Without a call, the number of the request.
  private var place: String? {
    guard let method else { return request.map { "in request \($0)" } }
    // The message about a failed connection may have the address already.
    let attempts = call?.attempts ?? 0
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
    let earlierAttempts = call?.earlierAttempts ?? []
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
    guard let call else { return 0 }
    return call.attempts > 0 || call.earlierAttempts.isEmpty
      ? call.attempts : call.earlierAttempts.count + 1
  }
}

extension FailedAttempt {
  /// Whether both failed in the same way; the delays after them may differ.
  fileprivate func isSame(as other: FailedAttempt) -> Bool {
    code == other.code && message == other.message && peer == other.peer
  }
}
