import WireHTTP2

/// Metadata that is validated and encoded, so that many calls can send it.
package struct PreparedMetadata: Sendable {
  package let metadata: Metadata
  let fields: HeaderList

  /// - Throws: one error that names all invalid entries.
  package init(_ metadata: Metadata) throws(MetadataError) {
    try MetadataRules.check(metadata.entries)
    var fields = HeaderList()
    if !metadata.isEmpty {
      let octets = metadata.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.encodedLength }
      fields.reserveCapacity(fields: metadata.count, octets: octets)
    }
    for entry in metadata.entries {
      fields.append(entry.name, entry.value.headerValue, isSensitive: entry.isSensitive)
    }
    self.metadata = metadata
    self.fields = fields
  }

  /// Keeps the metadata of a call that is never sent.
  package init(unsent metadata: Metadata) {
    self.metadata = metadata
    fields = HeaderList()
  }
}
