import WireGRPC

/// The address of the tiles of a base map, with the placeholders {z}, {x} and {y}, and perhaps {s} for a
/// subdomain and {r} for the resolution.
struct TileAddress: Sendable {
  let url: String
  /// The scheme, the host and the port, with * for a subdomain.
  let origin: String
}

extension Parse {
  static func tiles(_ text: String) throws(BadValue) -> TileAddress {
    let expected = BadValue("expected http:// or https://HOST/… with {z}, {x} and {y}")
    let schemes = ["https://", "http://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { throw expected }
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      ["{z}", "{x}", "{y}"].allSatisfy(text.mentions)
    else { throw expected }
    for part in text.split(separator: "{").dropFirst() where !isPlaceholder(part) {
      throw BadValue(
        "{\(escaped(String(part.prefix { $0 != "}" })))} is not a known placeholder",
        hint:
          "use {z}, {x} and {y}, optionally {s} and {r}, and replace every other placeholder with"
          + " its value")
    }
    let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
    let host = authority.hasPrefix("{s}.") ? authority.dropFirst(4) : authority
    let isHost = host.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || Array("-.:[]".utf8).contains(byte)
    }
    guard !host.isEmpty, isHost else { throw expected }
    return TileAddress(
      url: text, origin: scheme + (host.count < authority.count ? "*." : "") + String(host))
  }
}

private func isPlaceholder(_ part: Substring) -> Bool {
  ["z}", "x}", "y}", "s}", "r}"].contains { part.hasPrefix($0) }
}
