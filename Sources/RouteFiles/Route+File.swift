package import FleetEmulator
import FleetEngineAPI
import WireProtobuf

extension Route {
  /// The largest size of a file in bytes.
  package static let sizeLimit = 16 << 20

  /// - Throws: an error for fewer than two points.
  package init(of points: [RoutePoint]) throws(RouteFileError) {
    guard let route = Route(points) else {
      throw RouteFileError(
        nil, "a route needs two points, found \(points.count)",
        hint: "pass GPX with a track or a route, GeoJSON with a LineString, or an encoded polyline")
    }
    self = route
  }

  /// Reads GPX, GeoJSON or an encoded polyline, which the first characters tell apart.
  package init(file bytes: [UInt8]) throws(RouteFileError) {
    let mark = JSONScanner.byteOrderMark
    let start = bytes.starts(with: mark) ? mark.count : 0
    let first = bytes[start...].firstIndex { !JSONScanner.isSpace($0) } ?? bytes.count
    let text = bytes[first...]
    // UTF-16 begins with a byte order mark or with a zero in the first character.
    let isXML =
      text.first == UInt8(ascii: "<") || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0, UInt8(ascii: "<")])
    if isXML {
      try self.init(of: GPXReader.points(in: bytes))
    } else if text.isJSON {
      try self.init(of: GeoJSONReader(Array(bytes[start...])).points())
    } else {
      try self.init(of: Self.points(ofPolyline: text, in: bytes))
    }
  }

  private static func points(
    ofPolyline text: ArraySlice<UInt8>, in bytes: [UInt8]
  ) throws(RouteFileError) -> [RoutePoint] {
    let end = text.lastIndex { !JSONScanner.isSpace($0) } ?? text.startIndex - 1
    do throws(PolylineError) {
      return try Polyline.decode(String(decoding: text[..<(end + 1)], as: UTF8.self)).map {
        RoutePoint(place: $0)
      }
    } catch {
      var offset = text.startIndex
      if case .character(let count) = error.position { offset = min(offset + count, bytes.count) }
      throw RouteFileError(
        TextPosition(after: bytes[..<offset]), "not an encoded polyline: \(error.reason)",
        hint: "pass GPX, GeoJSON or an encoded polyline")
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether text begins as JSON. An encoded polyline may also begin with a brace, but has no quotes and no spaces.
  fileprivate var isJSON: Bool {
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
    return dropFirst().first.map { $0 < 63 || $0 == UInt8(ascii: "}") } ?? true
  }
}
