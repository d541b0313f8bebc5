/// What calls prove with who asks, so that a server that says it again does not get it shown or recorded.
package struct KnownSecrets {
  /// Those of the last call and of some before it.
  package private(set) var recent: [Secret] = []

  private var kinds = MetadataKinds()
  /// What the last call was sent with, as most are that the next is sent with.
  private var last = Metadata()
  /// What is secret of that.
  private var own: [Metadata.Entry] = []
  /// The secrets of the last calls, the latest last: to prepare the search takes time.
  private var known: [(entry: Metadata.Entry, secrets: [Secret])] = []
  private let memory: Int
  private static let mostOfACall = 64

  /// - Parameter memory: of how many tokens, keys and headers of cookies `recent` has the secrets at
  ///   most, besides those of the last call. Each of them is searched for by itself.
  package init(memory: Int) {
    self.memory = memory
  }

  /// Looks at what a call is sent with. A value of fewer than eight bytes is no secret: it might be
  /// anything.
  package mutating func learn(_ metadata: Metadata) {
    guard metadata != last else { return }
    last = metadata
    let own = metadata.filter { isSecret($0) }
    guard own != self.own else { return }
    self.own = own
    for entry in own {
      let index = known.firstIndex { $0.entry == entry }
      let secrets = index.map { known.remove(at: $0).secrets } ?? secrets(of: entry)
      if !secrets.isEmpty { known.append((entry, secrets)) }
    }
    // Calls for several trips may have as many tokens, in turn.
    known.removeFirst(max(0, known.count - own.count - max(memory, 16)))
    recent = known.suffix(own.count + memory).flatMap(\.secrets).suffix(memory + Self.mostOfACall)
  }

  /// Those of one call.
  package static func of(_ metadata: Metadata) -> [Secret] {
    var known = KnownSecrets(memory: 0)
    known.learn(metadata)
    return known.recent
  }

  private mutating func isSecret(_ entry: Metadata.Entry) -> Bool {
    kinds.isSecret(entry) || entry.value.mayHaveWebToken
  }

  private mutating func secrets(of entry: Metadata.Entry) -> [Secret] {
    let values = kinds.isSecret(entry) ? Self.values(of: entry) : entry.value.webTokens
    // Each is searched for by itself. Longer ones are found in all of them, too.
    if values.count > Self.mostOfACall {
      return [Secret(Array(values.joined()))].compactMap(\.self)
    }
    return values.compactMap { Secret($0) }
  }

  /// The secrets as such, of "Bearer SECRET", "Basic USER:SECRET" and "name=SECRET; name=SECRET".
  private static func values(of entry: Metadata.Entry) -> [[UInt8]] {
    switch entry.value {
    case .binary(let bytes):
      return [bytes]
    case .text(let text) where entry.name == "cookie":
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
      // The name of the user is none, unless the password is too short to be known without it.
      let password = Array(pair.drop { $0 != UInt8(ascii: ":") }.dropFirst())
      return [value, password.count < Secret.shortest ? pair : password]
    }
  }
}

// MARK: JSON web tokens in what has another name

extension Metadata.Value {
  /// Whether there is one in it, or almost: looked at for each call.
  fileprivate var mayHaveWebToken: Bool {
    switch self {
    case .text(let text): Self.mayHaveWebToken(text.utf8Span.span)
    case .binary(let bytes): Self.mayHaveWebToken(bytes.span)
    }
  }

  /// Without a branch, so that many octets are looked at at a time.
  private static func mayHaveWebToken(_ octets: Span<UInt8>) -> Bool {
    unsafe octets.withUnsafeBufferPointer { octets in
      var isThere: UInt8 = 0
      for index in 0..<max(0, octets.count - 2) {
        let e = unsafe octets[index] ^ UInt8(ascii: "e")
        let y = unsafe octets[index + 1] ^ UInt8(ascii: "y")
        let j = unsafe octets[index + 2] ^ UInt8(ascii: "J")
        isThere |= e | y | j == 0 ? 1 : 0
      }
      return isThere != 0
    }
  }

  /// All that look like one (RFC 7519 §3): three parts in Base64 for URLs, of which the first begins as
  /// an object of JSON does.
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
