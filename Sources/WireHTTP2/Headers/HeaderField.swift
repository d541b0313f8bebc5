/// The number of a stream: odd for those a client opened (RFC 9113 §5.1.1).
public typealias StreamID = Int32

/// One line of a header list (RFC 9113 §8.2), pseudo-headers such as `:path` included.
public struct HeaderField: Sendable, Hashable {
  /// The name; nghttp2 lower-cases it on the way out, a peer must send it in lower case.
  public var name: String
  /// The value. Received bytes that are no UTF-8 are repaired with U+FFFD.
  public var value: String
  /// Whether the value is a secret: it is sent as a literal that no hop may index (RFC 7541 §7.1.3).
  public var isSensitive: Bool

  public init(_ name: String, _ value: String, isSensitive: Bool = false) {
    self.name = name
    self.value = value
    self.isSensitive = isSensitive
  }
}
