import Tripwire

extension ErrorReport {
  /// For people, the line that helps most last:
  ///
  ///     error: RESOURCE_EXHAUSTED: Quota exceeded for quota metric 'GetTrip requests'.
  ///       retry after 2.5 s
  ///       in maps.fleetengine.v1.TripService/GetTrip at 10.0.0.1:443, attempt 1
  ///     client error: only you can mend it
  ///     hint: wait, or ask for more quota
  var text: String {
    var lines = [
      "error: "
        + [code?.description, message.isEmpty ? nil : escaped(message)]
        .compactMap { $0 }.joined(separator: ": ")
    ]
    lines += excerpt.map { "  " + $0 }
    lines += details.flatMap(\.lines).map { "  " + escaped($0) }
    if let place { lines.append("  " + escaped(place)) }
    lines += earlierAttempts.enumerated().map { "  " + Self.line($0 + 1, $1) }
    switch kind {
    case .serverOrNetwork where isSetup: lines.append("server/network error: but not a passing one")
    case .serverOrNetwork where mayLast:
      lines.append("server/network error: trying again may not help\(tries)")
    case .serverOrNetwork: lines.append("server/network error: it may pass by itself\(tries)")
    case .client: lines.append("client error: only you can mend it\(tries)")
    case .local, .usage: break
    }
    if let hint { lines.append("hint: \(hint)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether the code says that something is broken, rather than busy or away.
  private var mayLast: Bool {
    [.internal, .unknown, .dataLoss].contains(code?.named)
  }

  /// Which call, of what, which address, which attempt.
  private var place: String? {
    method.map { method in
      // That there is no connection says already to whom.
      let peer = attempts == 0 ? peer.flatMap { message.mentions($0) ? nil : $0 } : peer
      return "in \(method)" + (subject.map { " of \($0)" } ?? "") + (peer.map { " at \($0)" } ?? "")
        + (attempts > 0 ? ", attempt \(attempts)" : ", never sent")
    }
  }

  /// "attempt 1 at 10.0.0.1:443: UNAVAILABLE: the connection was lost".
  private static func line(_ number: Int, _ attempt: FailedAttempt) -> String {
    "attempt \(number)" + (attempt.peer.map { " at \($0)" } ?? "") + ": " + escaped("\(attempt)")
  }

  private var tries: String {
    // Attempts to connect are none of the call.
    let count = attempts > 0 || earlierAttempts.isEmpty ? attempts : earlierAttempts.count + 1
    return count > 1 ? " (tried \(count) times)" : ""
  }
}
