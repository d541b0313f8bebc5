import WireGRPC

/// Entries in a row, or what one is yet to be made of.
enum EntryBatch: Sendable {
  /// - Parameters:
  ///   - bytes: whole entries, each behind its length.
  ///   - count: how many.
  ///   - rests: where in the bytes an entry ends while no call is open, ascending.
  case entries(_ bytes: [UInt8], count: Int, rests: [Int])
  /// A message to be decompressed: not on the thread that calls are made on.
  case compressed(CallMessage, isRequest: Bool, EntryHead)
}

/// What waits to be written, of limited size.
struct EntryQueue: Sendable {
  /// How many events found no room.
  private(set) var missing = 0

  private let limit: Int
  private var batches: [EntryBatch] = []
  /// How many bytes wait in the batches.
  private var batchedSize = 0
  /// What comes behind them.
  private var encoder = EntryEncoder()
  private var rests: [Int] = []
  /// Memory for what comes next.
  private var spare: [UInt8] = []
  /// Calls that have begun and not ended.
  private var openCalls = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether all calls have ended.
  var isAtRest: Bool { openCalls == 0 }

  /// How many bytes wait.
  var size: Int { batchedSize + encoder.bytes.count }

  /// Whether there was room.
  mutating func add(_ event: CallEvent, _ head: EntryHead) -> Bool {
    switch event {
    case .start: openCalls += 1
    case .end: openCalls -= 1
    default: break
    }
    guard size <= limit - event.messageSize else {
      missing += 1
      return false
    }
    if case .requestMessage(let message) = event, message.isCompressed {
      add(message, isRequest: true, head)
    } else if case .responseMessage(let message) = event, message.isCompressed {
      add(message, isRequest: false, head)
    } else {
      encoder.add(event, head)
      if isAtRest { rests.append(encoder.bytes.count) }
    }
    return true
  }

  /// What cannot be taken any more is missing.
  mutating func refuse() { missing += 1 }

  mutating func takeAll() -> [EntryBatch] {
    endBatch()
    defer {
      batches = []
      batchedSize = 0
    }
    return batches
  }

  /// Takes back the memory of what is written: to get as much anew each time takes longer than to fill it.
  mutating func takeBack(_ batches: consuming [EntryBatch]) {
    guard case .entries(var bytes, _, _)? = batches.popLast() else { return }
    bytes.removeAll(keepingCapacity: true)
    if Self.sparedCapacities ~= bytes.capacity, bytes.capacity > spare.capacity { spare = bytes }
  }

  /// In bytes: what is smaller is had soon, and what is larger was a burst.
  private static let sparedCapacities = 1 << 14...1 << 20

  private mutating func add(_ message: CallMessage, isRequest: Bool, _ head: EntryHead) {
    endBatch()
    batches.append(.compressed(message, isRequest: isRequest, head))
    batchedSize += message.wireSize
  }

  private mutating func endBatch() {
    guard encoder.count > 0 else { return }
    batchedSize += encoder.bytes.count
    batches.append(.entries(encoder.bytes, count: encoder.count, rests: rests))
    encoder.clear(into: spare)
    spare = []
    rests = []
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
