import Tripwire
import WireSystem

/// The Mercator projection of an area onto a picture.
struct MapProjection {
  /// Pixels per meter at the middle of the area.
  let scale: Double
  private let pixelsPerDegree: Double
  /// The area's middle.
  private let latitude: Double
  private let longitude: Double
  private let middle: (x: Double, y: Double)

  /// Mercator's northernmost latitude, in degrees.
  private static let limit = 85.0
  /// A smaller area is enlarged to this size, in degrees of latitude: about 300 m.
  private static let leastSpan = 0.003

  /// - Parameters:
  ///   - size: of the part of the picture that shows the whole area, in pixels.
  ///   - origin: the left upper corner of that part.
  init(
    of area: MapBounds, onto size: (width: Double, height: Double),
    at origin: (x: Double, y: Double)
  ) {
    let (west, south) = (area.southwest.longitude, area.southwest.latitude)
    var east = area.northeast.longitude
    // The area crosses the antimeridian.
    if east < west { east += 360 }
    let (bottom, top) = (Self.stretched(south), Self.stretched(area.northeast.latitude))
    pixelsPerDegree = min(
      size.width / max(east - west, Self.leastSpan), size.height / max(top - bottom, Self.leastSpan)
    )
    longitude = (west + east) / 2
    latitude = (bottom + top) / 2
    middle = (origin.x + size.width / 2, origin.y + size.height / 2)
    let metersPerDegree = earthRadius * .pi / 180 * cos(Self.shrunk(latitude) * .pi / 180)
    scale = pixelsPerDegree / metersPerDegree
  }

  func point(_ place: LatLng) -> (x: Double, y: Double) {
    let east = wrapped(place.longitude - wrapped(longitude))
    return (
      middle.x + east * pixelsPerDegree,
      middle.y - (Self.stretched(place.latitude) - latitude) * pixelsPerDegree
    )
  }

  /// The ordinate of a latitude, in degrees of longitude.
  private static func stretched(_ latitude: Double) -> Double {
    let angle = max(-limit, min(limit, latitude)) * .pi / 180
    return log(tan(.pi / 4 + angle / 2)) * 180 / .pi
  }

  private static func shrunk(_ ordinate: Double) -> Double {
    (2 * atan(exp(ordinate * .pi / 180)) - .pi / 2) * 180 / .pi
  }
}
