// Metadata from sequences. Each sequence is checked as a whole.

extension Metadata {
  /// Creates metadata with these entries, in order.
  ///
  /// - Throws: one ``MetadataError`` that names all invalid entries.
  public init(_ entries: some Sequence<Entry>) throws(MetadataError) {
    let entries = entries.map { entry in
      Entry(name: entry.name, value: entry.value, isSensitive: entry.isSensitive)
    }
    try MetadataRules.check(entries)
    self.init(unchecked: entries)
  }

  /// Creates metadata from names and values, in order.
  ///
  ///     let metadata = try Metadata([("x-user", "anna"), ("x-trace-bin", .binary([1, 2]))])
  ///
  /// - Throws: one ``MetadataError`` that names all invalid entries.
  public init(_ pairs: [(String, Value)]) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: $1) })
  }

  /// Creates metadata from names and values, in order.
  ///
  /// - Throws: one ``MetadataError`` that names all invalid entries.
  public init(_ pairs: some Sequence<(String, Value)>) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: $1) })
  }

  /// Creates metadata from names and text values, in order.
  ///
  /// - Throws: one ``MetadataError`` that names all invalid entries.
  public init(_ pairs: some Sequence<(String, String)>) throws(MetadataError) {
    try self.init(pairs.map { Entry(name: $0, value: .text($1)) })
  }

  /// Creates metadata from a dictionary of text values, sorted by name.
  ///
  /// - Throws: one ``MetadataError`` that names all invalid entries.
  public init(_ texts: [String: String]) throws(MetadataError) {
    try self.init(texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}
