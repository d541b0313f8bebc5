/// A set of properties of a trip, for example those that an update changed. The raw values are the
/// Consumer SDK's (GMTSTripPropertyFields), which has none for ``etaToNextWaypoint``.
public struct TripPropertyFields: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// ``Trip/name``.
  public static let tripName = Self(rawValue: 1 << 0)
  /// ``Trip/vehicleId``.
  public static let vehicleID = Self(rawValue: 1 << 1)
  /// ``Trip/tripType``.
  public static let tripType = Self(rawValue: 1 << 2)
  /// ``Trip/tripStatus``.
  public static let tripStatus = Self(rawValue: 1 << 3)
  public static let pickupLocation = Self(rawValue: 1 << 4)
  public static let pickupTime = Self(rawValue: 1 << 5)
  public static let dropoffLocation = Self(rawValue: 1 << 6)
  public static let dropoffTime = Self(rawValue: 1 << 7)
  /// ``Trip/lastLocation`` without its age (`timeSinceUpdate`, `numStaleUpdates`), or
  /// ``Trip/lastLocationSnappable``.
  public static let lastVehicleLocation = Self(rawValue: 1 << 8)
  /// ``Trip/numberOfPassengers``.
  public static let numberOfPassengers = Self(rawValue: 1 << 9)
  /// ``Trip/remainingWaypoints``.
  public static let remainingWaypoints = Self(rawValue: 1 << 10)
  /// ``Trip/intermediateDestinations``.
  public static let intermediateDestinations = Self(rawValue: 1 << 11)
  /// ``Trip/intermediateDestinationIndex``.
  public static let intermediateDestinationIndex = Self(rawValue: 1 << 12)
  /// ``Trip/remainingDistanceOfActiveRoute``.
  public static let remainingDistanceOfActiveRoute = Self(rawValue: 1 << 13)
  /// ``Trip/distanceOfRemainingRoute``.
  public static let distanceOfRemainingRoute = Self(rawValue: 1 << 14)
  public static let activeRoute = Self(rawValue: 1 << 15)
  public static let activeRouteTraffic = Self(rawValue: 1 << 16)
  public static let remainingRoute = Self(rawValue: 1 << 17)
  public static let remainingRouteTraffic = Self(rawValue: 1 << 18)
  /// ``Trip/etaToNextWaypoint``.
  public static let etaToNextWaypoint = Self(rawValue: 1 << 19)
}

extension TripPropertyFields: CustomStringConvertible {
  private static let allNames = [
    "tripName", "vehicleID", "tripType", "tripStatus", "pickupLocation", "pickupTime",
    "dropoffLocation", "dropoffTime", "lastVehicleLocation", "numberOfPassengers",
    "remainingWaypoints", "intermediateDestinations", "intermediateDestinationIndex",
    "remainingDistanceOfActiveRoute", "distanceOfRemainingRoute", "activeRoute",
    "activeRouteTraffic", "remainingRoute", "remainingRouteTraffic", "etaToNextWaypoint",
  ]

  /// The names of the properties in the set, in the order of their raw values.
  public var names: [String] {
    Self.allNames.enumerated().filter { contains(Self(rawValue: 1 << $0.offset)) }.map(\.element)
  }

  /// The names in brackets: "[tripStatus, pickupTime]".
  public var description: String { "[\(names.joined(separator: ", "))]" }
}

extension TripPropertyFields {
  /// Returns the properties that differ between two trips. Nil stands for an empty trip.
  public static func differences(between old: Trip?, and new: Trip?) -> TripPropertyFields {
    differences(from: ReceivedTrip(old ?? Trip()), to: ReceivedTrip(new ?? Trip()))
  }

  static func differences(between old: ReceivedTrip?, and new: ReceivedTrip?) -> TripPropertyFields
  {
    differences(from: old ?? emptyTrip, to: new ?? emptyTrip)
  }

  private static let emptyTrip = ReceivedTrip(Trip())

  // The fields are read through the objects, because a copy of a trip counts the references of all its parts.
  private static func differences(
    from old: ReceivedTrip, to new: ReceivedTrip
  ) -> TripPropertyFields {
    var fields = differencesOfFields(between: old, and: new)
    let haveSameWaypoints =
      old.resource.name == new.resource.name && !fields.contains(.remainingWaypoints)
    if !haveSameWaypoints || old.resource.etaToFirstWaypoint != new.resource.etaToFirstWaypoint,
      old.resource.etaToNextWaypoint != new.resource.etaToNextWaypoint
    {
      fields.insert(.etaToNextWaypoint)
    }
    if !haveSameWaypoints
      || old.resource.remainingDistanceMeters != new.resource.remainingDistanceMeters,
      old.resource.remainingDistanceOfActiveRoute != new.resource.remainingDistanceOfActiveRoute
    {
      fields.insert(.remainingDistanceOfActiveRoute)
    }
    if haveSameWaypoints, Trip.areEqual(old.resource.route, new.resource.route),
      old.resource.currentRouteSegment == new.resource.currentRouteSegment,
      old.resource.currentRouteSegmentTraffic == new.resource.currentRouteSegmentTraffic
    {
      return fields
    }
    if old.resource.activeRoute != new.resource.activeRoute { fields.insert(.activeRoute) }
    if old.resource.activeTrafficPieces != new.resource.activeTrafficPieces {
      fields.insert(.activeRouteTraffic)
    }
    if haveSameWaypoints { return fields }
    if old.resource.distanceOfRemainingRoute != new.resource.distanceOfRemainingRoute {
      fields.insert(.distanceOfRemainingRoute)
    }
    if old.resource.remainingRoute != new.resource.remainingRoute { fields.insert(.remainingRoute) }
    if old.resource.remainingTrafficPieces != new.resource.remainingTrafficPieces {
      fields.insert(.remainingRouteTraffic)
    }
    return fields
  }

  private static func differencesOfFields(
    between old: ReceivedTrip, and new: ReceivedTrip
  ) -> Self {
    var fields: Self = []
    if old.resource.name != new.resource.name { fields.insert(.tripName) }
    if old.resource.vehicleId != new.resource.vehicleId { fields.insert(.vehicleID) }
    if old.resource.tripType != new.resource.tripType { fields.insert(.tripType) }
    if old.resource.tripStatus != new.resource.tripStatus { fields.insert(.tripStatus) }
    if !Trip.areEqual(old.resource.pickupPoint, new.resource.pickupPoint) {
      fields.insert(.pickupLocation)
    }
    if old.resource.pickupTime != new.resource.pickupTime { fields.insert(.pickupTime) }
    if !Trip.areEqual(old.resource.dropoffPoint, new.resource.dropoffPoint) {
      fields.insert(.dropoffLocation)
    }
    if old.resource.dropoffTime != new.resource.dropoffTime { fields.insert(.dropoffTime) }
    if old.resource.lastLocationSnappable != new.resource.lastLocationSnappable
      || old.resource.lastLocation?.withoutAge != new.resource.lastLocation?.withoutAge
    {
      fields.insert(.lastVehicleLocation)
    }
    if old.resource.numberOfPassengers != new.resource.numberOfPassengers {
      fields.insert(.numberOfPassengers)
    }
    if !Trip.areEqual(old.resource.remainingWaypoints, new.resource.remainingWaypoints) {
      fields.insert(.remainingWaypoints)
    }
    if !Trip.areEqual(old.resource.intermediateDestinations, new.resource.intermediateDestinations)
    {
      fields.insert(.intermediateDestinations)
    }
    if old.resource.intermediateDestinationIndex != new.resource.intermediateDestinationIndex {
      fields.insert(.intermediateDestinationIndex)
    }
    return fields
  }
}

extension VehicleLocation {
  /// The location without the fields that change while the vehicle sends nothing.
  package var withoutAge: VehicleLocation {
    var location = self
    location.timeSinceUpdate = nil
    location.numStaleUpdates = nil
    return location
  }
}
