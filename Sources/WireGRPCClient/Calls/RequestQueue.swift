import WireGRPC

/// The request messages of a streaming call, between the caller, who appends them, and the loop,
/// which takes all of them at once. A lock protects it.
///
///     open ──finish──▶ finished ──taken──▶ taken
///       └──────┴────the call ends────┴──▶ over
///
/// Generic over the type of suspended senders.
struct RequestQueue<Waker>: ~Copyable {
  enum SendAction {
    /// The frame is queued. With `announce`, notify the loop.
    case sent(announce: Bool)
    case wait
    case refuse(CallError)
  }

  private enum State {
    case open
    case finished
    case taken
    case over(CallError)
  }

  /// The number of queued bytes at which senders wait. The session may hold as many again, plus
  /// `HTTP2Configuration.bodyLowWater`: 64 KiB in total.
  static var highWater: Int { 16 * 1024 }

  private var state = State.open
  private var bytes: [UInt8] = []
  /// The loop has been notified and has not taken the messages yet.
  private var isAnnounced = false
  private var wakers: [Waker] = []

  private var isFull: Bool { bytes.count >= Self.highWater }

  // MARK: The caller's side

  mutating func send(_ frame: [UInt8]) -> SendAction {
    switch state {
    case .open:
      guard !isFull else { return .wait }
      if bytes.isEmpty { bytes = frame } else { bytes += frame }
      return .sent(announce: announce())
    case .finished, .taken:
      return .refuse(.local(.internal, "a message was sent after finish()"))
    case .over(let error):
      return .refuse(error)
    }
  }

  /// Keeps the waker until the queue is no longer full, or returns it if the queue is not full.
  mutating func wait(_ waker: Waker) -> Waker? {
    guard case .open = state, isFull else { return waker }
    wakers.append(waker)
    return nil
  }

  /// Ends the request. Returns whether to notify the loop.
  mutating func finish() -> Bool {
    guard case .open = state else { return false }
    state = .finished
    return announce()
  }

  private mutating func announce() -> Bool {
    defer { isAnnounced = true }
    return !isAnnounced
  }

  // MARK: The loop's side

  /// Takes all queued frames, and whether they are the last; nil if there is nothing new. The loop
  /// wakes the senders.
  mutating func take(
    waking wakers: inout [Waker]
  ) -> (bytes: [UInt8], isLast: Bool)? {
    isAnnounced = false
    var isLast = false
    switch state {
    case .open:
      if bytes.isEmpty { return nil }
    case .finished:
      state = .taken
      isLast = true
    case .taken, .over:
      return nil
    }
    swap(&wakers, &self.wakers)
    defer { bytes = [] }
    return (bytes, isLast)
  }

  /// The call is over: later sends fail with this error. Returns the senders to wake.
  mutating func end(_ error: CallError) -> [Waker] {
    if case .over = state { return [] }
    state = .over(error)
    bytes = []
    defer { wakers = [] }
    return wakers
  }
}
