/// How messages may be compressed (gRPC compression.md, `grpc-encoding`).
package enum ContentCoding: Hashable {
  case identity
  case gzip
  case deflate
  /// One that we cannot undo.
  case unsupported(String)

  /// What a client offers in `grpc-accept-encoding`: all that it can undo.
  package static let accepted = "identity,gzip,deflate"

  /// - Parameter name: the value of `grpc-encoding`; nil when it was not sent.
  package init(_ name: String?) {
    self =
      switch name {
      // Swift takes long to compare a long run of accents.
      case .some(let other) where other.utf8.count > 8: .unsupported(other)
      case nil, "identity", "": .identity
      case "gzip": .gzip
      case "deflate": .deflate
      case .some(let other): .unsupported(other)
      }
  }
}

extension ContentCoding {
  /// Why a message in this coding cannot be taken; nil when it can.
  package func refusal(of message: MessageDeframer.Message) -> CallError? {
    guard message.isCompressed else { return nil }
    switch self {
    case .gzip, .deflate:
      return nil
    case .identity:
      return .transport(
        .internal, "the server compressed its message, but grpc-encoding names no coding")
    case .unsupported(let name):
      return .transport(
        .internal,
        "the server compressed its message with \"\(name.shortened(to: 32))\"; "
          + "this client offered \(Self.accepted)")
    }
  }
}
