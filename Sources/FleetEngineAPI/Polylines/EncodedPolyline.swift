/// Google's [encoded
/// polylines](https://developers.google.com/maps/documentation/utilities/polylinealgorithm), which
/// the Routes and Directions APIs return.
///
///     try EncodedPolyline.decode("_p~iF~ps|U_ulLnnqC")  // 38.5, -120.2 and 40.7, -120.95
public enum EncodedPolyline {
  /// The factor by which degrees are multiplied.
  public enum Precision: Double, Sendable {
    /// 10^-5 degrees, 1.1 m, as used by Google.
    case fiveDecimals = 1e5
    /// 10^-6 degrees, 0.11 m, as used by other routing services.
    case sixDecimals = 1e6
  }

  /// Decodes a polyline.
  ///
  /// - Throws: ``PolylineError`` with the offset of an invalid character, of an end inside a point,
  ///   or of the first character of a point with an invalid latitude or longitude.
  public static func decode(
    _ text: String, precision: Precision = .fiveDecimals
  ) throws(PolylineError) -> [LatLng] {
    let characters = Array(text.utf8)
    var points: [LatLng] = []
    points.reserveCapacity(characters.count / 4)
    var offset = 0
    var (latitude, longitude) = (0, 0)
    while offset < characters.count {
      let start = offset
      latitude += Int(try number(in: characters, at: &offset))
      longitude += Int(try number(in: characters, at: &offset))
      let point = LatLng(
        latitude: Double(latitude) / precision.rawValue,
        longitude: Double(longitude) / precision.rawValue)
      guard point.isOnGlobe else { throw PolylineError(.outOfRange, .character(start)) }
      points.append(point)
    }
    return points
  }

  /// Encodes points as a polyline.
  ///
  /// - Throws: ``PolylineError`` with the index of a point with an invalid latitude or longitude.
  public static func encode(
    _ points: [LatLng], precision: Precision = .fiveDecimals
  ) throws(PolylineError) -> String {
    var text: [UInt8] = []
    var previous: (latitude: Int32, longitude: Int32) = (0, 0)
    for (index, point) in points.enumerated() {
      guard point.isOnGlobe else { throw PolylineError(.outOfRange, .point(index)) }
      let latitude = Int32((point.latitude * precision.rawValue).rounded())
      let longitude = Int32((point.longitude * precision.rawValue).rounded())
      append(latitude - previous.latitude, to: &text)
      append(longitude - previous.longitude, to: &text)
      previous = (latitude, longitude)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a difference: five bits per character, lowest first, plus 32 in all but the last. If the
  /// lowest bit is set, the others are inverted.
  private static func number(
    in characters: [UInt8], at offset: inout Int
  ) throws(PolylineError) -> Int32 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < characters.count else {
        throw PolylineError(.truncated, .character(characters.count))
      }
      let character = characters[offset]
      guard 63...126 ~= character else {
        throw PolylineError(.notEncodedPolyline, .character(offset))
      }
      value |= UInt64((character - 63) & 31) << shift
      guard let bits = UInt32(exactly: value), shift <= 30 else {
        throw PolylineError(.numberTooLarge, .character(start))
      }
      offset += 1
      shift += 5
      if character < 63 + 32 { return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1) }
    }
  }

  private static func append(_ difference: Int32, to text: inout [UInt8]) {
    var rest = UInt32(bitPattern: difference << 1 ^ difference >> 31)
    while rest >= 32 {
      text.append(UInt8(rest & 31 | 32) + 63)
      rest >>= 5
    }
    text.append(UInt8(rest) + 63)
  }
}
