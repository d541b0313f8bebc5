/// A header list while its fields come in one by one.
struct HeaderBlock {
  /// What the list turns out to be in an answer.
  enum Kind {
    case informational
    case final
    case trailers
  }

  private var fields: [HeaderField] = []
  /// The lists that came last: most calls get the same as the one before, and then share it.
  private var lastFinal: [HeaderField] = []
  private var lastTrailers: [HeaderField] = []
  private var listSize = 0
  private var strings = StringCache()

  /// The stream, when the block does not end with its first frame.
  private(set) var longStream: StreamID?

  mutating func begin(_ stream: StreamID, isOneFrame: Bool) {
    if !fields.isEmpty { fields = [] }
    listSize = 0
    longStream = isOneFrame ? nil : stream
  }

  /// Adds a field, unless the list would be larger than `limit` with it (RFC 9113 §6.5.2).
  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, isSensitive: Bool,
    limit: Int
  ) -> Bool {
    listSize += name.count + value.count + 32
    guard listSize <= limit else {
      fields = []
      return false
    }
    let value = unsafe value.trimmingSpace()
    let text = unsafe isSensitive ? String(decoding: value, as: UTF8.self) : strings.string(value)
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append(HeaderField(unsafe strings.string(name), text, isSensitive: isSensitive))
    return true
  }

  /// The finished list; the block is empty after.
  mutating func take(_ kind: Kind) -> [HeaderField] {
    longStream = nil
    return kind == .trailers
      ? Self.move(&fields, sharing: &lastTrailers) : Self.move(&fields, sharing: &lastFinal)
  }

  private static func move(
    _ fields: inout [HeaderField], sharing last: inout [HeaderField]
  ) -> [HeaderField] {
    if fields == last {
      fields.removeAll(keepingCapacity: true)
    } else {
      last = fields
      fields = []
    }
    return last
  }

  /// `:status` tells a final answer from a 1xx one; trailers have none (nghttp2 checks both).
  var kind: Kind {
    guard let status = fields.first(where: { $0.name == ":status" }) else { return .trailers }
    return status.value.utf8.first == UInt8(ascii: "1") ? .informational : .final
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Without the space around a value, which is not part of it (RFC 9110 §5.5).
  fileprivate func trimmingSpace() -> Self {
    func isSpace(_ octet: UInt8) -> Bool { octet == UInt8(ascii: " ") || octet == 0x09 }
    var (start, end) = (0, count)
    while start < end, unsafe isSpace(self[start]) { start += 1 }
    while start < end, unsafe isSpace(self[end - 1]) { end -= 1 }
    return unsafe end - start == count ? self : Self(rebasing: self[start..<end])
  }
}
