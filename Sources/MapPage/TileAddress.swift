import WireGRPC

/// The address of the tiles of a base map, with the placeholders {z}, {x} and {y}, and perhaps {s} for a
/// subdomain and {r} for the resolution.
package struct TileAddress: Sendable {
  let url: String
  /// The scheme, the host and the port, with * for a subdomain: for the Content-Security-Policy.
  package let origin: String

  /// Why a text is no address of tiles.
  package enum Invalid: Error, Hashable {
    case notAnAddress
    /// It has a user name or a password, which a browser does not send.
    case credentials
    /// The name of a placeholder that is not known.
    case unknownPlaceholder(String)

    /// "expected http:// or https://HOST/… with {z}, {x} and {y}"
    package var reason: String {
      switch self {
      case .notAnAddress: "expected http:// or https://HOST/… with {z}, {x} and {y}"
      case .credentials: "the URL must not have a user name or a password"
      case .unknownPlaceholder(let name): "{\(name)} is not a known placeholder"
      }
    }

    /// One action that helps; nil if the reason has it.
    package var hint: String? {
      switch self {
      case .notAnAddress: nil
      case .credentials: "remove USER:PASSWORD@ from the URL"
      case .unknownPlaceholder:
        "use {z}, {x} and {y}, optionally {s} and {r}, and replace every other placeholder with its value"
      }
    }
  }

  package init(_ text: String) throws(Invalid) {
    let schemes = ["https://", "http://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }),
      text.utf8.count <= 2_048, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      ["{z}", "{x}", "{y}"].allSatisfy(text.mentions)
    else { throw .notAnAddress }
    let placeholders = ["z}", "x}", "y}", "s}", "r}"]
    for part in text.split(separator: "{").dropFirst()
    where !placeholders.contains(where: part.hasPrefix) {
      throw .unknownPlaceholder(String(part.prefix { $0 != "}" }))
    }
    let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
    guard !authority.contains("@") else { throw .credentials }
    let host = authority.hasPrefix("{s}.") ? authority.dropFirst(4) : authority
    let isHost = host.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || Array("-.:[]".utf8).contains(byte)
    }
    guard !host.isEmpty, isHost else { throw .notAnAddress }
    url = text
    origin = scheme + (host.count < authority.count ? "*." : "") + String(host)
  }
}
