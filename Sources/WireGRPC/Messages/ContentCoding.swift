/// The compression of received messages (gRPC compression.md, `grpc-encoding`).
package enum ContentCoding: Hashable {
  case identity
  case gzip
  case deflate
  /// A compression that the client does not support.
  case unsupported(String)

  /// The value of `grpc-accept-encoding`: all that the client supports.
  package static let accepted = "identity,gzip,deflate"

  /// - Parameter name: `grpc-encoding`, in any case (RFC 9110 §8.4.1); nil if it is missing.
  package init(_ name: String?) {
    self =
      switch name {
      // Swift compares long runs of combining marks slowly.
      case .some(let other) where other.utf8.count > 8: .unsupported(other)
      case nil: .identity
      case .some(let name):
        switch name.lowercased() {
        case "identity", "": .identity
        case "gzip": .gzip
        case "deflate": .deflate
        default: .unsupported(name)
        }
      }
  }
}

extension ContentCoding {
  func refusal(of message: MessageDeframer.Message) -> CallError? {
    guard message.isCompressed else { return nil }
    switch self {
    case .gzip, .deflate:
      return nil
    case .identity:
      return .transport(
        .internal, "the server compressed its message, but grpc-encoding is missing or identity")
    case .unsupported(let name):
      return .transport(
        .internal,
        "the server compressed its message with \"\(name.shortened(to: 32))\"; "
          + "this client offered \(Self.accepted)")
    }
  }
}
