import WireGRPC

/// A sequence of encoded entries, or a message that is encoded later.
enum EntryBatch: Sendable {
  /// - Parameters:
  ///   - bytes: complete entries, each after its length.
  ///   - count: the number of entries.
  ///   - idleOffsets: the ends of entries after which no call is running, ascending.
  case entries(_ bytes: [UInt8], count: Int, idleOffsets: [Int])
  /// A message that is decompressed on the recorder's thread, not on the thread that makes calls.
  case compressed(CallMessage, isRequest: Bool, EntryHead)
}

/// The events waiting to be written, limited in size.
struct EntryQueue: Sendable {
  /// The number of events that were dropped because the queue was full.
  private(set) var dropped = 0

  private let limit: Int
  private var batches: [EntryBatch] = []
  private var batchedSize = 0
  /// The entries after the batches.
  private var encoder = EntryEncoder()
  private var idleOffsets: [Int] = []
  /// A reusable buffer for the next entries.
  private var recycledBuffer: [UInt8] = []
  private var openCalls = 0

  init(limit: Int) {
    self.limit = limit
  }

  var isIdle: Bool { openCalls == 0 }

  var size: Int { batchedSize + encoder.bytes.count }

  /// Adds an event; returns false if there is no room.
  mutating func add(_ event: CallEvent, _ head: EntryHead) -> Bool {
    switch event {
    case .start: openCalls += 1
    case .end: openCalls -= 1
    default: break
    }
    guard size <= limit - event.messageSize else {
      dropped += 1
      return false
    }
    if case .requestMessage(let message) = event, message.isCompressed {
      add(message, isRequest: true, head)
    } else if case .responseMessage(let message) = event, message.isCompressed {
      add(message, isRequest: false, head)
    } else {
      encoder.add(event, head)
      if isIdle { idleOffsets.append(encoder.bytes.count) }
    }
    return true
  }

  /// Counts an event that can no longer be queued.
  mutating func drop() { dropped += 1 }

  mutating func takeBatches() -> [EntryBatch] {
    endBatch()
    defer {
      batches = []
      batchedSize = 0
    }
    return batches
  }

  /// Reuses the buffer of the last written batch, because allocating memory takes longer than
  /// filling it.
  mutating func recycle(_ batches: consuming [EntryBatch]) {
    guard case .entries(var bytes, _, _)? = batches.popLast() else { return }
    bytes.removeAll(keepingCapacity: true)
    if Self.recycledCapacities ~= bytes.capacity, bytes.capacity > recycledBuffer.capacity {
      recycledBuffer = bytes
    }
  }

  /// The capacities in bytes worth keeping: smaller buffers are cheap, larger ones come from a
  /// burst.
  private static let recycledCapacities = 1 << 14...1 << 20

  private mutating func add(_ message: CallMessage, isRequest: Bool, _ head: EntryHead) {
    endBatch()
    batches.append(.compressed(message, isRequest: isRequest, head))
    batchedSize += message.wireSize
  }

  private mutating func endBatch() {
    guard encoder.count > 0 else { return }
    batchedSize += encoder.bytes.count
    batches.append(.entries(encoder.bytes, count: encoder.count, idleOffsets: idleOffsets))
    encoder.clear(into: recycledBuffer)
    recycledBuffer = []
    idleOffsets = []
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
