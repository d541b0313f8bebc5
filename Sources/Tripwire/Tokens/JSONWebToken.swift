import WireGRPC
import WireProtobuf

/// A JWT taken apart (RFC 7519), not verified.
package struct JSONWebToken: Sendable {
  package let header: Struct
  package let claims: Struct
  package let signature: [UInt8]
  /// What the signature is of.
  package let signedText: String

  /// Why a text is no JWT. Never holds a part of it.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ token: String) throws(Problem) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      let count = parts.count == 1 ? "1 part" : "\(parts.count) parts"
      throw Problem(description: "it has \(count) with dots between them, and a JWT has 3")
    }
    header = try Self.object(parts[0], "its first part, the header,")
    claims = try Self.object(parts[1], "its second part, the claims,")
    guard let signature = Base64URL.decode(parts[2]) else {
      throw Problem(description: "its third part, the signature, is not base64url")
    }
    self.signature = signature
    signedText = "\(parts[0]).\(parts[1])"
  }

  private static func object(_ part: Substring, _ name: String) throws(Problem) -> Struct {
    guard let bytes = Base64URL.decode(part) else {
      throw Problem(description: "\(name) is not base64url")
    }
    do throws(JSONDecodingError) {
      return try Struct(jsonUTF8Bytes: bytes)
    } catch {
      throw Problem(description: "\(name) is not a JSON object")
    }
  }

  /// The claim `exp` of what may be a JWT, in seconds since 1970.
  static func expiration(of token: String) -> Double? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let claims = try? object(parts[1], "") else { return nil }
    return claims.number("exp")
  }
}

extension Struct {
  /// Its members in the order of their names.
  package var members: [(name: String, value: Value)] {
    fields.keys.sorted().map { ($0, fields[$0] ?? Value()) }
  }

  /// Whether there is such a member, and not null.
  func has(_ name: String) -> Bool {
    switch fields[name]?.kind {
    case nil, .nullValue?: false
    default: true
    }
  }

  /// A member that is a number.
  package func number(_ name: String) -> Double? {
    if case .numberValue(let number)? = fields[name]?.kind { number } else { nil }
  }

  /// A member that is a string.
  package func text(_ name: String) -> String? { fields[name]?.text }

  /// A member that is an object.
  package func object(_ name: String) -> Struct? {
    if case .structValue(let object)? = fields[name]?.kind { object } else { nil }
  }
}

extension Value {
  /// What it says if it is a string.
  package var text: String? {
    if case .stringValue(let text)? = kind { text } else { nil }
  }
}

/// Base64 of RFC 4648 §5 without padding, as JWTs are written (RFC 7515 §2).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    let digits = Base64.encode(bytes).utf8.map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Nil when a character or the length is wrong.
  static func decode(_ text: Substring) -> [UInt8]? {
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
