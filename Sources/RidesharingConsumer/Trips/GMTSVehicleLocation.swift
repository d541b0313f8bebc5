public import Foundation
import Tripwire

#if canImport(CoreLocation)
  public import CoreLocation
#else
  /// Degrees clockwise from north, as in Apple's Core Location.
  public typealias CLLocationDirection = Double
#endif

/// The position and movement of a vehicle. Unknown numbers are 0.
public final class GMTSVehicleLocation: GMTCImmutableData, @unchecked Sendable {
  private let options: GMTSVehicleLocationOptions.Content

  /// The position on the globe; nil if unknown.
  public var latLng: GMTSLatLng? { options.latLng.map(GMTSLatLng.init) }
  /// The radius of uncertainty around ``latLng``, in meters.
  public var latLngAccuracy: Double { options.latLngAccuracy }
  /// In degrees clockwise from north.
  public var heading: CLLocationDirection { options.heading }
  /// In degrees.
  public var headingAccuracy: Double { options.headingAccuracy }
  /// In meters per second.
  public var speed: Int32 { options.speed }
  /// In meters per second.
  public var speedAccuracy: Double { options.speedAccuracy }
  /// When the driver's app determined it, in milliseconds since 1970.
  public var updateTime: TimeInterval { options.updateTime }
  /// When Fleet Engine received it, in milliseconds since 1970.
  public var updateServerTime: TimeInterval { options.updateServerTime }
  /// Whether it may be shown at its nearest place on the route.
  public var isSnappableToRoute: Bool { options.isSnappableToRoute }

  /// Creates a location with the present values of the options.
  public init(options: GMTSVehicleLocationOptions) {
    self.options = options.content
    super.init(content: self.options)
  }

  convenience init(_ location: VehicleLocation, isSnappable: Bool) {
    let options = GMTSVehicleLocationOptions()
    options.latLng = location.location.map(GMTSLatLng.init)
    options.latLngAccuracy = location.latlngAccuracy ?? location.horizontalAccuracy ?? 0
    options.heading = location.heading.map(Double.init) ?? 0
    options.headingAccuracy = location.headingAccuracy ?? location.bearingAccuracy ?? 0
    let speed = location.speed ?? location.speedKmph.map { Double($0) / 3.6 }
    options.speed = speed.flatMap { Int32(exactly: $0.rounded()) } ?? 0
    options.speedAccuracy = location.speedAccuracy ?? 0
    options.updateTime = location.updateTime.map { $0.secondsSince1970 * 1000 } ?? 0
    options.updateServerTime = location.serverTime.map { $0.secondsSince1970 * 1000 } ?? 0
    options.isSnappableToRoute = isSnappable
    self.init(options: options)
  }

  /// The location as the API's type.
  var location: VehicleLocation {
    func known<Number: Numeric>(_ number: Number) -> Number? { number == 0 ? nil : number }
    return VehicleLocation(
      location: options.latLng, latlngAccuracy: known(options.latLngAccuracy),
      heading: known(options.heading).flatMap { Int32(exactly: $0.rounded()) },
      headingAccuracy: known(options.headingAccuracy), speed: known(Double(options.speed)),
      speedAccuracy: known(options.speedAccuracy),
      updateTime: known(options.updateTime)
        .flatMap { Timestamp(secondsSince1970: $0 / 1000) },
      serverTime: known(options.updateServerTime)
        .flatMap { Timestamp(secondsSince1970: $0 / 1000) })
  }
}

/// The content of a ``GMTSVehicleLocation``.
public final class GMTSVehicleLocationOptions: NSObject {
  struct Content: Hashable, Sendable {
    let latLng: LatLng?
    let latLngAccuracy: Double
    let heading: CLLocationDirection
    let headingAccuracy: Double
    let speed: Int32
    let speedAccuracy: Double
    let updateTime: TimeInterval
    let updateServerTime: TimeInterval
    let isSnappableToRoute: Bool
  }

  /// The position on the globe; nil if unknown.
  public var latLng: GMTSLatLng?
  /// The radius of uncertainty around ``latLng``, in meters.
  public var latLngAccuracy: Double = 0
  /// The direction of movement, in degrees clockwise from north.
  public var heading: CLLocationDirection = 0
  /// The uncertainty of ``heading``, in degrees.
  public var headingAccuracy: Double = 0
  /// In meters per second.
  public var speed: Int32 = 0
  /// The uncertainty of ``speed``, in meters per second.
  public var speedAccuracy: Double = 0
  /// When the driver's app determined the location, in milliseconds since 1970.
  public var updateTime: TimeInterval = 0
  /// When Fleet Engine received the location, in milliseconds since 1970.
  public var updateServerTime: TimeInterval = 0
  /// Whether the vehicle may be shown at its nearest place on the route.
  public var isSnappableToRoute = false

  var content: Content {
    Content(
      latLng: latLng?.point, latLngAccuracy: latLngAccuracy, heading: heading,
      headingAccuracy: headingAccuracy, speed: speed, speedAccuracy: speedAccuracy,
      updateTime: updateTime, updateServerTime: updateServerTime,
      isSnappableToRoute: isSnappableToRoute)
  }

  public override init() {}
}
