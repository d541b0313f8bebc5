import WireGRPC

/// Encodes IDs as tokens of NATS subjects, which are also legal in keys of key-value buckets.
///
/// ASCII letters, digits, `-` and `_` stand for themselves. Each other byte of the UTF-8 form is `=` and two
/// upper-case hexadecimal digits: `t.1` is `t=2E1`.
enum NATSToken {
  static func encode(_ id: String) -> String {
    replacing("%", in: id.percentEncoded(keeping: isPlain), with: "=")
  }

  /// Returns nil for a token that `encode` does not return.
  static func decode(_ token: some StringProtocol) -> String? {
    let bytes = replacing("=", in: token, with: "%").percentDecoded
    guard !bytes.isEmpty, let id = String(validating: bytes, as: UTF8.self), encode(id) == token
    else { return nil }
    return id
  }

  private static func replacing(
    _ old: Unicode.Scalar, in text: some StringProtocol, with new: Unicode.Scalar
  ) -> String {
    let (old, new) = (UInt8(ascii: old), UInt8(ascii: new))
    return String(decoding: text.utf8.map { $0 == old ? new : $0 }, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isUnreserved && byte != UInt8(ascii: ".") && byte != UInt8(ascii: "~")
  }
}
