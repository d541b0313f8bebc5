package import WireHTTP2

/// What a refused stream says of its connection (RFC 9113 §8.7), and how long that opens no further
/// one. Knows no clock.
///
/// A server may count a stream that it has ended a little longer than its client: gRPC's C core does
/// so until the end is written and the application has let go of the call. Whoever takes the place
/// at once is refused, though it keeps to SETTINGS_MAX_CONCURRENT_STREAMS. That is no verdict on the
/// call, so it is not what gRFC A6 has sent again only once: the connection pauses, the longer the
/// more often nothing but refusals came, and the call waits with the others.
package struct RefusedStreams {
  package enum Meaning: Equatable {
    /// The server does not want the call.
    case verdict
    /// It has no room yet: open no stream for so long, where that is not known already.
    case noRoom(pause: Duration?)
  }

  package static let shortestPause = Duration.milliseconds(10)
  package static let longestPause = Duration.seconds(1)

  /// How many were refused.
  private var count = 0
  /// How often it paused since a stream was answered that was opened after a pause.
  private var pauses = 0
  /// The last stream that was opened before the last pause.
  private var lastBeforePause: StreamID = 0

  package init() {}

  /// - Parameters:
  ///   - earlier: how many streams were opened before it.
  ///   - limit: how many the server lets be open.
  ///   - lastOpened: the last stream that was opened.
  ///   - lastAnswered: a stream that was answered lately.
  package mutating func refused(
    _ stream: StreamID, earlier: Int, limit: Int, lastOpened: StreamID, lastAnswered: StreamID
  ) -> Meaning {
    let taken = earlier - count
    count += 1
    // Those that it took cannot fill it, however long it counts them.
    guard taken >= limit else { return .verdict }
    guard stream > lastBeforePause else { return .noRoom(pause: nil) }
    if lastAnswered > lastBeforePause { pauses = 0 }
    lastBeforePause = lastOpened
    var pause = Self.shortestPause
    for _ in 0..<pauses where pause < Self.longestPause { pause *= 2 }
    pauses += 1
    return .noRoom(pause: min(pause, Self.longestPause))
  }
}
