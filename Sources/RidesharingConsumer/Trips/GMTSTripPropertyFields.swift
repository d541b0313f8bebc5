public import Tripwire

/// A set of properties of a trip, for example those that an update changed.
public typealias GMTSTripPropertyFields = TripPropertyFields

extension GMTSTripPropertyFields {
  /// The SDK's name of `lastVehicleLocation`.
  public static let routeLastVehicleLocation = lastVehicleLocation
  /// The SDK's name of `remainingDistanceOfActiveRoute`.
  public static let remainingDistanceOfActiveRouteInMeters = remainingDistanceOfActiveRoute
  /// The SDK's name of `distanceOfRemainingRoute`.
  public static let distanceOfRemainingRouteInMeters = distanceOfRemainingRoute

  /// Everything for which the SDK has a bit: up to the traffic on the remaining route.
  var inSDK: Self { Self(rawValue: rawValue & (Self.remainingRouteTraffic.rawValue * 2 - 1)) }
}
