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

  /// All fields of the SDK's option set, up to `remainingRouteTraffic`.
  var inSDK: Self { Self(rawValue: rawValue & (Self.remainingRouteTraffic.rawValue * 2 - 1)) }
}
