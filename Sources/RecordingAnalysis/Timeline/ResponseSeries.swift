import WireProtobuf

/// The responses to calls that come at regular intervals of their own.
struct ResponseSeries {
  struct Kind: Hashable {
    /// To calls that get the resource.
    static let polls = Kind(method: nil)

    /// See ``ResponseGap/method``.
    let method: String?
  }

  private var gaps: ResponseGaps
  /// When the last one came.
  private(set) var last: Timestamp?

  init(of kind: Kind) {
    gaps = ResponseGaps(method: kind.method)
  }

  /// Returns what the time since the last response shows.
  ///
  /// - Parameters:
  ///   - sent: when the call began.
  ///   - isRecovery: whether calls failed in between, which another event reports.
  mutating func receive(
    at time: Timestamp?, sent: Timestamp?, isRecovery: Bool
  ) -> (events: [TimelineEvent], findings: [Finding]) {
    defer { last = time }
    let events = gaps.receive(
      after: elapsed(from: last, to: time), elapsed(from: sent, to: time), isRecovery: isRecovery)
    guard let last, let time else { return (events, []) }
    let backwards: [Finding] =
      time < last ? [.backwards(.client, from: last, to: time, at: time)] : []
    return (events, backwards + (gaps.last.map { [Finding(.gap($0), from: last, to: time)] } ?? []))
  }

  /// The events at the end of the recording.
  mutating func end() -> [TimelineEvent] { gaps.end() }
}
