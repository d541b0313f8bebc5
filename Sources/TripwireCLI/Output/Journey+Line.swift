import JourneySharing

extension Journey {
  /// What a map shows of a trip, as one line of GeoJSON.
  func geoJSONLine(for console: Console) -> String {
    let json = String(decoding: geoJSON(), as: UTF8.self) + "\n"
    return console.outputIsTerminal() ? escapedJSON(json) : json
  }
}
