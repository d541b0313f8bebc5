import WireGRPC

/// An event of a call that is waiting to be encoded and written.
struct QueuedEvent: Sendable {
  let event: CallEvent
  let head: EntryHead
  /// Whether no call is running after this event.
  let isIdle: Bool
}

/// The events waiting to be written, limited in size.
struct EntryQueue: Sendable {
  /// The number of events that were dropped because the queue was full.
  private(set) var dropped = 0
  /// The size of the queued messages in bytes, and ``eventSize`` for each event.
  private(set) var size = 0

  private let limit: Int
  private var events: [QueuedEvent] = []
  /// The number of running calls.
  private var openCalls = 0

  /// The approximate size of an event without its message, in bytes.
  private static let eventSize = 256

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether no call is running.
  var isIdle: Bool { openCalls == 0 }

  /// Adds an event; returns false if there is no room.
  mutating func add(_ event: CallEvent, _ head: EntryHead) -> Bool {
    switch event {
    case .start: openCalls += 1
    case .end: openCalls -= 1
    default: break
    }
    let eventSize = event.messageSize + Self.eventSize
    guard size <= limit - eventSize else {
      dropped += 1
      return false
    }
    events.append(QueuedEvent(event: event, head: head, isIdle: isIdle))
    size += eventSize
    return true
  }

  /// Counts an event that can no longer be queued.
  mutating func drop() { dropped += 1 }

  mutating func takeEvents() -> [QueuedEvent] {
    defer {
      events = []
      size = 0
    }
    return events
  }
}

extension CallEvent {
  fileprivate var messageSize: Int {
    switch self {
    case .requestMessage(let message), .responseMessage(let message): message.wireSize
    default: 0
    }
  }
}
