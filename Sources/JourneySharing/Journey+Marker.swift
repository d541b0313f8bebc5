public import Tripwire

extension Journey {
  /// A place on the map.
  public struct Marker: Sendable, Hashable {
    /// The object that a marker stands for.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// The place where the trip begins.
      case pickup
      /// A stop between pickup and drop-off, or a stop of a delivery vehicle.
      case intermediateDestination
      /// The place where the trip ends, or the place of a task or a shipment.
      case dropoff
      /// The vehicle at its last known position.
      case vehicle
    }

    /// The object that the marker stands for.
    public var kind: Kind
    /// The index among all intermediate destinations of the trip, or among all stops of a vehicle, from
    /// 0; nil for other markers.
    public var index: Int?
    /// Where the marker is shown.
    public var position: LatLng
    /// The vehicle's heading in degrees clockwise from north: as reported, or else the direction of
    /// the route at its position. Nil if neither is known.
    public var heading: Double?
    /// Whether the vehicle is shown at the nearest place on the route instead of its reported
    /// position.
    public var isSnapped = false
    /// The position that the vehicle measured, if the vehicle is shown at another place, because the
    /// server moved it to the road or this library moved it to the route.
    public var rawPosition: LatLng?
    /// The vehicle is within this radius in meters around ``rawPosition``, or around ``position`` if
    /// that is nil. Nil if unknown.
    public var accuracy: Double?
    /// The style, from the ``JourneyStyle``.
    public var style: JourneyStyle.Marker
  }
}

extension Journey.Marker {
  /// Nil if the place is unknown or not on the globe.
  init?(_ kind: Kind, at position: LatLng?, index: Int? = nil, _ style: JourneyStyle) {
    guard let position, position.isOnGlobe else { return nil }
    self.init(kind: kind, index: index, position: position, style: style[kind])
  }

  static func stops(of trip: Trip, at stage: Stage, _ style: JourneyStyle) -> [Self] {
    guard stage != .canceled else { return [] }
    var markers: [Self?] = []
    if stage == .beforePickup { markers.append(Self(.pickup, at: trip.pickupPoint?.point, style)) }
    let first: Int? =
      switch stage {
      case .beforePickup: 0
      case .toIntermediateDestination: Int(max(0, trip.intermediateDestinationIndex))
      default: nil
      }
    if let first {
      for (index, destination) in trip.intermediateDestinations.enumerated().dropFirst(first) {
        markers.append(Self(.intermediateDestination, at: destination.point, index: index, style))
      }
    }
    markers.append(Self(.dropoff, at: trip.dropoffPoint?.point, style))
    return markers.compactMap(\.self)
  }

  /// The next stop of the trip by its waypoints, or else the next one that is shown.
  static func nextStop(of trip: Trip, among stops: [Self]) -> [LatLng] {
    if let point = trip.nextTripWaypoint?.location?.point, point.isOnGlobe { return [point] }
    return stops.prefix(1).map(\.position)
  }

  /// - Parameter route: the route to which the vehicle is moved; nil leaves it where it is.
  static func vehicle(
    at location: VehicleLocation?, on route: [LatLng]?, _ style: JourneyStyle
  ) -> Self? {
    // Some vehicles report the measured location only.
    guard let location,
      let point = [location.location, location.rawLocation].compactMap(\.self)
        .first(where: \.isOnGlobe)
    else { return nil }
    var marker = Self(kind: .vehicle, position: point, style: style[.vehicle])
    marker.heading = location.heading.map(Double.init)
    if let route, let nearest = RouteProjection(of: point, onto: route) {
      marker.isSnapped = nearest.point != point
      marker.position = nearest.point
      marker.heading = marker.heading ?? nearest.bearing
    }
    let measured = location.rawLocation.flatMap { $0.isOnGlobe ? $0 : nil }
    let raw = measured ?? point
    marker.rawPosition = raw == marker.position ? nil : raw
    let radius = measured == nil ? location.latlngAccuracy : location.rawLocationAccuracy
    marker.accuracy = radius.flatMap { 0 < $0 && $0 < .infinity ? $0 : nil }
    return marker
  }
}
