/// The token of a call. No description shows it.
package struct BearerToken: Equatable, Sendable {
  package let value: String

  /// - Parameter credentials: the value of a header field `authorization`.
  /// - Returns: nil for credentials of another kind (RFC 6750 §2.1).
  package init?(credentials: String) {
    let parts = credentials.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    value = String(parts[1])
  }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
  package var description: String { "BearerToken(<redacted>)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
