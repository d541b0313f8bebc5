/// Why a piece of metadata may not be sent.
public struct MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name as it was given.
  public var name: String
  /// What is wrong, with the place: "the character U+00E9 at offset 3 of the name is not …".
  public var description: String
}

/// Which names and values a client may send (gRPC PROTOCOL-HTTP2: Header-Name, ASCII-Value).
package enum MetadataRules {
  /// Names that the transport writes itself, or that HTTP/2 forbids.
  private static let reserved = [
    "te", "content-type", "content-length", "user-agent", "host", "connection", "keep-alive",
    "proxy-connection", "transfer-encoding", "upgrade",
  ]

  /// Whether the values of a name are secret wherever they come from.
  package static func isSecret(_ name: String) -> Bool {
    switch name {
    case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key": true
    default: false
    }
  }

  /// Whether the value of a field is not to be shown: by its name, one of those or such as gateways
  /// invent, "x-api-key" or "x-auth-token". Too slow for every call.
  package static func mayBeSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return isSecret(name)
      || ["authorization", "token", "secret", "password", "credential", "api-key", "apikey"]
        .contains { name.mentions($0) }
  }

  /// What is shown of a value, in traces, logs and debuggers: itself, unless it is secret.
  package static func shown(
    _ value: @autoclosure () -> String, of name: String, isSensitive: Bool = false
  ) -> String {
    isSensitive || mayBeSecret(name) ? "<redacted>" : value()
  }

  package static func check(_ entry: Metadata.Entry) throws(MetadataError) {
    let name = entry.name
    func error(_ text: String) -> MetadataError {
      MetadataError(name: name, description: "metadata \"\(name)\": \(text)")
    }

    guard !name.isEmpty else { throw error("the name is empty") }
    if !isName(name) {
      for (offset, scalar) in name.unicodeScalars.enumerated() where !isName(String(scalar)) {
        throw error(
          "\(describe(scalar)) at offset \(offset) of the name is not one of a-z 0-9 _ - .")
      }
    }
    if reserved.contains(where: { $0.utf8.count == name.utf8.count && $0 == name }) {
      throw error("this name belongs to the transport")
    }
    guard !name.hasPrefix("grpc-") || name == "grpc-trace-bin" else {
      throw error("names that start with \"grpc-\" belong to gRPC itself")
    }

    switch entry.value {
    case .binary:
      guard name.hasSuffix("-bin") else {
        throw error("bytes need a name that ends in \"-bin\"")
      }
    case .text(let text):
      guard !name.hasSuffix("-bin") else {
        throw error("a name that ends in \"-bin\" takes bytes, not text")
      }
      // Almost always so: the slow way only finds the place.
      if text.hasOnly(octets: 0x20...0x7E) { return }
      for (offset, scalar) in text.unicodeScalars.enumerated()
      where !(0x20...0x7E).contains(scalar.value) {
        throw error(
          "\(describe(scalar)) at offset \(offset) of the value is not printable ASCII; "
            + "send it as bytes under a \"-bin\" name")
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    let octets = text.utf8Span.span
    for index in octets.indices {
      switch octets[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        continue
      default:
        return false
      }
    }
    return true
  }

  private static func describe(_ scalar: Unicode.Scalar) -> String {
    if (0x21...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "the character U+" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
  }
}
