/// A polyline in either format of Fleet Engine's fields.
public enum Polyline {
  /// Returns the points of an ``S2Polyline`` or an ``EncodedPolyline`` with five decimals; none for
  /// the empty text of an unset field.
  ///
  /// A text that starts with "A" is decoded as an S2 polyline, without a fallback. An S2 polyline
  /// starts with its version, 1 or 2, which is "AQ" to "Av" in base64. An encoded polyline starts
  /// with "A" only if its first latitude is 0.00001°; use ``EncodedPolyline`` for that one.
  ///
  /// - Throws: ``PolylineError`` of the chosen format.
  public static func decode(_ text: String) throws(PolylineError) -> [LatLng] {
    if text.isEmpty { return [] }
    return text.utf8.first == UInt8(ascii: "A")
      ? try S2Polyline.decode(text) : try EncodedPolyline.decode(text)
  }
}

extension Trip {
  /// Decodes the points of ``currentRouteSegment``; see ``Polyline/decode(_:)``.
  public func currentRouteSegmentPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(currentRouteSegment)
  }
}

extension Vehicle {
  /// Decodes the points of ``currentRouteSegment``; see ``Polyline/decode(_:)``.
  public func currentRouteSegmentPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(currentRouteSegment)
  }
}

extension TripWaypoint {
  /// Decodes the points of ``encodedPathToWaypoint``; see ``Polyline/decode(_:)``.
  public func encodedPathToWaypointPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(encodedPathToWaypoint)
  }
}

extension ConsumableTrafficPolyline {
  /// Decodes the points of ``encodedPathToWaypoint``, to which the indices of
  /// ``speedReadingInterval`` refer; see ``Polyline/decode(_:)``.
  public func encodedPathToWaypointPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(encodedPathToWaypoint)
  }
}
