/// The headers or trailers of a call: names and values, in order. Names may repeat.
///
/// Names are ASCII, case-insensitive and kept in lower case. A name that ends in `-bin` has binary
/// values; every other name has text (gRPC PROTOCOL-HTTP2, Custom-Metadata).
///
///     var metadata: Metadata = ["x-request-id": "17", "x-trace-bin": .binary([1, 2])]
///     try metadata.append("x-user", "anna")
///
/// `append` and the initializers that take a sequence validate the entries and throw. The entries
/// of a literal are validated when a call uses them: an invalid one fails the call before it is
/// sent.
public struct Metadata: Sendable, Hashable {
  /// A value: text, or bytes for a `-bin` name.
  public enum Value: Sendable, Hashable {
    /// The value of a name without `-bin`.
    case text(String)
    /// The bytes of a `-bin` name, sent in Base64.
    case binary([UInt8])
  }

  /// A name with one value.
  public struct Entry: Sendable, Hashable {
    /// The name in lower case.
    public var name: String
    /// Text, or bytes for a name that ends in `-bin`.
    public var value: Value
    /// Whether the value is a credential. It is then redacted in traces and logs, and never indexed
    /// by HPACK.
    public var isSensitive: Bool

    /// Creates an entry. It is validated when it is added to ``Metadata``.
    ///
    /// The name is converted to lower case. `authorization`, `proxy-authorization`, `cookie`,
    /// `set-cookie` and `x-goog-api-key` are always sensitive. The values of other names that look
    /// like credentials, such as `x-api-key`, are only redacted: pass `isSensitive: true` to keep them
    /// out of HPACK's table, too.
    public init(name: String, value: Value, isSensitive: Bool = false) {
      self.init(lowercased: name.lowercasedName, value: value, isSensitive: isSensitive)
    }

    fileprivate init(lowercased name: String, value: Value, isSensitive: Bool) {
      self.name = name
      self.value = value
      self.isSensitive = isSensitive || MetadataRules.isSecret(name)
    }
  }

  package private(set) var entries: [Entry]

  /// Creates metadata without entries.
  public init() {
    entries = []
  }

  init(unchecked entries: [Entry]) {
    self.entries = entries
  }

  package init(minimumCapacity: Int) {
    entries = []
    entries.reserveCapacity(minimumCapacity)
  }

  /// Appends a text value.
  ///
  /// - Throws: ``MetadataError`` if the name or the value is invalid.
  public mutating func append(
    _ name: String, _ value: String, isSensitive: Bool = false
  ) throws(MetadataError) {
    try append(name, .text(value), isSensitive: isSensitive)
  }

  /// Appends bytes under a name that ends in `-bin`.
  ///
  /// - Throws: ``MetadataError`` if the name is invalid.
  public mutating func append(_ name: String, _ value: [UInt8]) throws(MetadataError) {
    try append(name, .binary(value))
  }

  /// Appends a value. ``Entry/init(name:value:isSensitive:)`` lists the names that are always
  /// sensitive.
  ///
  /// - Throws: ``MetadataError`` if the name or the value is invalid.
  public mutating func append(
    _ name: String, _ value: Value, isSensitive: Bool = false
  ) throws(MetadataError) {
    try append(Entry(name: name, value: value, isSensitive: isSensitive))
  }

  /// Appends an entry.
  ///
  /// - Throws: ``MetadataError`` if the name or the value is invalid.
  public mutating func append(_ entry: Entry) throws(MetadataError) {
    let entry = Entry(name: entry.name, value: entry.value, isSensitive: entry.isSensitive)
    try MetadataRules.check(entry)
    entries.append(entry)
  }

  /// Appends all entries of other metadata.
  public mutating func append(contentsOf other: Metadata) {
    entries.append(contentsOf: other.entries)
  }

  /// Removes all values of a name.
  public mutating func removeAll(named name: String) {
    let name = name.lowercasedName
    entries.removeAll { $0.name == name }
  }

  /// Appends an entry that was received, or that a call validates. The name must be in lower case.
  package mutating func append(unchecked name: String, _ value: Value, isSensitive: Bool = false) {
    entries.append(Entry(lowercased: name, value: value, isSensitive: isSensitive))
  }

  /// The first text value of a name. Nil for a name that ends in `-bin`: use ``subscript(binary:)``.
  public subscript(name: String) -> String? {
    let name = name.lowercasedName
    for entry in entries where entry.name == name {
      if case .text(let text) = entry.value { return text }
    }
    return nil
  }

  /// The first binary value of a `-bin` name, in bytes.
  public subscript(binary name: String) -> [UInt8]? {
    let name = name.lowercasedName
    for entry in entries where entry.name == name {
      if case .binary(let bytes) = entry.value { return bytes }
    }
    return nil
  }

  /// All values of a name, in order.
  public subscript(all name: String) -> [Value] {
    let name = name.lowercasedName
    return entries.compactMap { $0.name == name ? $0.value : nil }
  }
}

extension Metadata: RandomAccessCollection {
  public var startIndex: Int { entries.startIndex }
  public var endIndex: Int { entries.endIndex }
  public subscript(position: Int) -> Entry { entries[position] }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// Creates metadata whose entries are validated when a call uses them.
  public init(dictionaryLiteral elements: (String, Value)...) {
    entries = elements.map { Entry(name: $0, value: $1) }
  }
}

extension Metadata.Value: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
