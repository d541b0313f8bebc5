public import Tripwire

/// The contents of a map: journeys, places of the map itself, and how the camera moves.
public struct JourneyMapContents: Sendable, Hashable {
  /// The names of the trips or other resources that the map shows, in order, including those that are not
  /// known yet.
  public var tripNames: [String] = []
  /// The journeys of these resources, as far as they are known.
  public var journeys: [Journey] = []
  /// Places that belong to no trip, such as the pickup that a rider has chosen.
  public var places: [Journey.Marker] = []
  /// Whether the camera follows the journeys.
  public var followsJourneys = true
  /// The area that the camera shows while it does not follow; nil leaves it where it is.
  public var camera: MapBounds?
  /// The number of times that the page has to show ``camera``, or the journeys if it follows them. An increase moves
  /// the map, even after a person has moved it.
  public var cameraResets = 0
  /// Whether people may move the map.
  public var allowsScrolling = true
  /// Whether people may zoom the map.
  public var allowsZooming = true

  /// Creates an empty map.
  public init() {}

  /// Shows a journey in place of an older one of the same resource.
  public mutating func show(_ journey: Journey) {
    if let index = journeys.firstIndex(where: { $0.name == journey.name }) {
      journeys[index] = journey
    } else {
      tripNames.append(journey.name)
      journeys.append(journey)
    }
  }
}

extension Journey.Marker {
  /// Creates a marker of a place that belongs to no trip.
  public init(kind: Kind, position: LatLng, style: JourneyStyle.Marker) {
    self.init(kind: kind, index: nil, position: position, style: style)
  }
}
