public import Tripwire

/// The status of a trip. The raw values are the SDK's, which differ from the API's from 4 on:
/// convert with ``init(_:)`` and ``status``.
public enum GMTSTripStatus: Int, Sendable {
  case unknown = 0
  case new = 1
  case enrouteToPickup = 2
  case arrivedAtPickup = 3
  case enrouteToIntermediateDestination = 4
  case arrivedAtIntermediateDestination = 5
  case enrouteToDropoff = 6
  case complete = 7
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
