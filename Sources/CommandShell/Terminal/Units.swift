package enum Units {
  /// Returns "842 m", "8.7 km" or "123 km".
  package static func distance(meters: Double) -> String {
    if meters.magnitude < 999.5 { return "\(fixed(meters, decimals: 0)) m" }
    return "\(fixed(meters / 1_000, decimals: meters.magnitude < 99_950 ? 1 : 0)) km"
  }

  /// Returns the two largest units: "18 s", "3 min", "4 min 57 s", "2 h 5 min", "3 d 4 h".
  package static func duration(seconds: UInt64) -> String {
    let parts: (UInt64, String, UInt64, String) =
      switch seconds {
      case ..<60: (seconds, "s", 0, "")
      case ..<3_600: (seconds / 60, "min", seconds % 60, "s")
      case ..<86_400: (seconds / 3_600, "h", seconds % 3_600 / 60, "min")
      default: (seconds / 86_400, "d", seconds % 86_400 / 3_600, "h")
      }
    return "\(parts.0) \(parts.1)" + (parts.2 > 0 ? " \(parts.2) \(parts.3)" : "")
  }

  /// Returns "2.5 s", with at most three decimals.
  package static func seconds(_ seconds: Int64, nanos: Int32) -> String {
    if seconds.magnitude >= 60 {
      return (seconds < 0 ? "-" : "") + duration(seconds: seconds.magnitude)
    }
    let value = Double(seconds) + Double(nanos) / 1e9
    return trimmed(fixed(value, decimals: 3)) + " s"
  }

  /// Returns "2.5 s", with at most three decimals.
  package static func seconds(_ duration: Duration) -> String {
    // `components` traps beyond Int64.
    let longest = Duration.seconds(Int64.max)
    let (whole, attoseconds) = min(max(duration, .zero - longest), longest).components
    return seconds(whole, nanos: Int32(attoseconds / 1_000_000_000))
  }

  /// Returns "1.2 ms" or "35.0 ms", always with one decimal.
  package static func milliseconds(_ duration: Duration) -> String {
    fixed(duration / .milliseconds(1), decimals: 1) + " ms"
  }

  /// "348 bytes", "1 byte".
  package static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  /// "3 points", "1 point".
  package static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }

  /// Returns the number, rounded to `decimals` decimals, with a point in every locale. Very large numbers,
  /// infinity and NaN are written as Swift writes them.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard let number = Int64(exactly: scaled) else { return "\(value)" }
    var digits = String(number.magnitude)
    while digits.utf8.count <= decimals { digits = "0" + digits }
    let sign = number < 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    return sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// Returns "2.5" for "2.500" and "2" for "2.000". A number with an exponent, "2.5e+20", is unchanged.
  package static func trimmed(_ number: String) -> String {
    guard number.utf8.contains(UInt8(ascii: ".")), !number.utf8.contains(UInt8(ascii: "e"))
    else { return number }
    var number = Substring(number)
    while number.last == "0" { number.removeLast() }
    if number.last == "." { number.removeLast() }
    return String(number)
  }

  /// Returns the compass point of a heading in degrees clockwise from north: "NE".
  package static func compassPoint(degrees: Double) -> String {
    let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    guard turn.isFinite else { return "" }
    return points[Int(((turn < 0 ? turn + 360 : turn) / 45).rounded()) % 8]
  }

  /// Returns "1.2 ms", "35.0 ms", "2.35 s" or "3 min 5 s".
  package static func latency(_ time: Duration) -> String {
    time < .seconds(1) ? milliseconds(time) : seconds(time)
  }

  package static func latency(seconds: Double) -> String { latency(.seconds(seconds)) }
}
