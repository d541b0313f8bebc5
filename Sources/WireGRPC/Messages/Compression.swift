/// How the messages of a call are compressed before they are sent.
///
/// Whatever is chosen here, answers that the server compresses with gzip or deflate are taken.
public enum Compression: Sendable, Hashable {
  /// Not at all.
  case identity
  /// With gzip, each message by itself. Messages that do not shrink go as they are. A server that
  /// cannot read gzip answers UNIMPLEMENTED.
  case gzip

  /// The value of `grpc-encoding`; nil when none is needed.
  var name: String? {
    switch self {
    case .identity: nil
    case .gzip: "gzip"
    }
  }
}
