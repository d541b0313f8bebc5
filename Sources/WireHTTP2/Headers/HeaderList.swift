import CNghttp2

/// A header list to send, in a flat layout: all names and values in one array of bytes.
///
/// A part that many lists share is encoded once and appended as a whole. The list can be reused:
/// `removeAll(after:)` keeps the storage.
public struct HeaderList: Hashable, Sendable {
  private struct Entry: Hashable {
    var nameLength: Int
    var valueLength: Int
    var isSensitive: Bool
  }

  private var text: [UInt8] = []
  private var entries: [Entry] = []

  public init() {}

  public init(_ fields: some Sequence<HeaderField>) {
    append(contentsOf: fields)
  }

  /// Reserves space for this many fields, whose names and values have this many octets.
  public mutating func reserveCapacity(fields: Int, octets: Int) {
    text.reserveCapacity(octets)
    entries.reserveCapacity(fields)
  }

  /// The size of the list: octets of names and values, plus 32 for each field (RFC 9113 §6.5.2).
  public var size: Int { text.count + 32 * entries.count }

  public var isEmpty: Bool { entries.isEmpty }

  /// A place between two fields.
  public struct Mark: Sendable {
    fileprivate var text = 0
    fileprivate var entries = 0

    public init() {}
  }

  /// The place after the last field.
  public var end: Mark {
    var mark = Mark()
    mark.text = text.count
    mark.entries = entries.count
    return mark
  }

  /// Removes the fields after the mark, or all fields if there is no mark.
  public mutating func removeAll(after mark: Mark = Mark()) {
    text.removeLast(max(0, text.count - mark.text))
    entries.removeLast(max(0, entries.count - mark.entries))
  }

  public mutating func append(_ name: String, _ value: String, isSensitive: Bool = false) {
    let start = text.count
    append(name)
    let nameLength = text.count - start
    append(value)
    entries.append(
      Entry(
        nameLength: nameLength, valueLength: text.count - start - nameLength,
        isSensitive: isSensitive))
  }

  public mutating func append(contentsOf fields: some Sequence<HeaderField>) {
    for field in fields { append(field.name, field.value, isSensitive: field.isSensitive) }
  }

  public mutating func append(contentsOf other: HeaderList) {
    text += other.text
    entries += other.entries
  }

  private mutating func append(_ string: String) {
    let octets = string.utf8Span.span
    unsafe octets.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
  }

  /// The fields, one by one.
  public var fields: [HeaderField] {
    var rest = text[...]
    func take(_ count: Int) -> String {
      defer { rest = rest.dropFirst(count) }
      return String(decoding: rest.prefix(count), as: UTF8.self)
    }
    return entries.map { entry in
      HeaderField(
        take(entry.nameLength), take(entry.valueLength), isSensitive: entry.isSensitive)
    }
  }

  /// Calls `body` with the fields in the layout of nghttp2, which copies them and lower-cases the names.
  func withNameValueArray(_ body: (UnsafeMutablePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
    unsafe text.withUnsafeBufferPointer { text in
      unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: max(entries.count, 1)) {
        array in
        // nghttp2 takes a mutable pointer, but does not change the list.
        var next = unsafe UnsafeMutablePointer(mutating: text.baseAddress)
        for index in entries.indices {
          let entry = entries[index]
          let flag = entry.isSensitive ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
          let value = unsafe next.map { unsafe $0 + entry.nameLength }
          unsafe array.initializeElement(
            at: index,
            to: nghttp2_nv(
              name: next, value: value, namelen: entry.nameLength, valuelen: entry.valueLength,
              flags: UInt8(truncatingIfNeeded: flag.rawValue)))
          unsafe next = value.map { unsafe $0 + entry.valueLength }
        }
        return unsafe body(array.baseAddress, entries.count)
      }
    }
  }
}
