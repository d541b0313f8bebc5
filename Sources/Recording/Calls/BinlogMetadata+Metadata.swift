package import WireGRPC

extension BinlogMetadata {
  /// Returns the metadata without invalid entries.
  ///
  /// - Parameter report: called for each of those.
  package func metadata(reporting report: (MetadataError) -> Void = { _ in }) -> Metadata {
    var metadata = Metadata()
    for item in entry {
      let isBinary = item.key.lowercased().hasSuffix("-bin")
      do throws(MetadataError) {
        try metadata.append(
          item.key,
          isBinary ? .binary(item.value) : .text(String(decoding: item.value, as: UTF8.self)))
      } catch {
        report(error)
      }
    }
    return metadata
  }
}
