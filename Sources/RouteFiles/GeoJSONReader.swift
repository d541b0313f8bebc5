import FleetEmulator
import FleetEngineAPI
import WireProtobuf

/// Reads the lines of GeoJSON (RFC 7946): a LineString or a MultiLineString, also in collections and features. Other
/// geometries are skipped.
struct GeoJSONReader {
  private let text: [UInt8]
  private var found: [RoutePoint] = []

  init(_ text: [UInt8]) { self.text = text }

  /// Returns the points of all lines, one line after the other.
  func points() throws(RouteFileError) -> [RoutePoint] {
    let object = try mapError(Struct(jsonUTF8Bytes: text)) {
      (error: JSONDecodingError) in
      RouteFileError(
        TextPosition(line: error.line, column: error.column), "invalid JSON: \(error.reason.text)",
        hint: "correct the JSON")
    }
    var reader = self
    try reader.add(object, at: [])
    return reader.found
  }

  private mutating func add(
    _ object: Struct, at path: [JSONLocator.Step]
  ) throws(RouteFileError) {
    switch object.text("type") {
    case "FeatureCollection": try addAll(object, "features", at: path)
    case "GeometryCollection": try addAll(object, "geometries", at: path)
    case "Feature":
      // A feature without a place has null.
      if let geometry = object.object("geometry") {
        try add(geometry, at: path + [.key("geometry")])
      }
    case "LineString":
      try addLine(object.fields["coordinates"], at: path + [.key("coordinates")])
    case "MultiLineString":
      let place = path + [.key("coordinates")]
      for (index, line) in try list(object.fields["coordinates"], at: place).enumerated() {
        try addLine(line, at: place + [.index(index)])
      }
    case nil: throw fault("expected GeoJSON, an object with \"type\"", at: path)
    default: break
    }
  }

  private mutating func addAll(
    _ object: Struct, _ member: String, at path: [JSONLocator.Step]
  ) throws(RouteFileError) {
    let place = path + [.key(member)]
    for (index, value) in try list(object.fields[member], at: place).enumerated() {
      let place = place + [.index(index)]
      guard let object = value.structValue else { throw fault("expected an object", at: place) }
      try add(object, at: place)
    }
  }

  private mutating func addLine(
    _ line: Value?, at path: [JSONLocator.Step]
  ) throws(RouteFileError) {
    for (index, position) in try list(line, at: path).enumerated() {
      let numbers = position.listValue?.values.map(\.numberValue) ?? []
      guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else {
        throw fault("expected a position [longitude, latitude]", at: path + [.index(index)])
      }
      let place = LatLng(latitude: latitude, longitude: longitude)
      guard place.isOnGlobe else {
        throw fault(
          "longitude outside ±180 or latitude outside ±90 degrees", at: path + [.index(index)])
      }
      found.append(RoutePoint(place: place))
    }
  }

  private func list(
    _ value: Value?, at path: [JSONLocator.Step]
  ) throws(RouteFileError) -> [Value] {
    guard let list = value?.listValue else { throw fault("expected an array", at: path) }
    return list.values
  }

  private func fault(_ reason: String, at path: [JSONLocator.Step]) -> RouteFileError {
    RouteFileError(
      JSONLocator.find(path, in: text), reason, hint: "correct the GeoJSON (RFC 7946)")
  }
}
