public import Tripwire

/// What a trip is about to do. The numbers are the SDK's, which are not those of the API from 4 on:
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

  /// Ours, not the SDK's. A status that has no name is `unknown`.
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

  /// Ours, not the SDK's: the same as the API has it.
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
