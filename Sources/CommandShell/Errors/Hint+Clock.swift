import Tripwire

extension Hint {
  /// How far the clock of a signer may be ahead of the server's, in seconds.
  private static let largestSkew: UInt64 = 60

  /// The hint for a JWT that is not valid yet, or no longer, by the clock of the server. Nil if it is valid, or
  /// if the server sent no date.
  func text(forClockIn error: CallError) -> String? {
    // A response without a message has no headers: its date is in the trailers.
    guard let header = error.headers["date"] ?? error.trailers["date"],
      let date = HTTPDate.seconds(header), let claims = sentToken()?.claims
    else { return nil }
    /// The whole seconds from one time to a later one.
    func seconds(from start: Double, to end: Double) -> UInt64? {
      UInt64(exactly: (end - start).rounded(.down))
    }
    let setClock = Self.setClock(
      of: hasTimesOfThisMachine ? "this machine" : "the machine that signs the tokens")
    if let start = claims.number("nbf") ?? claims.number("iat"),
      let wait = seconds(from: Double(date), to: start), wait > Self.largestSkew
    {
      let time = Units.duration(seconds: wait)
      return "\(setClock): by the clock of the server, this token is not valid for another \(time)"
    }
    if let end = claims.number("exp"), let age = seconds(from: end, to: Double(date)) {
      return (hasTimesOfThisMachine ? setClock : "get a new token")
        + ": by the clock of the server, this one expired \(Units.duration(seconds: age)) ago"
    }
    return nil
  }

  package static func setClock(of machine: String) -> String {
    "set the clock of \(machine), for example with NTP"
  }
}
