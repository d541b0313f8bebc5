/// A header list whose fields arrive one by one.
///
/// Most calls get the same lists as the call before and share them: while the octets equal those of the
/// last list, no strings are made.
struct HeaderBlock {
  enum Kind {
    case informational
    case final
    case trailers

    /// `:status` tells a final response from a 1xx one; trailers have none (nghttp2 checks both).
    init(_ fields: [HeaderField]) {
      if let status = fields.first(where: { $0.name == ":status" }) {
        self = status.value.utf8.first == UInt8(ascii: "1") ? .informational : .final
      } else {
        self = .trailers
      }
    }
  }

  private var current = ReceivedList()
  /// The last lists: one with pseudo-headers, and one of trailers, which has none.
  private var lastLeading = ReceivedList()
  private var lastTrailers = ReceivedList()
  private var isLeading = false
  /// Whether all fields so far equal the start of the last such list; then none is in `current`.
  private var isKnown = true
  private var count = 0
  private var listSize = 0

  /// Whether the block begins with a pseudo-header, such as `:status`.
  var hasPseudoHeader: Bool { count > 0 && isLeading }

  /// The stream, if the block does not end with its first frame.
  private(set) var longStream: StreamID?

  mutating func begin(_ stream: StreamID, isOneFrame: Bool) {
    clear()
    longStream = isOneFrame ? nil : stream
  }

  private mutating func clear() {
    current.removeAll()
    isKnown = true
    count = 0
    listSize = 0
  }

  /// Adds a field, unless the list would be larger than `limit` with it (RFC 9113 §6.5.2).
  mutating func append(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, isSensitive: Bool,
    limit: Int
  ) -> Bool {
    let size = listSize + name.count + value.count + 32
    guard size <= limit else {
      clear()
      listSize = size
      return false
    }
    listSize = size
    if count == 0 { isLeading = unsafe name.first == UInt8(ascii: ":") }
    if isKnown {
      let isSame =
        unsafe isLeading
        ? lastLeading.has(name, value, isSensitive, at: count)
        : lastTrailers.has(name, value, isSensitive, at: count)
      if isSame {
        count += 1
        return true
      }
      copyKnown()
    }
    count += 1
    unsafe current.append(name, value, isSensitive)
    return true
  }

  private mutating func copyKnown() {
    isKnown = false
    current = isLeading ? lastLeading : lastTrailers
    current.removeAll(from: count)
  }

  /// Returns the complete list and empties the block.
  mutating func take() -> [HeaderField] {
    longStream = nil
    defer { clear() }
    if isKnown, count == (isLeading ? lastLeading.count : lastTrailers.count) {
      return isLeading ? lastLeading.fields : lastTrailers.fields
    }
    if isKnown { copyKnown() }
    if isLeading {
      swap(&current, &lastLeading)
      return lastLeading.fields
    }
    swap(&current, &lastTrailers)
    return lastTrailers.fields
  }
}
