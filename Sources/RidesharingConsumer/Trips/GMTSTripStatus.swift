public import Tripwire

/// The status of a trip. The raw values are the SDK's, which differ from the API's from 4 on:
/// convert with ``init(_:)`` and ``status``.
public enum GMTSTripStatus: Int, Sendable {
  /// The server sent no status, or one without a name here.
  case unknown = 0
  /// The trip was created, and no vehicle is on its way.
  case new = 1
  /// The vehicle is on its way to the pickup.
  case enrouteToPickup = 2
  /// The vehicle has arrived at the pickup.
  case arrivedAtPickup = 3
  /// The vehicle is on its way to a stop between pickup and drop-off; 8 in the API.
  case enrouteToIntermediateDestination = 4
  /// The vehicle has arrived at a stop between pickup and drop-off; 7 in the API.
  case arrivedAtIntermediateDestination = 5
  /// The vehicle is on its way to the drop-off; 4 in the API.
  case enrouteToDropoff = 6
  /// The rider was dropped off; 5 in the API. Polling stops.
  case complete = 7
  /// The trip was canceled; 6 in the API. Polling stops.
  case canceled = 8

  /// Those of the API, by raw value.
  private static let statuses: [TripStatus] = [
    .unknown, .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
    .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .canceled,
  ]

  /// Not in the SDK. A status without a name becomes `unknown`.
  public init(_ status: TripStatus) {
    self = Self.statuses.firstIndex(of: status).flatMap { Self(rawValue: $0) } ?? .unknown
  }

  /// Not in the SDK: the status as the API's type.
  public var status: TripStatus { Self.statuses[rawValue] }
}
