/// The streams that a client has opened. Their IDs ascend: a stream that it skipped cannot be used any more
/// (RFC 9113 §5.1.1).
struct OpenedStreams {
  /// The most gaps that are remembered. A client leaves none, because it uses its IDs in order.
  private static let mostGaps = 64

  private var last: StreamID = -1
  /// The skipped IDs, oldest first.
  private var gaps: [ClosedRange<StreamID>] = []

  /// Notes that HEADERS have arrived on a stream.
  mutating func insert(_ stream: StreamID) {
    guard stream > last else { return }
    if stream - 2 > last {
      gaps.append(last + 2...stream - 2)
      if gaps.count > Self.mostGaps { gaps.removeFirst() }
    }
    last = stream
  }

  /// Whether the client has opened a later stream, but not this one.
  func hasSkipped(_ stream: StreamID) -> Bool {
    stream < last && gaps.contains { $0.contains(stream) }
  }
}
