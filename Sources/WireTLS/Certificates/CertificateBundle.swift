/// A file of many PEM certificates. Only those that a chain needs are parsed.
///
/// OpenSSL 3.0 takes 0.2 ms to parse a certificate, 30 ms for all roots of a system. Here the text is
/// decoded and searched by name, in half a millisecond.
final class CertificateBundle: Sendable {
  private let text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// Whether there is any certificate.
  var isEmpty: Bool {
    var blocks = Blocks(text)
    return blocks.next() == nil
  }

  /// Returns the certificates, in DER, for which `isWanted` accepts the subject's DER.
  func certificates(where isWanted: (ArraySlice<UInt8>) -> Bool) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var blocks = Blocks(text)
    while let certificate = blocks.next() {
      if let subject = DERReader.subject(of: certificate), isWanted(subject) {
        found.append(certificate)
      }
    }
    return found
  }

  /// The decoded CERTIFICATE blocks of a PEM text (RFC 7468), in their order.
  private struct Blocks {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
      self.text = text
    }

    mutating func next() -> [UInt8]? {
      while position < text.count {
        if line().elementsEqual("-----BEGIN CERTIFICATE-----".utf8) { return decodeBlock() }
      }
      return nil
    }

    /// Returns the next line without its end, and moves past it.
    private mutating func line() -> ArraySlice<UInt8> {
      let rest = text[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      position = min(end + 1, text.count)
      return text[rest.startIndex..<end].last == UInt8(ascii: "\r")
        ? text[rest.startIndex..<(end - 1)] : text[rest.startIndex..<end]
    }

    /// Decodes Base64 up to the dash of the END line; other characters are skipped.
    private mutating func decodeBlock() -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(2048)
      var bits: UInt32 = 0
      var count = 0
      while position < text.count, text[position] != UInt8(ascii: "-") {
        let value = Self.values[Int(text[position])]
        position += 1
        guard value < 64 else { continue }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
      }
      return bytes
    }

    /// The value of each base64 digit; 255 for other bytes.
    private static let values: [UInt8] = {
      var values = [UInt8](repeating: 255, count: 256)
      let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
      for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
      return values
    }()
  }
}

/// Reads just enough DER to find the subject of a certificate.
struct DERReader {
  var rest: ArraySlice<UInt8>

  /// The subject's Name with its tag and length; nil if this is not a certificate.
  ///
  ///     Certificate     ::= SEQUENCE { tbsCertificate TBSCertificate, … }
  ///     TBSCertificate  ::= SEQUENCE { version [0] OPTIONAL, serialNumber, signature, issuer,
  ///                                    validity, subject, … }       (RFC 5280 section 4.1)
  static func subject(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
    var outer = DERReader(rest: certificate[...])
    guard let whole = outer.element(0x30) else { return nil }
    var middle = DERReader(rest: whole.content)
    guard let signed = middle.element(0x30) else { return nil }
    var fields = DERReader(rest: signed.content)
    _ = fields.element(0xA0)
    guard
      fields.element(0x02) != nil, fields.element(0x30) != nil, fields.element(0x30) != nil,
      fields.element(0x30) != nil
    else { return nil }
    return fields.element(0x30)?.whole
  }

  /// Moves past the next element if it has this tag.
  mutating func element(
    _ tag: UInt8
  ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    let start = rest.startIndex
    guard rest.count >= 2, rest[start] == tag else { return nil }
    var header = 2
    var length = Int(rest[start + 1])
    if length >= 0x80 {
      let digits = length - 0x80
      guard (1...4).contains(digits), rest.count >= 2 + digits else { return nil }
      length = rest[(start + 2)..<(start + 2 + digits)].reduce(0) { $0 << 8 | Int($1) }
      header += digits
    }
    guard rest.count - header >= length else { return nil }
    let end = start + header + length
    defer { rest = rest[end...] }
    return (rest[start..<end], rest[(start + header)..<end])
  }
}
