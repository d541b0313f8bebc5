import WireGRPC

/// The address of a service account, from a file or a server. It is shown in commands to copy.
package enum AccountAddress {
  /// Whether a text may be one: letters, digits, `-._~@`.
  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "@") }
  }
}
