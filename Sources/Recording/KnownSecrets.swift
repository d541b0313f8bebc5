import WireGRPC

/// What calls prove with who asks, so that a server that says it again does not get it recorded.
struct KnownSecrets {
  private var names = RecordedNames()
  /// Those of the last calls: most have the same as the one before, and to prepare the search takes time.
  private var known: [(entry: Metadata.Entry, secrets: [Secret])] = []

  /// Of what a call is sent with. A value of fewer than eight bytes is none: it might be anything.
  mutating func secrets(of metadata: Metadata) -> [Secret] {
    var all: [Secret] = []
    for entry in metadata where names.isSecret(entry) {
      let secrets = secrets(of: entry)
      if all.isEmpty { all = secrets } else { all += secrets }
    }
    return all
  }

  private mutating func secrets(of entry: Metadata.Entry) -> [Secret] {
    if let known = known.first(where: { $0.entry == entry }) { return known.secrets }
    let secrets = Self.values(of: entry).compactMap { Secret($0) }
    if known.count >= 16 { known = [] }
    known.append((entry, secrets))
    return secrets
  }

  /// The secrets as such, of "Bearer SECRET" and of "name=SECRET; name=SECRET".
  private static func values(of entry: Metadata.Entry) -> [[UInt8]] {
    switch entry.value {
    case .binary(let bytes):
      return [bytes, Array(Base64.encode(bytes).utf8)]
    case .text(let text) where entry.name == "cookie":
      return text.utf8.split(separator: UInt8(ascii: ";")).map { cookie in
        Array(cookie.drop { $0 != UInt8(ascii: "=") }.dropFirst())
      }
    case .text(let text):
      guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")),
        text[..<space].allSatisfy(\.isLetter)
      else { return [Array(text.utf8)] }
      return [Array(text.utf8[space...].drop { $0 == UInt8(ascii: " ") })]
    }
  }
}
