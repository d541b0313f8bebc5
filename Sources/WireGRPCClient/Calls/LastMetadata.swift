import WireGRPC
import WireSystem

/// The metadata of the last call in the form in which it is sent. Most calls of a channel have the same, and to check
/// and encode it again takes longer than to compare it (docs/decisions/calls/metadata-checks.md).
final class LastMetadata: Sendable {
  private let last = Locked<PreparedMetadata?>(nil)

  /// - Throws: one error that names all invalid entries.
  func prepared(_ metadata: Metadata) throws(MetadataError) -> PreparedMetadata {
    if let last = last.withLock({ $0 }), last.metadata == metadata { return last }
    let prepared = try PreparedMetadata(metadata)
    last.withLock { $0 = prepared }
    return prepared
  }
}
