public import Foundation
public import Tripwire

/// A trip as it was when it was received. Times and distances that are not known are 0; ``trip`` has
/// them as optionals.
public final class GMTSTrip: GMTCImmutableData, @unchecked Sendable {
  private struct Content: Hashable, Sendable {
    var trip: Trip
    /// With what the API has no fields for.
    var locations: [GMTSTerminalLocation?] = []
  }

  /// Ours, not the SDK's: the same as Tripwire has it.
  public let trip: Trip
  public let pickupLocation: GMTSTerminalLocation?
  public let dropoffLocation: GMTSTerminalLocation?
  public let lastVehicleLocation: GMTSVehicleLocation?
  /// The stops that the vehicle has left up to the end of this trip, those of other trips among them.
  public let remainingWaypoints: [GMTSTripWaypoint]?
  public let intermediateDestinations: [GMTSTerminalLocation]?
  private let routes = Routes()

  /// What is made of the trip when it is first asked for.
  private final class Routes: Sendable {
    let active = Once<[GMTSLatLng]?>()
    let remaining = Once<[GMTSLatLng]?>()
    let activeTraffic = Once<GMTSTrafficData?>()
    let remainingTraffic = Once<GMTSTrafficData?>()
  }

  public var tripName: String? { trip.name.isEmpty ? nil : trip.name }
  public var vehicleID: String? { trip.vehicleId.isEmpty ? nil : trip.vehicleId }
  public var tripType: GMTSTripType { GMTSTripType(trip.tripType) }
  public var tripStatus: GMTSTripStatus { GMTSTripStatus(trip.tripStatus) }
  /// When the rider is expected to be picked up, or was, in seconds since 1970; 0 when not known.
  public var pickupTime: TimeInterval { trip.pickupTime?.secondsSince1970 ?? 0 }
  /// When the rider is expected to be dropped off, or was, in seconds since 1970; 0 when not known.
  public var dropoffTime: TimeInterval { trip.dropoffTime?.secondsSince1970 ?? 0 }
  public var numberOfPassengers: UInt { UInt(clamping: trip.numberOfPassengers) }
  public var intermediateDestinationIndex: Int { Int(trip.intermediateDestinationIndex) }

  /// Ours, not the SDK's.
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

  /// Times are in seconds since 1970, 0 for one that is not known.
  public init(
    tripName: String?, vehicleID: String?, tripType: GMTSTripType, tripStatus: GMTSTripStatus,
    pickupLocation: GMTSTerminalLocation?, pickupTime: TimeInterval,
    dropoffLocation: GMTSTerminalLocation?, dropoffTime: TimeInterval,
    lastVehicleLocation: GMTSVehicleLocation?, numberOfPassengers: UInt,
    remainingWaypoints: [GMTSTripWaypoint]?, intermediateDestinations: [GMTSTerminalLocation]?,
    intermediateDestinationIndex: Int
  ) {
    var trip = Trip()
    trip.name = tripName ?? ""
    trip.vehicleId = vehicleID ?? ""
    trip.tripType = TripType(rawValue: Int32(tripType.rawValue))
    trip.tripStatus = tripStatus.status
    trip.pickupPoint = pickupLocation?.location
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

  /// The bare ID of the trip; nil when its name has none.
  public func tripID() -> String? { trip.tripID.isEmpty ? nil : trip.tripID }

  /// The next stop of this trip.
  public func nextTripWaypoint() -> GMTSTripWaypoint? {
    trip.nextTripWaypoint.map(GMTSTripWaypoint.init)
  }

  /// The next stop of the vehicle, which may be another trip's.
  public func nextWaypoint() -> GMTSTripWaypoint? { remainingWaypoints?.first }

  /// The way of the vehicle to the next stop of this trip, by way of the stops of others. Nil when
  /// none is known.
  public func activeRoute() -> [GMTSLatLng]? {
    routes.active { trip.activeRoute.objects }
  }

  /// The way from the next stop of this trip to its last. Nil when none is known.
  public func remainingRoute() -> [GMTSLatLng]? {
    routes.remaining { trip.remainingRoute.objects }
  }

  /// The traffic along ``activeRoute()``. Nil when nothing is known of it.
  public func activeRouteTraffic() -> GMTSTrafficData? {
    routes.activeTraffic { (try? trip.activeRouteTraffic()).map(GMTSTrafficData.init) }
  }

  /// The traffic along ``remainingRoute()``. Nil when nothing is known of it.
  public func remainingRouteTraffic() -> GMTSTrafficData? {
    routes.remainingTraffic {
      (try? trip.remainingRouteTraffic()).map(GMTSTrafficData.init)
    }
  }

  /// In metres; 0 also when it is not known.
  public func remainingDistanceOfActiveRouteInMeters() -> Int32 {
    trip.remainingDistanceOfActiveRoute ?? 0
  }

  /// In metres; 0 also when it is not known.
  public func distanceOfRemainingRouteInMeters() -> Int32 { trip.distanceOfRemainingRoute ?? 0 }

  /// What differs between two trips.
  public class func propertyValueDifferencesBetweenTrip1(
    _ trip1: GMTSTrip, andTrip2 trip2: GMTSTrip
  ) -> GMTSTripPropertyFields {
    GMTSTripPropertyFields(.differences(between: trip1.trip, and: trip2.trip))
  }
}
