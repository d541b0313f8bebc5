/// The polylines of Fleet Engine's `current_route_segment` and `encoded_path_to_waypoint`: base64
/// of the encoding of the C++ library [S2](https://s2geometry.io).
///
///     let route = try S2Polyline.decode("AhYCECPlXZ6GAJABAA==")  // two points
///
/// Version 1 stores each point exactly. Version 2 stores the centers of cells. Fleet Engine uses
/// level 22, whose cells are about 2 m wide, so a point is up to 1.9 m off.
public enum S2Polyline {
  /// Decodes the points of either version.
  ///
  /// The base64 may use either alphabet, with or without padding. Data after the polyline is an
  /// error, so that truncated or concatenated text is detected.
  ///
  /// - Throws: ``PolylineError`` with the offset of invalid base64 in the text, or of invalid data
  ///   in the decoded bytes. In addition to S2's errors, it reports cells outside their face and
  ///   vectors whose length is not 1.
  public static func decode(_ text: String) throws(PolylineError) -> [LatLng] {
    var reader = S2PolylineReader(try PolylineBase64.decode(text))
    return try reader.polyline()
  }

  /// Encodes points as the centers of the cells that contain them: version 2, padded.
  ///
  /// S2 writes the same bytes for the same centers.
  ///
  /// - Parameter level: the level of the cells, 0 to 30. Each level halves the width; at 30 it is
  ///   below 1 cm.
  /// - Throws: ``PolylineError`` for an invalid level, or with the index of a point with an invalid
  ///   latitude or longitude.
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
  /// Whether the latitude is within ±90° and the longitude within ±180°.
  package var isOnGlobe: Bool { -90...90 ~= latitude && -180...180 ~= longitude }
}
