import WireGRPC
package import WireProtobuf

/// A decoded JWT (RFC 7519). The signature is not verified.
package struct JSONWebToken: Sendable {
  package let header: Struct
  package let claims: Struct
  /// Header and claims as written, on one line. Integers beyond 2^53 are exact here.
  package let json: (header: String, claims: String)
  package let signature: [UInt8]
  /// The text that was signed.
  package let signedText: String

  /// The reason why a text is not a JWT. Never contains a part of it.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// An action, or what the text may be instead.
    package let cure: String
  }

  package init(_ token: String) throws(Problem) {
    // Prefix of Google's access tokens. A JWT starts with the base64 of "{".
    guard !token.hasPrefix("ya29.") else {
      throw Problem(
        description: "it is an OAuth access token, which cannot be inspected offline",
        cure:
          "Fleet Engine accepts access tokens: check the roles of the account that this one was issued"
          + " to")
    }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      let count = parts.count == 1 ? "1 part" : "\(parts.count) parts"
      let cure =
        switch parts.count {
        case 1:
          "pass a JWT; an OAuth access token cannot be inspected"
        case 5: "use a signed JWT: an encrypted one can be read only by its recipient"
        default: "copy the whole token and nothing else"
        }
      throw Problem(
        description: "it has \(count), expected 3 parts separated by dots", cure: cure)
    }
    let header = try Self.object(parts[0], "the header (part 1)")
    let claims = try Self.object(parts[1], "the claims (part 2)")
    guard let signature = Base64URL.decode(parts[2]) else {
      throw Self.notBase64URL("the signature (part 3)")
    }
    (self.header, self.claims) = (header.object, claims.object)
    json = (header.text, claims.text)
    self.signature = signature
    signedText = "\(parts[0]).\(parts[1])"
  }

  private static func object(
    _ part: Substring, _ name: String
  ) throws(Problem) -> (object: Struct, text: String) {
    guard let bytes = Base64URL.decode(part) else { throw notBase64URL(name) }
    do throws(JSONDecodingError) {
      let object = try Struct(jsonUTF8Bytes: bytes)
      // Line ends can occur only between JSON tokens, where a space is equivalent.
      let line = bytes.map { $0 < 0x20 ? 0x20 : $0 }
      return (object, String(decoding: line, as: UTF8.self))
    } catch {
      let problem =
        switch error.reason {
        case .duplicateField: "has a duplicate member"
        case .malformedNumber, .numberOutOfRange: "has an invalid number"
        case .malformedString(.invalidUTF8), .malformedString(.unpairedSurrogate):
          "has a string that is not Unicode"
        case .malformedString(let fault): "has a malformed string: \(fault.rawValue)"
        case .trailingText: "has text after the end"
        default: "is not a JSON object"
        }
      throw Problem(
        description: "\(name) \(problem)", cure: "correct the program that signs the token")
    }
  }

  private static func notBase64URL(_ name: String) -> Problem {
    Problem(
      description: "\(name) is not base64url",
      cure: "copy the token again: it was changed or truncated")
  }

  /// Returns the claims `iat` and `exp` if the token is a JWT, in seconds since 1970.
  static func times(of token: String) -> (issued: Double?, expiration: Double?) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = try? object(parts[1], "") else { return (nil, nil) }
    return (claims.object.number("iat"), claims.object.number("exp"))
  }

  /// How far in the future Fleet Engine allows `iat` to be: 600 seconds.
  package static let allowedSkew = 600.0
}

/// Base64 of RFC 4648 section 5 without padding, as used in JWTs (RFC 7515 section 2).
package enum Base64URL {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = Base64.encode(bytes).utf8.map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns nil if a character or the length is invalid.
  package static func decode(_ text: Substring) -> [UInt8]? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.utf8.count)
    for digit in text.utf8 {
      switch digit {
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: digits.append(digit)
      }
    }
    return Base64.decode(String(decoding: digits, as: UTF8.self))
  }
}
