/// A polyline of either format that Fleet Engine's fields may hold.
public enum Polyline {
  /// The points of an ``S2Polyline`` or of an ``EncodedPolyline`` (of five decimals). None for the
  /// empty text, which is a field that is not set.
  ///
  /// A text that begins with "A" is taken for S2's, and there is no second try: such a one begins
  /// with its version, 1 or 2, hence with "AQ" to "Av", while an ordinary polyline begins with "A"
  /// only when its first latitude is 0.00001°. Ask ``EncodedPolyline`` for that one.
  ///
  /// - Throws: ``PolylineError`` of the format the text was taken for.
  public static func decode(_ text: String) throws(PolylineError) -> [LatLng] {
    if text.isEmpty { return [] }
    return text.utf8.first == UInt8(ascii: "A")
      ? try S2Polyline.decode(text) : try EncodedPolyline.decode(text)
  }
}

extension Trip {
  /// The points of ``currentRouteSegment``, see ``Polyline/decode(_:)``.
  public func currentRouteSegmentPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(currentRouteSegment)
  }
}

extension Vehicle {
  /// The points of ``currentRouteSegment``, see ``Polyline/decode(_:)``.
  public func currentRouteSegmentPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(currentRouteSegment)
  }
}

extension TripWaypoint {
  /// The points of ``encodedPathToWaypoint``, see ``Polyline/decode(_:)``.
  public func encodedPathToWaypointPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(encodedPathToWaypoint)
  }
}

extension ConsumableTrafficPolyline {
  /// The points of ``encodedPathToWaypoint``, which the indices of ``speedReadingInterval`` count;
  /// see ``Polyline/decode(_:)``.
  public func encodedPathToWaypointPoints() throws(PolylineError) -> [LatLng] {
    try Polyline.decode(encodedPathToWaypoint)
  }
}
