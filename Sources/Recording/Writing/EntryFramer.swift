import WireProtobuf

/// Splits the bytes of a binary log into entries: each is a big-endian 32-bit length and that many
/// bytes, the framing of grpc-go's file sink.
///
/// Holds at most one entry and one chunk of input.
struct EntryFramer {
  /// One entry, still encoded.
  struct Frame: Hashable {
    /// Counted from 1.
    var number: Int
    /// Where its length prefix begins.
    var offset: Int
    var bytes: ArraySlice<UInt8>
  }

  /// A length no entry has: such bytes are not a binary log, or no longer one.
  struct ImplausibleLength: Error, Hashable {
    var number: Int
    var offset: Int
    var length: UInt32
  }

  static let prefixLength = 4
  /// Room for a prefix.
  static let noPrefix = [UInt8](repeating: 0, count: prefixLength)

  /// The longest entry taken, in bytes.
  let limit: Int
  /// How many bytes there must be behind an entry before it is handed out.
  var lookahead = 0
  /// Whether it is not known where the next entry begins.
  private var isLost = false

  private var buffer: [UInt8] = []
  private var start = 0
  /// Where the entries end that have been returned.
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

  /// The next whole entry, or nil until more bytes come.
  mutating func next() throws(ImplausibleLength) -> Frame? {
    if isLost, !findBeginning() { return nil }
    let unread = buffer[start...]
    guard unread.count >= Self.prefixLength else { return nil }
    let length = Self.length(unread)
    guard length > 0, length <= limit else {
      throw ImplausibleLength(number: number, offset: offset, length: length)
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

  /// Whether there are bytes behind the entries that have been returned.
  var hasBytes: Bool { start < buffer.count }

  /// Whether there is an entry, or what cannot be one, without more bytes.
  var hasFrame: Bool {
    let unread = buffer[start...]
    guard unread.count >= Self.prefixLength else { return false }
    let length = Int(Self.length(unread))
    return length > limit || unread.count >= Self.prefixLength + length + lookahead
  }

  /// What the prefix says, of bytes that begin with one.
  static func length(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(prefixLength).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes the prefix of an entry that begins, with room for it, at `start` and goes to the end.
  static func end(_ bytes: inout [UInt8], from start: Int) {
    let length = UInt32(bytes.count - start - prefixLength)
    for index in 0..<prefixLength {
      bytes[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index)))
    }
  }

  /// What is left at the end of the file: a last entry that was cut short, or nil.
  var tornTail: Frame? {
    let unread = buffer[start...]
    return unread.isEmpty ? nil : Frame(number: number, offset: offset, bytes: unread)
  }

  // MARK: Damage

  /// Looks for the next entry one byte after where one should have been.
  ///
  /// - Parameter frame: what was taken for one and is none; nil for what had no plausible length.
  mutating func lose(_ frame: Frame?) {
    if let frame {
      start -= offset - frame.offset
      offset = frame.offset
      number = frame.number
    }
    isLost = true
    skip(1)
  }

  /// What was found is an entry.
  mutating func find() {
    isLost = false
  }

  /// Enough bytes to see whether an entry is followed by another.
  static let beginning = prefixLength + 32

  /// Whether what was handed out is followed by the end or by what looks like an entry.
  var isFollowed: Bool { start == buffer.count || Self.mayBegin(buffer.span, at: start) }

  /// Leaves what cannot be an entry as the file ends first. Returns whether there may be one behind it.
  mutating func goOn() -> Bool {
    lose(nil)
    return findBeginning()
  }

  /// Moves to the next place that looks like the beginning of an entry; false when there is none yet.
  private mutating func findBeginning() -> Bool {
    skip(distanceToBeginning)
    return start < buffer.count
  }

  private var distanceToBeginning: Int {
    let bytes = buffer.span
    var index = start
    while index < bytes.count, !Self.mayBegin(bytes, at: index) { index += 1 }
    return index - start
  }

  /// Whether there is a length and then a time, if any, and the id of a call: all who write entries
  /// write their fields in order. Where bytes are missing, they may come.
  private static func mayBegin(_ bytes: Span<UInt8>, at index: Int) -> Bool {
    func has(_ offset: Int, _ isWanted: (UInt8) -> Bool) -> Bool {
      index + offset >= bytes.count || isWanted(bytes[index + offset])
    }
    guard has(0, { $0 == 0 }) else { return false }
    let id = { (byte: UInt8) in byte == 0x10 }
    // A time is at most two tags and two numbers long.
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
  /// The entry behind its length.
  package var framed: [UInt8] {
    var bytes = EntryFramer.noPrefix + serializedBytes()
    EntryFramer.end(&bytes, from: 0)
    return bytes
  }
}
