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

  /// The longest entry taken, in bytes.
  let limit: Int

  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
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
    let unread = buffer[start...]
    guard unread.count >= Self.prefixLength else { return nil }
    let length = unread.prefix(Self.prefixLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard length > 0, length <= limit else {
      throw ImplausibleLength(number: number, offset: offset, length: length)
    }
    let whole = Self.prefixLength + Int(length)
    guard unread.count >= whole else { return nil }
    defer {
      start += whole
      offset += whole
      number += 1
    }
    return Frame(
      number: number, offset: offset,
      bytes: unread.dropFirst(Self.prefixLength).prefix(Int(length)))
  }

  /// What is left at the end of the file: a last entry that was cut short, or nil.
  var tornTail: Frame? {
    let unread = buffer[start...]
    return unread.isEmpty ? nil : Frame(number: number, offset: offset, bytes: unread)
  }
}
