/// The compression of request messages.
///
/// Responses compressed with gzip or deflate are accepted in any case.
public enum Compression: Sendable, Hashable {
  /// No compression.
  case identity
  /// gzip, for each message separately. Messages that do not shrink are sent uncompressed. A server
  /// that does not support gzip answers UNIMPLEMENTED. `RequestWriter.send(_:compresses:)` can exclude a
  /// message.
  case gzip

  /// The value of `grpc-encoding`; nil if the header is not needed.
  var name: String? {
    switch self {
    case .identity: nil
    case .gzip: "gzip"
    }
  }
}
