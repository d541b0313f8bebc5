package import WireGRPC

/// The messages of a streaming call between the caller, who hands them in, and the loop, which takes
/// all there are at once. Lives under a lock.
///
///     open ──finish──▶ finished ──taken──▶ taken
///       └──────┴────the call ends────┴──▶ over
///
/// Generic over what stands for a suspended sender.
package struct RequestQueue<Waker>: ~Copyable {
  package enum SendAction {
    /// It is in the queue. With `announce` the loop is to be told that there is something.
    case sent(announce: Bool)
    /// Too much waits already.
    case wait
    case refuse(CallError)
  }

  private enum State {
    case open
    case finished
    /// The loop has all there will ever be.
    case taken
    case over(CallError)
  }

  /// With so many bytes waiting, senders wait, too. In the session may wait as many again, besides
  /// `HTTP2Configuration.bodyLowWater`: 64 KiB in all.
  package static var highWater: Int { 16 * 1024 }

  private var state = State.open
  private var bytes: [UInt8] = []
  /// The loop knows that there is something.
  private var isAnnounced = false
  private var wakers: [Waker] = []

  package init() {}

  private var isFull: Bool { bytes.count >= Self.highWater }

  // MARK: The caller's side

  package mutating func send(_ frame: [UInt8]) -> SendAction {
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

  /// Keeps the waker until it is worth trying again; hands it back when it is already.
  package mutating func wait(_ waker: Waker) -> Waker? {
    guard case .open = state, isFull else { return waker }
    wakers.append(waker)
    return nil
  }

  /// No more messages. Returns whether the loop is to be told.
  package mutating func finish() -> Bool {
    guard case .open = state else { return false }
    state = .finished
    return announce()
  }

  private mutating func announce() -> Bool {
    defer { isAnnounced = true }
    return !isAnnounced
  }

  // MARK: The loop's side

  /// All that waits, in frames, and whether it is the last; nil when there is nothing new. The
  /// senders are to be woken.
  package mutating func take(
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

  /// The call is over: from now on this is what senders are told. Those that wait are to be woken.
  package mutating func end(_ error: CallError) -> [Waker] {
    if case .over = state { return [] }
    state = .over(error)
    bytes = []
    defer { wakers = [] }
    return wakers
  }
}
