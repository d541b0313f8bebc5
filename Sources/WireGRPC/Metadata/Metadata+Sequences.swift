// Metadata from sequences, each of which is checked as a whole.

extension Metadata {
  /// Creates metadata with these entries, in their order.
  ///
  /// - Throws: one ``MetadataError`` that names all entries that may not be sent.
  public init(_ entries: some Sequence<Entry>) throws(MetadataError) {
    let entries = entries.map { entry in
      Entry(name: entry.name, value: entry.value, isSensitive: entry.isSensitive)
    }
    try MetadataRules.check(entries)
    self.init(unchecked: entries)
  }

  /// Creates metadata from names with their values, in their order.
  ///
  ///     let metadata = try Metadata([("x-user", "anna"), ("x-trace-bin", .binary([1, 2]))])
  ///
  /// - Throws: one ``MetadataError`` that names all entries that may not be sent.
  public init(_ pairs: [(String, Value)]) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: $1) })
  }

  /// Creates metadata from names with their values, in their order.
  ///
  /// - Throws: one ``MetadataError`` that names all entries that may not be sent.
  public init(_ pairs: some Sequence<(String, Value)>) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: $1) })
  }

  /// Creates metadata from names with their texts, in their order.
  ///
  /// - Throws: one ``MetadataError`` that names all entries that may not be sent.
  public init(_ pairs: some Sequence<(String, String)>) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: .text($1)) })
  }

  /// Creates metadata from a dictionary of texts, in the order of its names.
  ///
  /// - Throws: one ``MetadataError`` that names all entries that may not be sent.
  public init(_ texts: [String: String]) throws(MetadataError) {
    try self.init(texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}
