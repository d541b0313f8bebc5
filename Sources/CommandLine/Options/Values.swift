/// Parsers for the arguments of options. Each throws the expected form for any other text.
package enum Parse {
  /// Parses `15s`, `500ms`, `1.5m` or `2h`: more than 0, at most 99,999,999 hours, the limit of
  /// grpc-timeout.
  package static func duration(_ text: String) throws(InvalidValue) -> Duration {
    let wanted = InvalidValue("expected a duration such as 500ms, 15s, 2m or 24h")
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let amount = Double(digits) else { throw wanted }
    guard digits.count < text.count || amount == 0 else {
      throw InvalidValue("the unit is missing: expected \(text)s, \(text)ms or \(text)m")
    }
    let seconds: Double
    switch text.dropFirst(digits.count) {
    case "ms": seconds = amount / 1_000
    case "s": seconds = amount
    case "m": seconds = amount * 60
    case "h": seconds = amount * 3_600
    default: throw wanted
    }
    guard seconds >= 1e-9 else { throw tooSmall }
    guard seconds <= 99_999_999 * 3_600 else { throw InvalidValue("must be at most 99999999h") }
    return .seconds(seconds)
  }

  /// Parses a duration in a range.
  ///
  /// - Parameter expected: the message for another one: "expected a duration from 1s to 60s".
  package static func boundedDuration(_ range: ClosedRange<Duration>, _ expected: String)
    -> @Sendable (String) throws(InvalidValue) -> Duration
  {
    { (text) throws(InvalidValue) in
      let duration = try duration(text)
      guard range.contains(duration) else { throw InvalidValue(expected) }
      return duration
    }
  }

  private static let tooSmall = InvalidValue("must be greater than 0")

  /// Parses `16777216`, `16M` or `16MiB`: from one byte to 4 GiB less one, the limit of a message.
  package static func byteCount(_ text: String) throws(InvalidValue) -> Int {
    let wanted = InvalidValue("expected a number of bytes such as 16777216 or 16MiB")
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let amount = Int(digits) else { throw wanted }
    let unit: Int
    switch text.dropFirst(digits.count) {
    case "": unit = 1
    case "K", "KiB": unit = 1 << 10
    case "M", "MiB": unit = 1 << 20
    case "G", "GiB": unit = 1 << 30
    default: throw wanted
    }
    guard amount > 0 else { throw tooSmall }
    let (bytes, overflow) = amount.multipliedReportingOverflow(by: unit)
    guard !overflow, bytes <= Int(UInt32.max) else { throw InvalidValue("must be less than 4GiB") }
    return bytes
  }

  /// Parses a number in a range.
  package static func count(_ range: ClosedRange<Int>)
    -> @Sendable (String) throws(InvalidValue) -> Int
  {
    { (text) throws(InvalidValue) in
      guard let number = Int(text), range.contains(number), text.first != "+" else {
        throw InvalidValue(
          "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

  /// Parses the value of a flag in a variable or a profile.
  static func bool(_ text: String) throws(InvalidValue) -> Bool {
    if text == "true" || text == "false" { return text == "true" }
    let correction: String? =
      switch text.lowercased() {
      case "true", "1", "yes", "on": "true"
      case "false", "0", "no", "off": "false"
      default: nil
      }
    throw InvalidValue("expected true or false", correction: correction)
  }

  package static func text(_ text: String) throws(InvalidValue) -> String {
    guard !text.isEmpty else { throw InvalidValue("expected a value, found an empty one") }
    return text
  }
}
