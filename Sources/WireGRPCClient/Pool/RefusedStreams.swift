import WireHTTP2

/// Interprets refused streams (RFC 9113 §8.7), and sets how long the connection then opens no
/// stream. Knows no clock.
///
/// A server may count an ended stream a little longer than its client does. gRPC's C core counts it
/// until the end is written and the application has released the call. A stream that the client
/// opens at once is then refused, although the client observes SETTINGS_MAX_CONCURRENT_STREAMS.
/// Such a refusal says nothing about the call, so the rule of gRFC A6 that a call is resent only
/// once does not apply. Instead the connection pauses, and the call waits with the others. Pauses
/// grow with the number of consecutive refusals.
struct RefusedStreams {
  enum Cause: Equatable {
    case callRejected
    /// No stream is free yet. Open none for this time; nil if the connection already pauses.
    case streamLimit(pause: Duration?)
  }

  static let shortestPause = Duration.milliseconds(10)
  static let longestPause = Duration.seconds(1)

  /// The number of refused streams.
  private var count = 0
  /// The number of pauses since the server last answered a stream opened after a pause.
  private var pauses = 0
  /// The last stream opened before the last pause.
  private var lastBeforePause: StreamID = 0

  /// Interprets the refusal of a stream.
  ///
  /// - Parameters:
  ///   - earlier: the number of streams opened before this one.
  ///   - limit: the server's limit of open streams.
  ///   - lastAnswered: a recently answered stream.
  mutating func refused(
    _ stream: StreamID, earlier: Int, limit: Int, lastOpened: StreamID, lastAnswered: StreamID
  ) -> Cause {
    let taken = earlier - count
    count += 1
    // The streams that the server accepted cannot reach its limit, however long it counts them.
    guard taken >= limit else { return .callRejected }
    guard stream > lastBeforePause else { return .streamLimit(pause: nil) }
    if lastAnswered > lastBeforePause { pauses = 0 }
    lastBeforePause = lastOpened
    var pause = Self.shortestPause
    for _ in 0..<pauses where pause < Self.longestPause { pause *= 2 }
    pauses += 1
    return .streamLimit(pause: min(pause, Self.longestPause))
  }
}
