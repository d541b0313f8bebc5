import WireProtobuf

extension Timestamp {
  /// Creates the time of a log entry or of a field. Its forms are those of Cloud Logging, of BigQuery and of its exports:
  /// "2026-11-21T10:00:00.5Z", "2026-11-21 10:00:00.5 UTC", the time since 1970, and an object with `value` or with
  /// `seconds` and `nanos`. Nil for another form.
  init?(logged value: Value) {
    switch value.kind {
    case .stringValue(let text):
      guard let time = Self.time(text) ?? Self.time((try? Value(jsonString: text))?.numberValue)
      else { return nil }
      self = time
    case .structValue(let object):
      if let inner = object.fields["value"] {
        self.init(logged: inner)
      } else {
        let nanos = Int32(clamping: Self.whole(object.fields["nanos"]) ?? 0)
        guard let seconds = Self.whole(object.fields["seconds"]),
          Self.validSeconds.contains(seconds), 0..<1_000_000_000 ~= nanos
        else { return nil }
        self.init(seconds: seconds, nanos: nanos)
      }
    default:
      guard let time = Self.time(value.numberValue) else { return nil }
      self = time
    }
  }

  private static func whole(_ value: Value?) -> Int64? {
    value?.text.flatMap { Int64($0) } ?? value?.numberValue.flatMap(Int64.init(exactly:))
  }

  /// Parses RFC 3339, in which a space may stand for the T and before the zone, which may be UTC, hours, or missing.
  private static func time(_ text: String) -> Timestamp? {
    if let time = try? Timestamp(jsonString: text.quotedAsJSON) { return time }
    guard text.utf8.count < 64, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let rest = text.dropFirst(10)
    guard let separator = rest.first, "Tt ".contains(separator) else { return nil }
    let clock = rest.dropFirst().prefix { $0.isNumber || $0 == ":" || $0 == "." }
    var zone = String(rest.dropFirst(1 + clock.count).drop { $0 == " " }).uppercased()
    if ["", "UTC", "GMT"].contains(zone) { zone = "Z" }
    if zone.utf8.count == 3 { zone += "00" }
    if zone.utf8.count == 5 { zone = "\(zone.prefix(3)):\(zone.suffix(2))" }
    return try? Timestamp(jsonString: "\(text.prefix(10))T\(clock)\(zone)".quotedAsJSON)
  }

  /// The largest numbers of each unit, and how many microseconds it has. The second ends in the year 5138.
  private static let units = [(1e11, 1e6), (1e14, 1e3), (1e17, 1), (1e19, 1e-3)]

  /// - Parameter number: seconds, milliseconds, microseconds or nanoseconds since 1970. A double has the microseconds of
  ///   today's seconds.
  private static func time(_ number: Double?) -> Timestamp? {
    guard let number, number > 0, let (_, scale) = units.first(where: { number < $0.0 }) else {
      return nil
    }
    let (seconds, micros) = Int64(number * scale + 0.5).quotientAndRemainder(
      dividingBy: 1_000_000)
    return Timestamp(seconds: seconds, nanos: Int32(micros) * 1_000)
  }
}
