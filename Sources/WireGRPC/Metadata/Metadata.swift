/// The headers or trailers of a call: names with values, in order, repeats kept.
///
/// Names are ASCII and compared without case; they are kept in lower case. A name that ends in
/// `-bin` carries bytes, every other name carries text (gRPC PROTOCOL-HTTP2, Custom-Metadata).
///
///     var metadata: Metadata = ["x-request-id": "17", "x-trace-bin": .binary([1, 2])]
///     try metadata.append("x-user", "anna")
///
/// `append` and the initializers that take a sequence check the entries and throw. The entries of a
/// literal are checked when the call is made, which then fails before anything is sent.
public struct Metadata: Sendable, Hashable {
  /// What a name stands for: text, or bytes under a `-bin` name.
  public enum Value: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
  }

  /// One name with one value.
  public struct Entry: Sendable, Hashable {
    public var name: String
    public var value: Value
    /// Never shown in a trace or a log, and never indexed by the header compression.
    public var isSensitive: Bool

    /// Creates an entry, which is checked when it is added to ``Metadata``. The name is kept in lower
    /// case; `authorization`, cookies and API keys are sensitive without being marked.
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

  public init() {
    entries = []
  }

  /// Creates metadata of checked entries.
  init(unchecked entries: [Entry]) {
    self.entries = entries
  }

  package init(minimumCapacity: Int) {
    entries = []
    entries.reserveCapacity(minimumCapacity)
  }

  /// Adds a text value, after any of the same name.
  ///
  /// - Throws: ``MetadataError`` when the name or the value may not be sent.
  public mutating func append(
    _ name: String, _ value: String, isSensitive: Bool = false
  ) throws(MetadataError) {
    try append(name, .text(value), isSensitive: isSensitive)
  }

  /// Adds bytes under a name that ends in `-bin`, after any of the same name.
  ///
  /// - Throws: ``MetadataError`` when the name may not be sent.
  public mutating func append(_ name: String, _ value: [UInt8]) throws(MetadataError) {
    try append(name, .binary(value))
  }

  /// Adds a value, after any of the same name. `authorization`, cookies and API keys are
  /// sensitive without being marked.
  ///
  /// - Throws: ``MetadataError`` when the name or the value may not be sent.
  public mutating func append(
    _ name: String, _ value: Value, isSensitive: Bool = false
  ) throws(MetadataError) {
    try append(Entry(name: name, value: value, isSensitive: isSensitive))
  }

  /// Adds an entry, after any of the same name.
  ///
  /// - Throws: ``MetadataError`` when the name or the value may not be sent.
  public mutating func append(_ entry: Entry) throws(MetadataError) {
    let entry = Entry(name: entry.name, value: entry.value, isSensitive: entry.isSensitive)
    try MetadataRules.check(entry)
    entries.append(entry)
  }

  /// Adds all entries of another, after those that are here.
  public mutating func append(contentsOf other: Metadata) {
    entries.append(contentsOf: other.entries)
  }

  /// Removes every value of a name.
  public mutating func removeAll(named name: String) {
    let name = name.lowercasedName
    entries.removeAll { $0.name == name }
  }

  /// Adds what a peer sent, or what is checked when the call is made. The name is in lower case.
  package mutating func append(unchecked name: String, _ value: Value, isSensitive: Bool = false) {
    entries.append(Entry(lowercased: name, value: value, isSensitive: isSensitive))
  }

  /// The first text of a name.
  public subscript(name: String) -> String? {
    let name = name.lowercasedName
    for entry in entries where entry.name == name {
      if case .text(let text) = entry.value { return text }
    }
    return nil
  }

  /// The first bytes of a `-bin` name.
  public subscript(binary name: String) -> [UInt8]? {
    let name = name.lowercasedName
    for entry in entries where entry.name == name {
      if case .binary(let bytes) = entry.value { return bytes }
    }
    return nil
  }

  /// Every value of a name, in order.
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
  public init(dictionaryLiteral elements: (String, Value)...) {
    entries = elements.map { Entry(name: $0, value: $1) }
  }
}

extension Metadata.Value: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
