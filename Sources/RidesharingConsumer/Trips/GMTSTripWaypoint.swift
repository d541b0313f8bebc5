public import Foundation
import Tripwire

/// A remaining stop of the vehicle, which may belong to another trip.
public final class GMTSTripWaypoint: GMTCImmutableData, @unchecked Sendable {
  private struct Content: Hashable, Sendable {
    var waypoint: TripWaypoint
    var location: GMTSTerminalLocation?
  }

  let waypoint: TripWaypoint
  /// Where the vehicle stops.
  public let location: GMTSTerminalLocation?
  private let route = Once<[GMTSLatLng]?>()
  private let traffic = Once<GMTSTrafficData?>()

  /// The ID of the trip of this stop.
  public var tripID: String? { waypoint.tripId.isEmpty ? nil : waypoint.tripId }
  /// Whether the stop is a pickup, a drop-off or between them.
  public var waypointType: GMTSTripWaypointType { GMTSTripWaypointType(waypoint.waypointType) }
  /// In meters; 0 if unknown.
  public var distanceToPreviousWaypointInMeters: Int32 { waypoint.distanceMeters ?? 0 }
  /// In seconds since 1970; 0 if unknown.
  public var eta: TimeInterval { waypoint.eta?.secondsSince1970 ?? 0 }

  /// Nil if there is none, or it cannot be decoded. Decoded on first use.
  public var routeFromPreviousWaypoint: [GMTSLatLng]? {
    route { waypoint.path.objects }
  }

  /// The traffic on the way to this stop; nil if unknown.
  public var trafficData: GMTSTrafficData? {
    traffic { (try? waypoint.traffic()).map(GMTSTrafficData.init) }
  }

  /// The ETA is in seconds since 1970. Unknown ETAs and distances are 0.
  public init(
    location: GMTSTerminalLocation?, tripID: String?, waypointType: GMTSTripWaypointType,
    distanceToPreviousWaypointInMeters: Int32, eta: TimeInterval
  ) {
    var waypoint = TripWaypoint(
      location: location?.location, tripId: tripID ?? "",
      waypointType: WaypointType(rawValue: Int32(waypointType.rawValue)))
    if distanceToPreviousWaypointInMeters != 0 {
      waypoint.distanceMeters = distanceToPreviousWaypointInMeters
    }
    if eta != 0 { waypoint.eta = Timestamp(secondsSince1970: eta) }
    self.waypoint = waypoint
    self.location = location
    super.init(content: Content(waypoint: waypoint, location: location))
  }

  init(_ waypoint: TripWaypoint) {
    self.waypoint = waypoint
    location = waypoint.location.map(GMTSTerminalLocation.init)
    super.init(content: Content(waypoint: waypoint, location: nil))
  }
}
