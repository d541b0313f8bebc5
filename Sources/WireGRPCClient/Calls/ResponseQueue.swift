import WireGRPC
import WireIO

/// The response of a streaming call, between the loop, which appends what each round receives, and
/// the reader. A lock protects it.
///
/// Generic over the type of suspended readers.
struct ResponseQueue<Waker>: ~Copyable {
  enum Next {
    /// With `returnsCredit`, notify the loop that the server may send more.
    case message(MessageDeframer.Message, returnsCredit: Bool)
    case end(Result<Metadata, CallError>)
    case wait
  }

  enum WaitAction {
    case wait
    /// A message or the end is available: try again.
    case ready
    /// Another task already waits.
    case refuse
  }

  /// Nil before the response starts; empty if the call ended without headers.
  private(set) var headers: Metadata?
  /// The trailers or the error; nil until the call is over. Messages may still be queued.
  private(set) var end: Result<Metadata, CallError>?
  /// The number of times the call was sent.
  private(set) var attempts = 0
  /// The address that received the last attempt.
  private(set) var peer: SocketAddress?
  /// The bytes of queued messages, as received.
  private(set) var heldBytes = 0
  /// The bytes taken since the loop was last notified.
  private var takenBytes = 0
  private let creditStep: Int
  private var messages: [MessageDeframer.Message] = []
  private var next = 0
  private var reader: Waker?
  /// The tasks that wait for the headers or the end.
  private var watchers: [Waker] = []

  /// - Parameter creditStep: the number of taken bytes after which the loop is notified. The loop
  ///   learns of smaller amounts when more data arrives, so the step must be well below the
  ///   stream's window.
  init(creditStep: Int) {
    self.creditStep = creditStep
  }

  // MARK: The loop's side. It wakes the wakers that these functions return.

  mutating func sent(to peer: SocketAddress, attempts: Int) {
    self.peer = peer
    self.attempts = attempts
  }

  mutating func begin(_ headers: Metadata) -> [Waker] {
    self.headers = headers
    return takeWatchers()
  }

  mutating func append(_ more: [MessageDeframer.Message]) -> Waker? {
    guard end == nil else { return nil }
    messages += more
    for message in more { heldBytes += message.wireSize }
    return reader.take()
  }

  /// The call is over. A deadline or a cancellation drops the messages that wait to be read.
  mutating func end(
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

  mutating func take() -> Next {
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

  mutating func wait(_ waker: Waker) -> WaitAction {
    if next < messages.count || end != nil { return .ready }
    guard reader == nil else { return .refuse }
    reader = waker
    return .wait
  }

  /// Keeps the waker until the headers arrive, or with `forEnd` the end. Returns it if they are
  /// there.
  mutating func watch(_ waker: Waker, forEnd: Bool) -> Waker? {
    guard end == nil, forEnd || headers == nil else { return waker }
    watchers.append(waker)
    return nil
  }
}

extension MessageDeframer.Message {
  /// The size including the prefix, as received.
  var wireSize: Int { MessageFramer.prefixLength + bytes.count }
}

extension CallError {
  /// Whether the error is the caller's own deadline or cancellation, which drops unread messages.
  var endsAtOnce: Bool {
    origin == .local && (code == .deadlineExceeded || code == .cancelled)
  }
}
