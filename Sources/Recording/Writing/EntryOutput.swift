import WireGRPC
import WireSystem

/// Writes entries to the files of a log: one write per batch, or one per file if the batch spans
/// several files.
struct EntryOutput {
  private(set) var report = RecordingReport()

  private var file: any BinaryLogOutput
  private let maxSize: Int
  /// The maximum age in seconds.
  private let maxAge: Int64?
  private let maxQueuedBytes: Int
  private let onEvent: (@Sendable (RecordingEvent) -> Void)?
  /// Whether no call is running after the last written entry.
  private var isIdle = true
  /// The problems that were reported and are not over.
  private var problems: Set<Problem> = []

  private enum Problem {
    /// The queue was full before the last write, so entries were dropped.
    case overflow
    /// The last write failed.
    case write
    /// The next file could not be started when it was last tried.
    case rotation
  }

  init(
    _ file: any BinaryLogOutput, _ options: RecordingOptions,
    onEvent: (@Sendable (RecordingEvent) -> Void)? = nil
  ) {
    self.file = file
    self.onEvent = onEvent
    maxQueuedBytes = options.maxQueuedBytes
    maxSize = options.maxFileSize ?? .max
    maxAge = options.maxFileAge?.components.seconds
  }

  /// - Parameter hasOverflowed: whether entries were dropped since the last call.
  mutating func noteOverflow(_ hasOverflowed: Bool) {
    let reason = "the queue of \(maxQueuedBytes) bytes is full"
    note(.overflow, hasOverflowed ? .paused(reason: reason) : nil)
  }

  /// Reports the problem when it begins and when it is over.
  ///
  /// - Parameter event: describes the problem; nil if there is none.
  private mutating func note(_ problem: Problem, _ event: RecordingEvent?) {
    if let event {
      if problems.insert(problem).inserted { onEvent?(event) }
    } else if problems.remove(problem) != nil {
      onEvent?(.resumed)
    }
  }

  /// - Parameter now: the time in seconds since 1970.
  mutating func write(_ batches: [EntryBatch], at now: Int64 = WallTime.exact.seconds) {
    for batch in batches {
      switch batch {
      case .entries(let bytes, let count, let idleOffsets):
        write(bytes, count, idleOffsets, at: now)
      case .compressed(let message, let isRequest, let head):
        var encoder = EntryEncoder()
        encoder.add(try? message.contents(), of: message.wireSize, isRequest: isRequest, head)
        write(encoder.bytes, 1, [], at: now)
      }
    }
  }

  /// Writes encoded entries. After a failure, later batches are tried again: a full disk may have
  /// room.
  private mutating func write(_ bytes: [UInt8], _ count: Int, _ idleOffsets: [Int], at now: Int64) {
    var remaining = count
    do throws(IOError) {
      var start = 0
      while start < bytes.count {
        if mustRotate(at: now) { file.rotate() }
        let end = end(of: bytes, from: start, idleOffsets)
        if end > start {
          try file.append(bytes[start..<end], at: now)
          report.error = file.privacyWarning ?? report.error
          isIdle = idleOffsets.last { $0 <= end } == end
          let written = end == bytes.count ? remaining : Self.count(bytes[start..<end])
          report.written += written
          remaining -= written
          start = end
        }
        if end < bytes.count { file.rotate() }
      }
      note(.write, nil)
    } catch {
      report.dropped += remaining
      report.error = error.description
      note(.write, .paused(reason: error.description))
    }
    let failure = file.startFailure?.description
    report.error = failure ?? report.error
    note(.rotation, failure.map { .notRotated(reason: $0) })
  }

  /// Whether to start the next file before the next entry.
  ///
  /// A call that is running at that moment is in neither file completely. So the recorder rotates
  /// while no call is running, if there is such a moment in the last eighth of the size or in an
  /// eighth of the age after the limit.
  private func mustRotate(at now: Int64) -> Bool {
    if isIdle, file.size > maxSize - maxSize / 8 { return true }
    guard let maxAge, let firstEntryTime = file.firstEntryTime else { return false }
    // Floating point cannot overflow, whatever timestamp the file contains.
    return Double(now) - Double(firstEntryTime) >= Double(maxAge) * (isIdle ? 1 : 1.125)
  }

  /// Returns how many of the bytes from `start` fit into the file: all, or up to an offset at which
  /// no call is running, or up to the end of an entry; `start` if no entry fits.
  private func end(of bytes: [UInt8], from start: Int, _ idleOffsets: [Int]) -> Int {
    guard bytes.count - start > maxSize - file.size else { return bytes.count }
    let limit = start + max(0, maxSize - file.size)
    if let rest = idleOffsets.last(where: { $0 <= limit }), rest > start { return rest }
    if isIdle, file.size > 0 { return start }
    var end = start
    while case let next = end + Self.size(bytes[end...]), next <= limit { end = next }
    // An entry larger than the maximum file size gets its own file.
    return end == start && file.size == 0 ? start + Self.size(bytes[start...]) : end
  }

  private static func count(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.dropFirst(size(rest))
      count += 1
    }
    return count
  }

  /// Returns the size of the first entry with its length prefix.
  private static func size(_ bytes: ArraySlice<UInt8>) -> Int {
    EntryFramer.prefixLength + Int(EntryFramer.length(bytes))
  }
}
