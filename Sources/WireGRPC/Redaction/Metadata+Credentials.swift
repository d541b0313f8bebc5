extension Metadata {
  package var credentials: [Credential] {
    var kinds = MetadataKinds()
    return flatMap { kinds.credentials(of: $0) }.suffix(Credential.maxPerCall)
  }
}

extension MetadataKinds {
  /// Returns the credentials of an entry: its value if the name or the form is that of a credential,
  /// otherwise the JSON web tokens in it. Values of fewer than eight bytes are ignored, because they
  /// occur by chance.
  mutating func credentials(of entry: Metadata.Entry) -> [Credential] {
    let values = kind(of: entry) == .credential ? entry.credentialValues : entry.value.webTokens
    // Each value is also found in the joined text.
    if values.count > Credential.maxPerCall {
      return [Credential(Array(values.joined()))].compactMap(\.self)
    }
    return values.compactMap { Credential($0) }
  }
}

extension Metadata.Entry {
  /// The credentials in "Bearer CREDENTIAL", "Basic USER:PASSWORD" and "name=CREDENTIAL;
  /// name=CREDENTIAL".
  fileprivate var credentialValues: [[UInt8]] {
    switch value {
    case .binary(let bytes):
      return [bytes]
    case .text(let text) where name == "cookie":
      return text.utf8.split(separator: UInt8(ascii: ";")).map { cookie in
        let name = cookie.firstIndex(of: UInt8(ascii: "="))
        return Array(
          name.map { cookie[$0...].dropFirst() } ?? cookie.drop { $0 == UInt8(ascii: " ") })
      }
    case .text(let text):
      guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")),
        text[..<space].allSatisfy(\.isLetter)
      else { return [Array(text.utf8)] }
      let value = Array(text.utf8[space...].drop { $0 == UInt8(ascii: " ") })
      guard text[..<space].lowercased() == "basic",
        let pair = Base64.decode(String(decoding: value, as: UTF8.self))
      else { return [value] }
      // The user name is not a credential, but a short password is only found with it.
      let password = Array(pair.drop { $0 != UInt8(ascii: ":") }.dropFirst())
      return [value, password.count < Credential.shortest ? pair : password]
    }
  }
}

extension Metadata.Value {
  /// The parts that look like a JSON web token (RFC 7519 §3): three parts in URL-safe Base64, the first
  /// of which starts like a JSON object.
  var webTokens: [[UInt8]] {
    let octets =
      switch self {
      case .text(let text): Array(text.utf8)
      case .binary(let bytes): bytes
      }
    let dot = UInt8(ascii: ".")
    return octets.split { !Self.isBase64URL($0) && $0 != dot }.compactMap { word in
      let start = word.indices.first { word[$0...].starts(with: "eyJ".utf8) }
      let token = start.map { word[$0...] } ?? []
      return token.count { $0 == dot } >= 2 ? Array(token) : nil
    }
  }

  private static func isBase64URL(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
