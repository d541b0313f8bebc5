import WireGRPC
import WireSystem

/// Puts entries into the files of a log: with one write for all of a batch, or one for each of the files
/// that it ends up in.
struct EntryOutput {
  private(set) var report = RecordingReport()

  private var file: BinaryLogFile
  private let maxSize: Int
  /// In seconds.
  private let maxAge: Int64?
  private let onFailure: (@Sendable (String) -> Void)?
  /// Whether no call is open after what was written last.
  private var isAtRest = true
  /// Whether what was to be written last could not be.
  private var isFailing = false

  /// - Parameter onFailure: told why something cannot be written, unless that was so before.
  init(
    _ file: BinaryLogFile, _ options: RecordingOptions,
    onFailure: (@Sendable (String) -> Void)? = nil
  ) {
    self.file = file
    self.onFailure = onFailure
    maxSize = options.maxFileSize ?? .max
    maxAge = options.maxFileAge?.components.seconds
  }

  /// - Parameter now: in seconds since 1970.
  mutating func write(_ batches: [EntryBatch], at now: Int64 = WallTime.exact.seconds) {
    for batch in batches {
      switch batch {
      case .entries(let bytes, let count, let rests):
        write(bytes, count, rests, at: now)
      case .compressed(let message, let isRequest, let head):
        var encoder = EntryEncoder()
        encoder.add(try? message.contents(), of: message.wireSize, isRequest: isRequest, head)
        write(encoder.bytes, 1, [], at: now)
      }
    }
  }

  /// A disk that is full may have room again later.
  private mutating func write(_ bytes: [UInt8], _ count: Int, _ rests: [Int], at now: Int64) {
    var missing = count
    do throws(IOError) {
      var start = 0
      while start < bytes.count {
        if isOver(at: now) { rotate() }
        let end = end(of: bytes, from: start, rests)
        if end > start {
          try file.append(bytes[start..<end], at: now)
          report.error = file.exposure ?? report.error
          isAtRest = rests.last { $0 <= end } == end
          let written = end == bytes.count ? missing : Self.count(bytes[start..<end])
          report.written += written
          missing -= written
          start = end
        }
        if end < bytes.count { rotate() }
      }
      isFailing = false
    } catch {
      report.missing += missing
      report.error = error.description
      if !isFailing { onFailure?(error.description) }
      isFailing = true
    }
  }

  private mutating func rotate() {
    do throws(IOError) {
      try file.rotate()
    } catch {
      report.error = error.description
    }
  }

  /// Whether the next file is begun before anything else is written.
  ///
  /// A call that is open when that happens is in both files, and in neither whole: so it is done while
  /// none is, if there is such a moment in the last eighth of the room, or in an eighth of the time
  /// after.
  private func isOver(at now: Int64) -> Bool {
    if isAtRest, file.size > maxSize - maxSize / 8 { return true }
    guard let maxAge, let birth = file.birth else { return false }
    // Without overflow, whatever times a file has.
    return Double(now) - Double(birth) >= Double(maxAge) * (isAtRest ? 1 : 1.125)
  }

  /// How far what begins at `start` fits into the file: to the end, or where no call is open, or where
  /// an entry ends; `start` itself if nothing does.
  private func end(of bytes: [UInt8], from start: Int, _ rests: [Int]) -> Int {
    guard bytes.count - start > maxSize - file.size else { return bytes.count }
    let limit = start + max(0, maxSize - file.size)
    if let rest = rests.last(where: { $0 <= limit }), rest > start { return rest }
    if isAtRest, file.size > 0 { return start }
    var end = start
    while case let next = end + Self.size(bytes[end...]), next <= limit { end = next }
    // An entry that is larger than a file may be has one of its own.
    return end == start && file.size == 0 ? start + Self.size(bytes[start...]) : end
  }

  /// How many entries these are.
  private static func count(_ bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.dropFirst(size(rest))
      count += 1
    }
    return count
  }

  /// Of the first entry and its length.
  private static func size(_ bytes: ArraySlice<UInt8>) -> Int {
    EntryFramer.prefixLength + Int(EntryFramer.length(bytes))
  }
}
