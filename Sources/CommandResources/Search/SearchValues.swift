package import CommandLine
package import Tripwire

/// Attributes of vehicles to search for.
struct AttributeList: Sendable {
  private let attributes: [(key: String, value: String)]

  /// - Parameter texts: `KEY:VALUE`. A key has no colon.
  init?(_ texts: [some StringProtocol]) {
    let pairs = texts.map {
      $0.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    guard pairs.allSatisfy({ $0.count == 2 && !$0[0].isEmpty }) else { return nil }
    attributes = pairs.map { (String($0[0]), String($0[1])) }
  }

  /// The form of ListVehicles: "key1:value1|key2:value2".
  var text: String { attributes.map { "\($0.key):\($0.value)" }.joined(separator: "|") }

  /// The form of SearchVehicles.
  var message: VehicleAttributeList {
    VehicleAttributeList(
      attributes: attributes.map { key, value in
        VehicleAttribute(key: key, vehicleAttributeValue: .stringValue(value))
      })
  }
}

extension Parse {
  /// Parses `37.7749,-122.4194`, in degrees.
  package static func place(_ text: String) throws(InvalidValue) -> LatLng {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      decimal(part.drop { $0 == " " })
    }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else {
      throw InvalidValue(
        "expected LAT,LNG in degrees, LAT from -90 to 90 and LNG from -180 to 180, such as 37.7749,-122.4194"
      )
    }
    return LatLng(latitude: latitude, longitude: longitude)
  }

  /// Parses `37.7,-122.5,37.8,-122.4`: the southwest and the northeast corner, in degrees.
  static func viewport(_ text: String) throws(InvalidValue) -> Viewport {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 4, let low = try? place(numbers[..<2].joined(separator: ",")),
      let high = try? place(numbers[2...].joined(separator: ","))
    else {
      throw InvalidValue(
        "expected LAT,LNG,LAT,LNG: the southwest and the northeast corner in degrees")
    }
    guard low.latitude <= high.latitude else {
      throw InvalidValue("the first corner is north of the second")
    }
    return Viewport(low: low, high: high)
  }

  /// Parses `KEY:VALUE`.
  static func searchedAttribute(_ text: String) throws(InvalidValue) -> AttributeList {
    try attributes([text[...]], form: "KEY:VALUE")
  }

  /// Parses `KEY:VALUE|KEY:VALUE`.
  static func attributes(_ text: String) throws(InvalidValue) -> AttributeList {
    try attributes(
      text.split(separator: "|", omittingEmptySubsequences: false), form: "KEY:VALUE|KEY:VALUE")
  }

  private static func attributes(
    _ parts: [Substring], form: String
  ) throws(InvalidValue) -> AttributeList {
    if let list = AttributeList(parts) { return list }
    // The option --attribute of updates takes KEY=VALUE.
    let corrected = parts.map { part in
      part.utf8.contains(UInt8(ascii: ":"))
        ? String(part)
        : part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).joined(
          separator: ":")
    }
    throw InvalidValue(
      "expected \(form)",
      correction: AttributeList(corrected).map { _ in corrected.joined(separator: "|") })
  }

  /// Returns a parser for the ID of a resource.
  ///
  /// - Parameters:
  ///   - claim: the claim of a token with such an ID.
  ///   - example: "a vehicle: --vehicle v1".
  static func id(
    _ claim: String, of example: String
  ) -> @Sendable (String) throws(InvalidValue) -> String {
    { (text) throws(InvalidValue) in
      return try mapError(Parse.bareID(claim)(text).id) { (error: InvalidValue) in
        InvalidValue(error.reason, hint: "pass the ID of \(example)")
      }
    }
  }

  /// Returns a number without an exponent; nil for the other forms of strtod(3), such as `0x1p3` and `inf`.
  package static func decimal(_ text: Substring) -> Double? {
    let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || "+-.".utf8.contains($0) }
    return isDecimal ? Double(text) : nil
  }
}
