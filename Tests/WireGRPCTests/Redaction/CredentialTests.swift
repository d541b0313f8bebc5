import TestSupport
import Testing

@testable import WireGRPC

@Suite(.timeLimit(.minutes(20))) struct CredentialTests {
  private static let token = Array("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl".utf8)

  static func redacted(
    _ text: [UInt8], _ secret: [UInt8] = token, isCutShort: Bool = false
  ) throws -> [UInt8] {
    var text = text
    let secret = try #require(Credential(secret))
    var pieces: [Range<Int>] = []
    text.withUnsafeBytes { secret.find(in: $0, isCutShort: isCutShort, &pieces) }
    for place in pieces.joined() { text[place] = UInt8(ascii: "*") }
    return text
  }

  static func redacted(_ text: String, _ secret: String, isCutShort: Bool = false) throws -> String
  {
    String(
      decoding: try redacted(Array(text.utf8), Array(secret.utf8), isCutShort: isCutShort),
      as: UTF8.self)
  }

  @Test(arguments: [
    ("hushhush", "hushhush", "********"),
    ("is hushhush hushhush?", "hushhush", "is ******** ********?"),
    ("hushhushhush", "hushhush", "********hush"),
    ("hushhus", "hushhush", "hushhus"),
    ("", "hushhush", ""),
    // At least half of the credential is masked, but not less.
    ("x cdefghijkl y", "abcdefghijklmnopqrst", "x ********** y"),
    ("x cdefghijk y", "abcdefghijklmnopqrst", "x cdefghijk y"),
    // The credential repeats a part, and the longest match is masked.
    ("..repeated4567", "repeated1234repeated4567", "..************"),
  ])
  func occurrencesAreMasked(text: String, secret: String, rest: String) throws {
    #expect(try Self.redacted(text, secret) == rest)
  }

  @Test(arguments: ["+", "-"]) func base64IsMasked(digit: String) throws {
    let code = "YW4tb3BhcXVlLW9uZX5\(digit)fm9mLXNvbWVib2R5"
    let redacted = try Self.redacted("a \(code)= b", "an-opaque-one~~~of-somebody")
    #expect(redacted == "a \(String(repeating: "*", count: 36))= b")
  }

  @Test(arguments: [
    "616e2d6f70617175652d6f6e657e7e7e6f662d736f6d65626f6479",
    "616E2D6F70617175652D6F6E657E7E7E6F662D736F6D65626F6479",
  ])
  func hexadecimalIsMasked(code: String) throws {
    let redacted = try Self.redacted("a \(code) b", "an-opaque-one~~~of-somebody")
    #expect(redacted == "a \(String(repeating: "*", count: 54)) b")
  }

  private static func masked(_ text: String, isCutShort: Bool = false) throws -> String {
    var bytes = Array(text.utf8)
    let secret = try #require(Credential(Array("an-opaque-one~~~of-somebody".utf8)))
    bytes.withUnsafeMutableBytes { [secret].redact($0, isCutShort: isCutShort) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    // Reserved characters or all bytes encoded, once or twice, with capital or small digits.
    "an-opaque-one%7E%7E%7Eof-somebody", "an-opaque-one%257E%257E%257Eof-somebody",
    "%61%6e%2d%6f%70%61%71%75%65%2d%6f%6e%65%7e%7e%7e%6f%66%2d%73%6f%6d%65%62%6f%64%79",
    "%2561n%252dopaqu%2565-one~~%257eof-somebody", "a%6E-opaque-one%25257e~~of-somebody",
    // Percent-encoded base64 and hexadecimal.
    "YW4tb3BhcXVlLW9uZX5%2Bfm9mLXNvbWVib2R5",
    "%3616e2d6f70%3617175652d%36f6e657e7e%37e6f662d73%36f6d65626f%36479",
  ])
  func percentEncodingIsMasked(code: String) throws {
    let shown = try Self.masked("100% <\(code)> %zz%4")
    #expect(shown.hasPrefix("100% <*") && shown.hasSuffix("> %zz%4"), "\(shown)")
    #expect(shown.utf8.count == code.utf8.count + "100% <> %zz%4".utf8.count)
    let levels = [shown, shown.percentDecodedText, shown.percentDecodedText.percentDecodedText]
    for level in levels {
      for piece in ["opaq", "pXVl", "6f70"] { #expect(!level.contains(piece)) }
    }
  }

  @Test func truncatedPercentEncodingIsMasked() throws {
    let code = "%61%6E%2D%6F%70%61%71%75%65%2D"
    for end in 24...code.utf8.count {
      let shown = try Self.masked("<" + code.prefix(end), isCutShort: true)
      let rest = shown.dropFirst().filter { $0 != "*" }
      #expect(rest.utf8.count < 3, "\(shown)")
    }
    #expect(try Self.masked("100%25 %41%42%43") == "100%25 %41%42%43")
  }

  /// The credential may start at any offset of the encoded text.
  @Test(arguments: ["", "x", "xy", "Bearer ", "anna:"])
  func base64OfALongerTextIsMasked(before: String) throws {
    let secret = "an-opaque-one~~~of-somebody"
    let code = Base64.encode(Array((before + secret + ", they say").utf8))
    let redacted = try Self.redacted(code, secret)
    #expect(redacted.utf8.count == code.utf8.count)
    // The digits at both ends also encode other bytes and stay.
    #expect(redacted.count { $0 == "*" } >= secret.utf8.count * 4 / 3 - 3)
    let rest = Base64.decode(redacted.replacing("*", with: "A")) ?? []
    #expect(!String(decoding: rest, as: UTF8.self).contains("opaque"))
  }

  /// Each byte is chosen so that an earlier hash function of the last eight bytes starts with
  /// zeros.
  @Test func hashCollisionsCannotBeChosen() throws {
    var chosen: [UInt8] = []
    var word: UInt64 = 0
    for _ in 0..<4_000 {
      let best = (33...126).map { UInt8($0) }.min { one, other in
        let ends = [one, other].map { ((word >> 8 | UInt64($0) << 56) &* 0x9E37_79B9_7F4A_7C15) }
        return ends[0] < ends[1]
      }
      let byte = try #require(best)
      word = word >> 8 | UInt64(byte) << 56
      chosen.append(byte)
    }
    var dice = SplitMix(state: 4)
    let other = chosen.map { _ in UInt8.random(in: 33...126, using: &dice) }
    func time(_ bytes: [UInt8]) throws -> Duration {
      try (0..<5).map { _ in
        try processorTime { _ = try #require(Credential(bytes)) }
      }.min() ?? .zero
    }
    #expect(try time(chosen) < time(other) * 5)
  }

  /// Their common start is a piece of both.
  @Test(arguments: ["%@", "Bearer %@ or", "%25%@"], [false, true])
  func credentialsThatBeginAlikeAreMasked(form: String, isEncoded: Bool) throws {
    let secrets = [
      "my-project-fleet-prod_A1b2C3d4E5f6G7h", "my-project-fleet-prod_Z9y8X7w6V5u4T3s",
    ]
    let credentials = try secrets.map { try #require(Credential(Array($0.utf8))) }
    for secret in secrets {
      let shown = isEncoded ? secret.replacing("_", with: "%5f") : secret
      let text = form.replacing("%@", with: shown)
      let masked = String(repeating: "*", count: shown.utf8.count)
      #expect(credentials.redacted(text) == form.replacing("%@", with: masked))
    }
  }

  @Test func shortTextIsNotACredential() {
    #expect(Credential(Array("hushhus".utf8)) == nil)
  }

  @Test func pieceBeforeACutIsMasked() throws {
    #expect(try Self.redacted("a abcdefgh", "abcdefghijklmnop", isCutShort: true) == "a ********")
    #expect(try Self.redacted("a abcdefg", "abcdefghijklmnop", isCutShort: true) == "a abcdefg")
    for count in 8...Self.token.count {
      let text = [1] + Self.token.prefix(count)
      let redacted = [1] + [UInt8](repeating: UInt8(ascii: "*"), count: count)
      #expect(try Self.redacted(text, isCutShort: true) == redacted)
    }
  }

  /// For random texts with pieces of the credential at random positions.
  @Test func piecesOfSixteenBytesAreMasked() throws {
    var dice = SplitMix(state: 9)
    for _ in 0..<500 {
      let letters = UInt8.random(in: 8...60, using: &dice)
      var secret = (0..<Int.random(in: 8...60, using: &dice)).map { _ in
        UInt8.random(in: 65...64 + letters, using: &dice)
      }
      if Bool.random(using: &dice) { secret += secret }
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...6, using: &dice) {
        text += [UInt8](repeating: 1, count: Int.random(in: 0...12, using: &dice))
        let start = Int.random(in: 0..<secret.count, using: &dice)
        text += secret[start..<Int.random(in: start...secret.count, using: &dice)]
      }
      let redacted = try Self.redacted(text, secret)
      #expect(redacted.count == text.count)
      #expect(zip(text, redacted).allSatisfy { $0 == $1 || $1 == UInt8(ascii: "*") })
      let least = max(8, min(16, secret.count / 2))
      let pieces = Self.pieces(of: secret, least)
      #expect(pieces.isDisjoint(with: Self.pieces(of: redacted, least)))
      if pieces.isDisjoint(with: Self.pieces(of: text, least)) { #expect(redacted == text) }
    }
  }

  private static func pieces(of bytes: [UInt8], _ size: Int) -> Set<ArraySlice<UInt8>> {
    Set((0..<max(0, bytes.count - size + 1)).map { bytes[$0..<$0 + size] })
  }

  /// Texts that a server could send to slow down the search.
  @Test(arguments: [
    Named("one byte", [UInt8](repeating: 97, count: 60_000)),
    Named("two bytes", (0..<60_000).map { UInt8($0 & 1) }),
    Named("all bytes", (0..<60_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }),
  ])
  func similarTextIsSearchedInLinearTime(_ named: Named<[UInt8]>) throws {
    let secret = named.value
    for part in [15, secret.count - 1] {
      let near = secret.prefix(part) + [255]
      let text = Array(repeatElement(near, count: (1 << 20) / near.count).joined())
      #expect(try Self.redacted(text, secret).count == text.count)
    }
  }
}

extension String {
  fileprivate var percentDecodedText: String { String(decoding: percentDecoded, as: UTF8.self) }
}
