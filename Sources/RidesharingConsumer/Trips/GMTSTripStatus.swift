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

  /// Not in the SDK. A status without a name becomes `unknown`.
  public init(_ status: TripStatus) {
    self =
      switch status {
      case .unknown, .unrecognized: .unknown
      case .new: .new
      case .enrouteToPickup: .enrouteToPickup
      case .arrivedAtPickup: .arrivedAtPickup
      case .enrouteToIntermediateDestination: .enrouteToIntermediateDestination
      case .arrivedAtIntermediateDestination: .arrivedAtIntermediateDestination
      case .enrouteToDropoff: .enrouteToDropoff
      case .complete: .complete
      case .canceled: .canceled
      }
  }

  /// Not in the SDK: the status as the API's type.
  public var status: TripStatus {
    switch self {
    case .unknown: .unknown
    case .new: .new
    case .enrouteToPickup: .enrouteToPickup
    case .arrivedAtPickup: .arrivedAtPickup
    case .enrouteToIntermediateDestination: .enrouteToIntermediateDestination
    case .arrivedAtIntermediateDestination: .arrivedAtIntermediateDestination
    case .enrouteToDropoff: .enrouteToDropoff
    case .complete: .complete
    case .canceled: .canceled
    }
  }
}
