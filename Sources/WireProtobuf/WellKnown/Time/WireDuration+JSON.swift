/// The JSON form is seconds with 0, 3, 6 or 9 decimals and the suffix s: "1.500s".
extension WireDuration: CustomJSONMessage {
  /// ±10,000 years in seconds.
  package static let validSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000

  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    guard Self.validSeconds.contains(seconds) else {
      throw JSONEncodingError(
        messageName: Self.messageName, reason: "\(seconds) seconds is more than 10,000 years")
    }
    guard nanos.magnitude < 1_000_000_000, seconds.signum() * Int64(nanos.signum()) >= 0 else {
      throw JSONEncodingError(
        messageName: Self.messageName,
        reason: "\(nanos) nanos is more than a second, or its sign differs from the seconds")
    }
    writer.put(UInt8(ascii: "\""))
    if seconds < 0 || nanos < 0 { writer.put(UInt8(ascii: "-")) }
    writer.put(digits: seconds.magnitude)
    writer.put(nanos: UInt64(nanos.magnitude))
    writer.put("s\"")
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    self = try reader.string(as: .duration, Self.duration)
  }

  private static func duration(_ text: String) -> WireDuration? {
    var text = DecimalScanner(text)
    let isNegative = text.take("-")
    guard let seconds = text.digits(1...12), let nanos = text.nanos(), text.take("s"),
      text.isAtEnd, validSeconds.contains(seconds)
    else { return nil }
    let sign: Int32 = isNegative ? -1 : 1
    return WireDuration(seconds: Int64(sign) * seconds, nanos: sign * nanos)
  }
}
