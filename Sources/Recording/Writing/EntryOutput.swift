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
  /// Whether the last write failed.
  private var hasFailed = false
  /// Whether the next file could not be started when it was last tried.
  private var isStuck = false
  /// Whether entries were dropped before the last write, because the queue was full.
  private var hasOverflowed = false

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

  /// Reports that the queue began to overflow.
  ///
  /// - Parameter hasOverflowed: whether entries were dropped since the last call.
  mutating func noteOverflow(_ hasOverflowed: Bool) {
    if hasOverflowed, !self.hasOverflowed {
      onEvent?(.paused(reason: "the queue of \(maxQueuedBytes) bytes is full"))
    } else if self.hasOverflowed, !hasOverflowed {
      onEvent?(.resumed)
    }
    self.hasOverflowed = hasOverflowed
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
      if hasFailed { onEvent?(.resumed) }
      hasFailed = false
    } catch {
      report.dropped += remaining
      report.error = error.description
      if !hasFailed { onEvent?(.paused(reason: error.description)) }
      hasFailed = true
    }
    noteStart(file.startFailure)
  }

  /// - Parameter failure: the reason why the next file could not be started; nil if it was.
  private mutating func noteStart(_ failure: IOError?) {
    if let failure {
      report.error = failure.description
      if !isStuck { onEvent?(.notRotated(reason: failure.description)) }
    } else if isStuck {
      onEvent?(.resumed)
    }
    isStuck = failure != nil
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

  /// Returns the number of entries.
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
