import Tripwire

/// A set of properties of a trip, for example those that an update changed.
public struct GMTSTripPropertyFields: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let tripName = Self(rawValue: 1 << 0)
  public static let vehicleID = Self(rawValue: 1 << 1)
  public static let tripType = Self(rawValue: 1 << 2)
  public static let tripStatus = Self(rawValue: 1 << 3)
  public static let pickupLocation = Self(rawValue: 1 << 4)
  public static let pickupTime = Self(rawValue: 1 << 5)
  public static let dropoffLocation = Self(rawValue: 1 << 6)
  public static let dropoffTime = Self(rawValue: 1 << 7)
  public static let routeLastVehicleLocation = Self(rawValue: 1 << 8)
  public static let numberOfPassengers = Self(rawValue: 1 << 9)
  public static let remainingWaypoints = Self(rawValue: 1 << 10)
  public static let intermediateDestinations = Self(rawValue: 1 << 11)
  public static let intermediateDestinationIndex = Self(rawValue: 1 << 12)
  public static let remainingDistanceOfActiveRouteInMeters = Self(rawValue: 1 << 13)
  public static let distanceOfRemainingRouteInMeters = Self(rawValue: 1 << 14)
  public static let activeRoute = Self(rawValue: 1 << 15)
  public static let activeRouteTraffic = Self(rawValue: 1 << 16)
  public static let remainingRoute = Self(rawValue: 1 << 17)
  public static let remainingRouteTraffic = Self(rawValue: 1 << 18)

  /// Everything for which the SDK has a bit. The ETA to the next stop has none.
  init(_ fields: TripPropertyFields) {
    rawValue = fields.rawValue & ((1 << 19) - 1)
  }
}
