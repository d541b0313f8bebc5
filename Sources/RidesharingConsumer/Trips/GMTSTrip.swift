public import Foundation
public import Tripwire

/// A trip as it was received. Unknown times and distances are 0; ``trip`` has them as optionals.
public final class GMTSTrip: GMTCImmutableData, @unchecked Sendable {
  private struct Content: Hashable, Sendable {
    var trip: Trip
    /// Includes values for which the API has no fields.
    var locations: [GMTSTerminalLocation?] = []
  }

  /// Not in the SDK: the trip as Tripwire's type.
  public let trip: Trip
  /// Where the rider is picked up, as requested; nil if unknown.
  public let pickupLocation: GMTSTerminalLocation?
  /// Where the rider is dropped off, as requested; nil if unknown.
  public let dropoffLocation: GMTSTerminalLocation?
  /// The last known location of the vehicle.
  public let lastVehicleLocation: GMTSVehicleLocation?
  /// The remaining stops of the vehicle up to the end of this trip, including those of other trips.
  public let remainingWaypoints: [GMTSTripWaypoint]?
  /// The stops of this trip between pickup and drop-off, in the order of travel.
  public let intermediateDestinations: [GMTSTerminalLocation]?
  private let active = Once<[GMTSLatLng]?>()
  private let remaining = Once<[GMTSLatLng]?>()
  private let activeTraffic = Once<GMTSTrafficData?>()
  private let remainingTraffic = Once<GMTSTrafficData?>()

  /// `providers/{provider}/trips/{trip}`; nil if the server sent none.
  public var tripName: String? { trip.name.isEmpty ? nil : trip.name }
  /// The ID of the vehicle; nil before one is assigned.
  public var vehicleID: String? { trip.vehicleId.isEmpty ? nil : trip.vehicleId }
  /// Whether the trip may share its vehicle with other trips.
  public var tripType: GMTSTripType { GMTSTripType(trip.tripType) }
  /// The stage of the trip, with the SDK's raw values.
  public var tripStatus: GMTSTripStatus { GMTSTripStatus(trip.tripStatus) }
  /// The expected or actual pickup time in seconds since 1970; 0 if unknown.
  public var pickupTime: TimeInterval { trip.pickupTime?.secondsSince1970 ?? 0 }
  /// The expected or actual drop-off time in seconds since 1970; 0 if unknown.
  public var dropoffTime: TimeInterval { trip.dropoffTime?.secondsSince1970 ?? 0 }
  /// How many people take this trip, without the driver; 0 if unknown.
  public var numberOfPassengers: UInt { UInt(clamping: trip.numberOfPassengers) }
  /// The index of the next intermediate destination, from 0.
  public var intermediateDestinationIndex: Int { Int(trip.intermediateDestinationIndex) }

  /// Not in the SDK.
  public init(_ trip: Trip) {
    self.trip = trip
    pickupLocation = trip.pickupPoint.map(GMTSTerminalLocation.init)
    dropoffLocation = trip.dropoffPoint.map(GMTSTerminalLocation.init)
    lastVehicleLocation = trip.lastLocation.map {
      GMTSVehicleLocation($0, isSnappable: trip.lastLocationSnappable)
    }
    remainingWaypoints = trip.remainingWaypoints.map(GMTSTripWaypoint.init)
    intermediateDestinations = trip.intermediateDestinations.map(GMTSTerminalLocation.init)
    super.init(content: Content(trip: trip))
  }

  /// Times are in seconds since 1970, 0 if unknown.
  public init(
    tripName: String?, vehicleID: String?, tripType: GMTSTripType, tripStatus: GMTSTripStatus,
    pickupLocation: GMTSTerminalLocation?, pickupTime: TimeInterval,
    dropoffLocation: GMTSTerminalLocation?, dropoffTime: TimeInterval,
    lastVehicleLocation: GMTSVehicleLocation?, numberOfPassengers: UInt,
    remainingWaypoints: [GMTSTripWaypoint]?, intermediateDestinations: [GMTSTerminalLocation]?,
    intermediateDestinationIndex: Int
  ) {
    var trip = Trip(
      name: tripName ?? "", vehicleId: vehicleID ?? "", tripStatus: tripStatus.status,
      tripType: TripType(rawValue: Int32(tripType.rawValue)), pickupPoint: pickupLocation?.location)
    if pickupTime != 0 { trip.pickupTime = Timestamp(secondsSince1970: pickupTime) }
    trip.dropoffPoint = dropoffLocation?.location
    if dropoffTime != 0 { trip.dropoffTime = Timestamp(secondsSince1970: dropoffTime) }
    trip.lastLocation = lastVehicleLocation?.location
    trip.lastLocationSnappable = lastVehicleLocation?.isSnappableToRoute ?? false
    trip.numberOfPassengers = Int32(clamping: numberOfPassengers)
    trip.remainingWaypoints = remainingWaypoints?.map(\.waypoint) ?? []
    trip.intermediateDestinations = intermediateDestinations?.map(\.location) ?? []
    trip.intermediateDestinationIndex = Int32(clamping: intermediateDestinationIndex)
    self.trip = trip
    self.pickupLocation = pickupLocation
    self.dropoffLocation = dropoffLocation
    self.lastVehicleLocation = lastVehicleLocation
    self.remainingWaypoints = remainingWaypoints
    self.intermediateDestinations = intermediateDestinations
    super.init(
      content: Content(
        trip: trip, locations: [pickupLocation, dropoffLocation] + (intermediateDestinations ?? []))
    )
  }

  /// The ID of the trip alone; nil if its name has none.
  public func tripID() -> String? { trip.tripID.isEmpty ? nil : trip.tripID }

  /// The next stop of this trip.
  public func nextTripWaypoint() -> GMTSTripWaypoint? {
    trip.nextTripWaypoint.map(GMTSTripWaypoint.init)
  }

  /// The next stop of the vehicle, which may belong to another trip.
  public func nextWaypoint() -> GMTSTripWaypoint? { remainingWaypoints?.first }

  /// The route of the vehicle to the next stop of this trip, through the stops of other trips. Nil
  /// if unknown.
  public func activeRoute() -> [GMTSLatLng]? {
    active { trip.activeRoute.objects }
  }

  /// The route from the next stop of this trip to its last. Nil if unknown.
  public func remainingRoute() -> [GMTSLatLng]? {
    remaining { trip.remainingRoute.objects }
  }

  /// The traffic along ``activeRoute()``. Nil if unknown.
  public func activeRouteTraffic() -> GMTSTrafficData? {
    activeTraffic { (try? trip.activeRouteTraffic()).map(GMTSTrafficData.init) }
  }

  /// The traffic along ``remainingRoute()``. Nil if unknown.
  public func remainingRouteTraffic() -> GMTSTrafficData? {
    remainingTraffic { (try? trip.remainingRouteTraffic()).map(GMTSTrafficData.init) }
  }

  /// In meters; 0 if unknown.
  public func remainingDistanceOfActiveRouteInMeters() -> Int32 {
    trip.remainingDistanceOfActiveRoute ?? 0
  }

  /// In meters; 0 if unknown.
  public func distanceOfRemainingRouteInMeters() -> Int32 { trip.distanceOfRemainingRoute ?? 0 }

  /// Returns the properties that differ between two trips.
  public class func propertyValueDifferencesBetweenTrip1(
    _ trip1: GMTSTrip, andTrip2 trip2: GMTSTrip
  ) -> GMTSTripPropertyFields {
    GMTSTripPropertyFields.differences(between: trip1.trip, and: trip2.trip).inSDK
  }
}
