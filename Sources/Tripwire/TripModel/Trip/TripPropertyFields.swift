/// A set of properties of a trip, for example those that an update changed. The raw values are the
/// Consumer SDK's (GMTSTripPropertyFields), which has none for ``etaToNextWaypoint`` and ``otherFields``.
public struct TripPropertyFields: OptionSet, ResourceChanges, Hashable {
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
  /// ``Trip/pickupPoint``.
  public static let pickupLocation = Self(rawValue: 1 << 4)
  /// ``Trip/pickupTime``.
  public static let pickupTime = Self(rawValue: 1 << 5)
  /// ``Trip/dropoffPoint``.
  public static let dropoffLocation = Self(rawValue: 1 << 6)
  /// ``Trip/dropoffTime``.
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
  /// ``Trip/activeRoute``.
  public static let activeRoute = Self(rawValue: 1 << 15)
  /// ``Trip/activeRouteTraffic()``.
  public static let activeRouteTraffic = Self(rawValue: 1 << 16)
  /// ``Trip/remainingRoute``.
  public static let remainingRoute = Self(rawValue: 1 << 17)
  /// ``Trip/remainingRouteTraffic()``.
  public static let remainingRouteTraffic = Self(rawValue: 1 << 18)
  /// ``Trip/etaToNextWaypoint``.
  public static let etaToNextWaypoint = Self(rawValue: 1 << 19)
  /// Fields that no property has, such as ``Trip/attributes``, ``Trip/actualPickupPoint`` and
  /// ``Trip/vehicleWaypoints``.
  public static let otherFields = Self(rawValue: 1 << 20)
}

extension TripPropertyFields: CustomStringConvertible {
  private static let allNames = [
    "tripName", "vehicleID", "tripType", "tripStatus", "pickupLocation", "pickupTime",
    "dropoffLocation", "dropoffTime", "lastVehicleLocation", "numberOfPassengers",
    "remainingWaypoints", "intermediateDestinations", "intermediateDestinationIndex",
    "remainingDistanceOfActiveRoute", "distanceOfRemainingRoute", "activeRoute",
    "activeRouteTraffic", "remainingRoute", "remainingRouteTraffic", "etaToNextWaypoint",
    "otherFields",
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
    differences(from: old ?? Trip(), to: new ?? Trip())
  }

  static func differences(from old: Trip, to new: Trip) -> TripPropertyFields {
    var fields = differencesOfProperties(from: old, to: new)
    // A field of a property may change without it, such as the arrival at the first stop of another trip.
    fields.insert(
      .otherFields,
      if: haveDifferentOtherFields(old, new)
        || fields.isEmpty && old.withoutTimes != new.withoutTimes)
    return fields
  }

  private static func differencesOfProperties(from old: Trip, to new: Trip) -> Self {
    var fields = differencesOfFields(from: old, to: new)
    let haveSameWaypoints = old.name == new.name && !fields.contains(.remainingWaypoints)
    fields.insert(
      .etaToNextWaypoint,
      if: (!haveSameWaypoints || old.etaToFirstWaypoint != new.etaToFirstWaypoint)
        && old.etaToNextWaypoint != new.etaToNextWaypoint)
    fields.insert(
      .remainingDistanceOfActiveRoute,
      if: (!haveSameWaypoints || old.remainingDistanceMeters != new.remainingDistanceMeters)
        && old.remainingDistanceOfActiveRoute != new.remainingDistanceOfActiveRoute)
    if haveSameWaypoints, Trip.areEqual(old.route, new.route),
      old.currentRouteSegment == new.currentRouteSegment,
      old.currentRouteSegmentTraffic == new.currentRouteSegmentTraffic
    {
      return fields
    }
    fields.insert(.activeRoute, if: old.activeRoute != new.activeRoute)
    fields.insert(.activeRouteTraffic, if: old.activeTrafficPieces != new.activeTrafficPieces)
    if haveSameWaypoints { return fields }
    fields.insert(
      .distanceOfRemainingRoute, if: old.distanceOfRemainingRoute != new.distanceOfRemainingRoute)
    fields.insert(.remainingRoute, if: old.remainingRoute != new.remainingRoute)
    fields.insert(
      .remainingRouteTraffic, if: old.remainingTrafficPieces != new.remainingTrafficPieces)
    return fields
  }

  private static func differencesOfFields(from old: Trip, to new: Trip) -> Self {
    var fields: Self = []
    fields.insert(.tripName, if: old.name != new.name)
    fields.insert(.vehicleID, if: old.vehicleId != new.vehicleId)
    fields.insert(.tripType, if: old.tripType != new.tripType)
    fields.insert(.tripStatus, if: old.tripStatus != new.tripStatus)
    fields.insert(.pickupLocation, if: !Trip.areEqual(old.pickupPoint, new.pickupPoint))
    fields.insert(.pickupTime, if: old.pickupTime != new.pickupTime)
    fields.insert(.dropoffLocation, if: !Trip.areEqual(old.dropoffPoint, new.dropoffPoint))
    fields.insert(.dropoffTime, if: old.dropoffTime != new.dropoffTime)
    fields.insert(
      .lastVehicleLocation,
      if: old.lastLocationSnappable != new.lastLocationSnappable
        || old.lastLocation?.withoutAge != new.lastLocation?.withoutAge)
    fields.insert(.numberOfPassengers, if: old.numberOfPassengers != new.numberOfPassengers)
    fields.insert(
      .remainingWaypoints, if: !Trip.areEqual(old.remainingWaypoints, new.remainingWaypoints))
    fields.insert(
      .intermediateDestinations,
      if: !Trip.areEqual(old.intermediateDestinations, new.intermediateDestinations))
    fields.insert(
      .intermediateDestinationIndex,
      if: old.intermediateDestinationIndex != new.intermediateDestinationIndex)
    return fields
  }

  private static func haveDifferentOtherFields(_ old: Trip, _ new: Trip) -> Bool {
    old.attributes != new.attributes || old.view != new.view
      || !Trip.areEqual(old.vehicleWaypoints, new.vehicleWaypoints)
      || old.actualPickupPoint != new.actualPickupPoint
      || old.actualPickupArrivalPoint != new.actualPickupArrivalPoint
      || old.actualIntermediateDestinations != new.actualIntermediateDestinations
      || old.actualIntermediateDestinationArrivalPoints
        != new.actualIntermediateDestinationArrivalPoints
      || old.actualDropoffPoint != new.actualDropoffPoint
  }

  private mutating func insert(_ field: Self, if isDifferent: Bool) {
    if isDifferent { insert(field) }
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
