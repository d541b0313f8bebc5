import WireHTTP2

struct ConnectionStreams {
  var calls = StreamTable<Call>()
  /// Streams whose calls ended with trailers in the present batch of events.
  var answered: [StreamID] = []
  /// The requests of the streams that closed last, for the trace of their last frames.
  private var closed: [(stream: StreamID, request: CallRequest)] = []
  /// The stream whose response started last; 0 before the first response.
  var lastAnswered: StreamID = 0

  subscript(_ stream: StreamID) -> Call? { calls[stream] }

  /// Takes the streams that were answered before our side of them had ended.
  mutating func takeOpenAnswered() -> [StreamID] {
    guard !answered.isEmpty else { return [] }
    defer { answered.removeAll(keepingCapacity: true) }
    return answered.filter { calls[$0] != nil }
  }

  /// - Parameter isTraced: whether frames that follow are traced. A stream that is reset closes before
  ///   its RST_STREAM is sent, and frames of the peer may follow.
  mutating func close(_ stream: StreamID, isTraced: Bool) {
    guard let call = calls.removeValue(forKey: stream), isTraced else { return }
    closed.append((stream, call.request))
    if closed.count > 16 { closed.removeFirst() }
  }

  /// The request of a stream that is open or was closed recently.
  func request(_ stream: StreamID) -> CallRequest? {
    calls[stream]?.request ?? closed.last { $0.stream == stream }?.request
  }

  /// Takes all calls, in the order in which they were sent.
  mutating func takeAll() -> [(stream: StreamID, call: Call)] {
    defer { calls = StreamTable() }
    return calls.keys.sorted().compactMap { stream in calls[stream].map { (stream, $0) } }
  }
}
