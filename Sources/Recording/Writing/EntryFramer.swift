import WireProtobuf

/// Splits the bytes of a binary log into entries: each is a big-endian 32-bit length and that many
/// bytes, the framing of grpc-go's file sink.
///
/// Holds at most one entry and one chunk of input.
struct EntryFramer {
  /// One entry in encoded form.
  struct Frame: Hashable {
    /// The number, from 1.
    var number: Int
    /// The offset of the length prefix.
    var offset: Int
    var bytes: ArraySlice<UInt8>
  }

  /// The length is 0 or above the limit, so the bytes are not, or no longer, a binary log.
  struct InvalidLength: Error, Hashable {
    var number: Int
    var offset: Int
    var length: UInt32
  }

  static let prefixLength = 4

  /// The maximum length of an entry in bytes.
  let limit: Int
  /// The number of bytes required after an entry before it is returned.
  var lookahead = 0
  /// Whether the start of the next entry is unknown and being searched for.
  private var isSearching = false

  private var buffer: [UInt8] = []
  private var start = 0
  /// The end of the returned entries, in bytes.
  private(set) var offset = 0
  private var number = 1

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    buffer.removeFirst(start)
    start = 0
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next complete entry, or nil until more bytes are appended.
  mutating func next() throws(InvalidLength) -> Frame? {
    if isSearching, !findCandidate() { return nil }
    let unread = buffer[start...]
    guard unread.count >= Self.prefixLength else { return nil }
    let length = Self.length(unread)
    guard length > 0, length <= limit else {
      throw InvalidLength(number: number, offset: offset, length: length)
    }
    let whole = Self.prefixLength + Int(length)
    guard unread.count >= whole + lookahead else { return nil }
    defer {
      start += whole
      offset += whole
      number += 1
    }
    return Frame(
      number: number, offset: offset,
      bytes: unread.dropFirst(Self.prefixLength).prefix(Int(length)))
  }

  /// Whether there are bytes after the returned entries.
  var hasBytes: Bool { start < buffer.count }

  /// Whether ``next()`` would return an entry or throw without more bytes.
  var hasFrame: Bool {
    let unread = buffer[start...]
    guard unread.count >= Self.prefixLength else { return false }
    let length = Int(Self.length(unread))
    return length > limit || unread.count >= Self.prefixLength + length + lookahead
  }

  /// Returns the length prefix at the start of the bytes.
  static func length(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(prefixLength).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The truncated last entry at the end of the file, if any.
  var truncatedTail: Frame? {
    let unread = buffer[start...]
    return unread.isEmpty ? nil : Frame(number: number, offset: offset, bytes: unread)
  }

  // MARK: Damage

  /// Searches for the next entry, starting one byte after the expected position. The bytes before it
  /// count as one entry.
  ///
  /// - Parameter frame: the returned frame that is not an entry; nil if the length was implausible.
  mutating func startSearch(after frame: Frame?) {
    if let frame {
      start -= offset - frame.offset
      offset = frame.offset
      number = frame.number
    }
    if !isSearching { number += 1 }
    isSearching = true
    skip(1)
  }

  /// Ends the search: the last returned frame is an entry.
  mutating func endSearch() {
    isSearching = false
  }

  /// The number of bytes needed to recognize the start of an entry.
  static let recognizableLength = prefixLength + 32

  /// Whether the returned entry is followed by the end or by the likely start of another.
  var isFollowed: Bool { start == buffer.count || Self.mayStartEntry(buffer.span, at: start) }

  /// Skips a position from which an entry would exceed the file. Returns whether there is another
  /// candidate after it.
  mutating func resumeSearch() -> Bool {
    startSearch(after: nil)
    return findCandidate()
  }

  /// Moves to the next likely start of an entry; returns false if there is none yet.
  private mutating func findCandidate() -> Bool {
    skip(distanceToCandidate)
    return start < buffer.count
  }

  private var distanceToCandidate: Int {
    let bytes = buffer.span
    var index = start
    while index < bytes.count, !Self.mayStartEntry(bytes, at: index) { index += 1 }
    return index - start
  }

  /// Whether a length, an optional timestamp and a call ID may start here. All known writers write
  /// fields in order. Bytes after the end of the buffer count as matching.
  private static func mayStartEntry(_ bytes: Span<UInt8>, at index: Int) -> Bool {
    func has(_ offset: Int, _ isWanted: (UInt8) -> Bool) -> Bool {
      index + offset >= bytes.count || isWanted(bytes[index + offset])
    }
    guard has(0, { $0 == 0 }) else { return false }
    let id = { (byte: UInt8) in byte == 0x10 }
    // A timestamp consists of at most two tags and two numbers.
    guard has(4, { $0 == 0x0a }) else { return has(4, id) && has(5, { $0 != 0 }) }
    guard has(5, { $0 <= 22 }), has(6, { $0 == 0x08 || id($0) }) else { return false }
    guard index + 5 < bytes.count else { return true }
    return has(6 + Int(bytes[index + 5]), id)
  }

  private mutating func skip(_ count: Int) {
    start += count
    offset += count
  }
}

extension BinlogGrpcLogEntry {
  /// The encoded entry after its length prefix.
  package var framed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(messageOf: 512) { writer throws(WireWriter.Full) in
      try writer.framed { writer throws(WireWriter.Full) in try write(to: &writer) }
    }
    return bytes
  }
}
