/// Polylines as Fleet Engine writes them in `current_route_segment` and `encoded_path_to_waypoint`:
/// base64 of what the C++ library [S2](https://s2geometry.io) encodes.
///
///     let route = try S2Polyline.decode("AhYCECPlXZ6GAJABAA==")  // two points
///
/// Version 1 holds each point exactly. Version 2 holds the centers of cells, of level 22 from Fleet
/// Engine: about 2 m wide, so a point is off by up to 1 m or so.
public enum S2Polyline {
  /// The points, of either version.
  ///
  /// The base64 may be of either alphabet, padded or not. What comes behind the polyline is an
  /// error, so that a text cut or joined is not taken for another one.
  ///
  /// - Throws: ``PolylineError`` with the offset in the text of what is not base64, or the offset in
  ///   the decoded bytes of what is not a polyline. As in S2, except that cells off their face, and
  ///   vectors that are not of length 1, are errors too.
  public static func decode(_ text: String) throws(PolylineError) -> [LatLng] {
    var reader = S2PolylineReader(try PolylineBase64.decode(text))
    return try reader.polyline()
  }

  /// The points as the centers of the cells they are in: version 2, padded.
  ///
  /// The bytes are those that S2 writes for the same centers.
  ///
  /// - Parameter level: The level of the cells, 0 to 30: each level halves them, 30 is below 1 cm.
  /// - Throws: ``PolylineError`` for another level, or with the index of a point off the globe.
  public static func encode(
    _ points: [LatLng], level: Int = 22
  ) throws(PolylineError) -> String {
    guard 0...30 ~= level else { throw PolylineError(.levelTooHigh(level), .level) }
    var cells: [S2Cell] = []
    cells.reserveCapacity(points.count)
    for (index, point) in points.enumerated() {
      guard point.isOnGlobe else { throw PolylineError(.outOfRange, .point(index)) }
      cells.append(S2Cell(containing: point, level: level))
    }
    return PolylineBase64.encode(S2PolylineWriter.bytes(of: cells, level: level))
  }
}

extension LatLng {
  /// Is the latitude within ±90° and the longitude within ±180°?
  package var isOnGlobe: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}
