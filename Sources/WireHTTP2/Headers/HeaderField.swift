/// The number of a stream: odd for those a client opened (RFC 9113 §5.1.1).
public typealias StreamID = Int32

/// One line of a header list (RFC 9113 §8.2), pseudo-headers such as `:path` included.
public struct HeaderField: Sendable, Hashable {
  /// The name. nghttp2 lower-cases sent names; a peer must send lower case.
  public var name: String
  /// The value. In received bytes that are not UTF-8, U+FFFD replaces the invalid ones.
  public var value: String
  /// Whether the value is a credential. It is sent as a literal that no hop may index (RFC 7541 §7.1.3).
  public var isSensitive: Bool

  public init(_ name: String, _ value: String, isSensitive: Bool = false) {
    self.name = name
    self.value = value
    self.isSensitive = isSensitive
  }
}

extension [HeaderField] {
  /// Returns the value of the first field with this name; nil if there is none.
  package func value(of name: String) -> String? { first { $0.name == name }?.value }
}
