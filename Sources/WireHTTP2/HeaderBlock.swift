/// A header list while its fields come in one by one.
struct HeaderBlock {
  /// What the list turns out to be in an answer.
  enum Kind {
    case informational
    case final
    case trailers
  }

  private(set) var fields: [HeaderField] = []
  private var listSize = 0

  mutating func begin() {
    fields = []
    listSize = 0
  }

  /// Whether the list, this field included, is within `limit` (RFC 9113 §6.5.2).
  mutating func admits(octets: Int, limit: Int) -> Bool {
    listSize += octets + 32
    return listSize <= limit
  }

  mutating func append(_ field: HeaderField) {
    if fields.isEmpty { fields.reserveCapacity(8) }
    fields.append(field)
  }

  /// The finished list; the block is empty after.
  mutating func take() -> [HeaderField] {
    defer { fields = [] }
    return fields
  }

  /// `:status` tells a final answer from a 1xx one; trailers have none (nghttp2 checks both).
  var kind: Kind {
    guard let status = fields.first(where: { $0.name == ":status" }) else { return .trailers }
    return status.value.utf8.first == UInt8(ascii: "1") ? .informational : .final
  }
}
