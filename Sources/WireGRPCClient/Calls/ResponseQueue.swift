package import WireGRPC
package import WireIO

/// What the server says on a streaming call, between the loop, which hands in what a round brings,
/// and the one who reads. Lives under a lock.
///
/// Generic over what stands for a suspended reader.
package struct ResponseQueue<Waker>: ~Copyable {
  package enum Next {
    /// With `returnsCredit` the loop is to be told that the server may send more.
    case message(MessageDeframer.Message, returnsCredit: Bool)
    case end(Result<Metadata, CallError>)
    case wait
  }

  package enum WaitAction {
    case wait
    /// There is something: try again.
    case ready
    /// Somebody else waits.
    case refuse
  }

  /// Nil before the answer begins; empty when it has none, being over.
  package private(set) var headers: Metadata?
  /// The trailers, or why there are none; nil until the call is over. Messages may be left.
  package private(set) var end: Result<Metadata, CallError>?
  /// How often the call was sent.
  package private(set) var attempts = 0
  /// Where it was sent last.
  package private(set) var peer: SocketAddress?
  /// Bytes of the messages in the queue, as they came.
  package private(set) var heldBytes = 0
  /// Bytes that were taken out and that the loop may not know of.
  private var takenBytes = 0
  private let creditStep: Int
  private var messages: [MessageDeframer.Message] = []
  private var next = 0
  private var reader: Waker?
  /// Those who wait for the headers, or for the end.
  private var watchers: [Waker] = []

  /// - Parameter creditStep: after how many bytes taken out the loop is told. The rest it finds when
  ///   more arrives; so it must be well below the stream's window.
  package init(creditStep: Int) {
    self.creditStep = creditStep
  }

  // MARK: The loop's side. What it gets back is to be woken.

  package mutating func sent(to peer: SocketAddress, attempts: Int) {
    self.peer = peer
    self.attempts = attempts
  }

  package mutating func begin(_ headers: Metadata) -> [Waker] {
    self.headers = headers
    return takeWatchers()
  }

  package mutating func append(_ more: [MessageDeframer.Message]) -> Waker? {
    guard end == nil else { return nil }
    messages += more
    for message in more { heldBytes += message.wireSize }
    return reader.take()
  }

  /// The call is over. A deadline or a cancellation does not wait for messages to be read.
  package mutating func end(
    _ result: Result<Metadata, CallError>, attempts: Int
  ) -> [Waker] {
    guard end == nil else { return [] }
    end = result
    self.attempts = attempts
    if case .success = result, headers == nil { headers = Metadata() }
    if case .failure(let error) = result, error.endsAtOnce { dropMessages() }
    var woken = takeWatchers()
    if let reader = reader.take() { woken.append(reader) }
    return woken
  }

  private mutating func dropMessages() {
    messages = []
    next = 0
    heldBytes = 0
  }

  private mutating func takeWatchers() -> [Waker] {
    defer { watchers = [] }
    return watchers
  }

  // MARK: The reader's side

  package mutating func take() -> Next {
    guard next < messages.count else { return end.map { .end($0) } ?? .wait }
    let message = messages[next]
    messages[next] = MessageDeframer.Message(isCompressed: false, bytes: [])
    next += 1
    if next == messages.count {
      messages.removeAll(keepingCapacity: true)
      next = 0
    } else if next >= 64, next * 2 > messages.count {
      messages.removeFirst(next)
      next = 0
    }
    heldBytes -= message.wireSize
    takenBytes += message.wireSize
    guard takenBytes >= creditStep, end == nil else {
      return .message(message, returnsCredit: false)
    }
    takenBytes = 0
    return .message(message, returnsCredit: true)
  }

  package mutating func wait(_ waker: Waker) -> WaitAction {
    if next < messages.count || end != nil { return .ready }
    guard reader == nil else { return .refuse }
    reader = waker
    return .wait
  }

  /// Keeps the waker until the headers are there, or with `forEnd` the end; hands it back when
  /// they are.
  package mutating func watch(_ waker: Waker, forEnd: Bool) -> Waker? {
    guard end == nil, forEnd || headers == nil else { return waker }
    watchers.append(waker)
    return nil
  }
}

extension MessageDeframer.Message {
  /// With its prefix, as it came.
  package var wireSize: Int { MessageFramer.prefixLength + bytes.count }
}

extension CallError {
  /// Whether it is the caller's own deadline or cancellation, which waits for no message to be read.
  var endsAtOnce: Bool {
    origin == .local && (code == .deadlineExceeded || code == .cancelled)
  }
}
