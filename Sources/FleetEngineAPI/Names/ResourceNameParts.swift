/// The checked parts of `providers/{provider}/{collection}/{id}`.
struct ResourceNameParts: Sendable, Hashable, CustomStringConvertible {
  let providerID: String
  let kind: ResourceKind
  let id: String
  /// The full name.
  let description: String

  static func == (one: Self, other: Self) -> Bool { one.description == other.description }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  /// Checks the parts of a name. The error has the full name.
  init(_ providerID: String, _ kind: ResourceKind, _ id: String) throws(ResourceNameError) {
    try self.init("providers/\(providerID)/\(kind.rawValue)/\(id)", [kind])
  }

  /// - Parameter kinds: the allowed kinds, at least one.
  init(_ name: String, _ kinds: [ResourceKind]) throws(ResourceNameError) {
    if let parts = Self(ascii: name, kinds) {
      self = parts
      return
    }
    let example = (kinds.first ?? .trip).form
    let form = (kinds.count > 1 ? "a name such as " : "") + example
    // Swift treats a "/" with a combining mark as another character; Fleet Engine treats it as a
    // "/".
    if let (offset, character) = Self.firstInvalid(in: name[...], where: Self.isMarkedDelimiter) {
      throw ResourceNameError(
        name: name, range: offset..<(offset + 1),
        reason:
          "a combining mark must not follow a \"\(String(character.unicodeScalars.prefix(1)))\"")
    }
    // Everything after the ID is one segment: the name may be a stranger's, and have a million of them.
    let segments = name.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
    let starts = segments.indices.map { index in
      segments[..<index].reduce(0) { $0 + $1.count + 1 }
    }
    func error(at offset: Int, length: Int = 1, _ reason: String) -> ResourceNameError {
      ResourceNameError(name: name, range: offset..<(offset + length), reason: reason)
    }
    func error(inSegment index: Int, _ reason: String) -> ResourceNameError {
      guard index < segments.count else { return error(at: name.count, length: 0, reason) }
      return error(at: starts[index], length: segments[index].count, reason)
    }

    guard segments[0] == "providers" else {
      throw error(inSegment: 0, "the name does not begin with \"providers/\" (expected \(form))")
    }
    guard segments.count > 1, !segments[1].isEmpty else {
      throw error(inSegment: 1, "the provider (the Cloud project) is missing (expected \(form))")
    }
    if let (offset, character) = Self.firstInvalid(in: segments[1], where: Self.isInvalidInProvider)
    {
      throw error(
        at: starts[1] + offset, "a project ID must not contain a \(Self.displayed(character))")
    }
    guard segments.count > 2, let kind = ResourceKind(rawValue: String(segments[2])),
      kinds.contains(kind)
    else {
      let all = kinds.map { "\"\($0.rawValue)\"" }
      let wanted = all.count == 1 ? all[0] : "one of " + all.joined(separator: ", ")
      throw error(inSegment: 2, "expected \(wanted) after the provider (as in \(example))")
    }
    let what = kind.idNoun
    guard segments.count > 3, !segments[3].isEmpty else {
      throw error(inSegment: 3, "the \(what) is missing")
    }
    guard segments.count == 4 else {
      throw error(at: starts[4] - 1, "a \(what) must not contain a \"/\"")
    }
    if let (offset, character) = Self.firstInvalid(in: segments[3], where: { ":?,#".contains($0) })
    {
      throw error(
        at: starts[3] + offset, "a \(what) must not contain a \(Self.displayed(character))")
    }
    let length = segments[3].unicodeScalars.count
    guard length <= 64 else {
      throw error(inSegment: 3, "a \(what) has at most 64 characters, this one has \(length)")
    }
    if let offset = offsetOfDenormalized(in: segments[3]) {
      throw error(
        at: starts[3] + offset, "a \(what) must be in Unicode normalization form C (NFC)")
    }
    providerID = String(segments[1])
    self.kind = kind
    id = String(segments[3])
    description = name
  }

  /// Parses a valid name of ASCII characters, which takes less than a tenth of the time; nil for any other name.
  private init?(ascii name: String, _ kinds: [ResourceKind]) {
    guard let (provider, collection, last) = nameSegments(of: name) else { return nil }
    let octets = name.utf8Span.span
    guard !provider.isEmpty, 1...64 ~= last.count,
      provider.allSatisfy({ octets[$0] > 0x20 && Self.isAllowed(octets[$0]) }),
      last.allSatisfy({ octets[$0] != UInt8(ascii: ":") && Self.isAllowed(octets[$0]) }),
      let kind = kinds.first(where: { octets.equals($0.rawValue, in: collection) }),
      let providerID = octets.text(provider), let id = octets.text(last)
    else { return nil }
    self.providerID = providerID
    self.kind = kind
    self.id = id
    description = name
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: ","), UInt8(ascii: "#"): false
    default: byte < 0x7f
    }
  }

  private static func isMarkedDelimiter(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    return scalars.count > 1 && scalars.first.map { "/:?,#".unicodeScalars.contains($0) } ?? false
  }

  /// The provider is also sent in header fields, which allow visible ASCII only.
  private static func isInvalidInProvider(_ character: Character) -> Bool {
    guard let ascii = character.asciiValue else { return true }
    return !(0x21...0x7e).contains(ascii) || "?,#".contains(character)
  }

  private static func firstInvalid(
    in segment: Substring, where isInvalid: (Character) -> Bool
  ) -> (Int, Character)? {
    for (offset, character) in segment.enumerated() where isInvalid(character) {
      return (offset, character)
    }
    return nil
  }

  private static func displayed(_ character: Character) -> String {
    if character == " " { return "space" }
    if let ascii = character.asciiValue, !(0x21...0x7e).contains(ascii) {
      return "control character"
    }
    return "\"\(character)\""
  }
}
