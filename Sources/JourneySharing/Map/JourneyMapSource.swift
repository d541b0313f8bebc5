/// A source of the contents of a map, such as `GMTCMapView` of RidesharingConsumer. `JourneyMap` shows
/// them in a browser.
public protocol JourneyMapSource: AnyObject, Sendable {
  /// Calls `observer` with the present contents soon, and again after each change, one call at a
  /// time. Intermediate states may be skipped.
  ///
  /// - Parameter observer: returns false to receive no further calls.
  func observe(_ observer: @escaping @Sendable (JourneyMapContents) -> Bool)

  /// Reports that a person has tapped on a marker. May be called on any thread, and returns at once.
  func receive(_ tap: JourneyMapTap)
}

/// A tap on a marker of a map.
public struct JourneyMapTap: Sendable, Hashable {
  /// The name of the trip or other resource; nil for a place of the map itself.
  public var tripName: String?
  /// The marker as the map shows it.
  public var marker: Journey.Marker

  /// Creates a tap. See the properties.
  public init(tripName: String?, marker: Journey.Marker) {
    self.tripName = tripName
    self.marker = marker
  }
}
