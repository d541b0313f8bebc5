import JourneySharing

extension Journey {
  /// What a map shows of a trip, as one line of GeoJSON.
  var geoJSONLine: String { escapedJSON(String(decoding: geoJSON(), as: UTF8.self) + "\n") }
}
