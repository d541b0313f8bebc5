import JourneySharing

extension Journey {
  /// The journey as one line of GeoJSON.
  var geoJSONLine: String { escapedJSON(String(decoding: geoJSON(), as: UTF8.self) + "\n") }

  /// The journey as an SVG picture with its name.
  var picture: String { String(decoding: svg(caption: name), as: UTF8.self) }
}
