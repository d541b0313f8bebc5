import JourneySharing

extension Journey {
  /// The journey as one line of GeoJSON.
  var geoJSONLine: String { escapedJSON(String(decoding: geoJSON(), as: UTF8.self) + "\n") }
}
