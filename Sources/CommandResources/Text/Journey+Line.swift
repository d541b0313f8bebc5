import CommandLine
import JourneySharing

extension Journey {
  /// The journey as one line of GeoJSON.
  package var geoJSONLine: String { escapedJSON(geoJSONString() + "\n") }

  /// The journey as an SVG picture with its name.
  var picture: String { svgString(caption: name) }
}
