/// The limits of one session. The defaults suit a gRPC client and a small server.
public struct HTTP2Configuration: Sendable {
  /// Octets of DATA that a stream may send before `consume`: 0...2^31-1 (SETTINGS_INITIAL_WINDOW_SIZE).
  public var streamWindow = 1 << 20
  /// Octets of DATA that all streams together may send before `consume`: 65,535...2^31-1, because a
  /// connection cannot begin with less (RFC 9113 §6.9.2).
  public var connectionWindow = 4 << 20
  /// The largest accepted header list, Σ(name + value + 32); announced and enforced, 0...2^32-1.
  /// A larger one resets its stream with ENHANCE_YOUR_CALM.
  public var maxHeaderListSize = 16 << 10
  /// The largest header block that is sent, in octets before compression.
  public var maxSendHeaderBlockLength = 64 << 10
  /// The number of waiting octets of a body below which `bodyDrained` asks for more. More than this
  /// would only fill memory. At least 1.
  public var bodyLowWater = 32 << 10
  /// Streams that a peer may have open at a time, 0...2^32-1. Only a server announces it.
  public var maxConcurrentStreams = 100
  /// The id of a client's first stream, odd. Tests begin near 2^31 to use up the ids.
  package var firstStreamID: StreamID = 1
  /// Whether `frameSent` and `frameReceived` events are reported.
  public var tracesFrames = false
  /// The clock of the flood limit.
  public var now: @Sendable () -> ContinuousClock.Instant = { .now }

  public init() {}

  /// Throws `.configuration` with the name of the first value out of range.
  func validate() throws(HTTP2Error) {
    let largestWindow = Int(Int32.max)
    let largestSetting = Int(UInt32.max)
    try check(streamWindow, 0...largestWindow, "streamWindow")
    try check(connectionWindow, 65_535...largestWindow, "connectionWindow")
    try check(maxHeaderListSize, 0...largestSetting, "maxHeaderListSize")
    try check(maxSendHeaderBlockLength, 0...largestSetting, "maxSendHeaderBlockLength")
    try check(bodyLowWater, 1...Int.max, "bodyLowWater")
    try check(maxConcurrentStreams, 0...largestSetting, "maxConcurrentStreams")
    try check(Int(firstStreamID), 1...largestWindow, "firstStreamID")
    if firstStreamID % 2 == 0 {
      throw HTTP2Error(.configuration, "firstStreamID is \(firstStreamID), which is even")
    }
  }

  private func check(
    _ value: Int, _ range: ClosedRange<Int>, _ name: String
  ) throws(HTTP2Error) {
    guard !range.contains(value) else { return }
    throw HTTP2Error(.configuration, "\(name) is \(value), not in \(range)")
  }
}
