import Tripwire
import WireSystem

/// Rotates the globe at random, so that places are elsewhere with about the same distances between
/// them. The rotation is never written.
struct AnonymousPlaces {
  private typealias Vector = (x: Double, y: Double, z: Double)

  /// The new position of the first place. Not near the poles or the date line, which maps cannot show
  /// well.
  private let target = LatLng(
    latitude: .random(in: -50...50), longitude: .random(in: -150...150))
  private let spin = Double.random(in: 0..<(2 * .pi))
  private let displacements = Displacements()
  /// The first place, which determines the rotation.
  private var origin: LatLng?

  /// Returns the new position of a place; nil for an invalid one. Latitude and longitude 0 stay: such a
  /// place was most likely never set, and its new position would reveal the rotation.
  mutating func move(_ point: LatLng) -> LatLng? {
    guard point.isOnGlobe else { return nil }
    guard point.latitude != 0 || point.longitude != 0 else { return LatLng() }
    let (right, ahead) = displacements.displacement(of: point)
    let here = Self.axes(at: point)
    let aside = Self.sum(here.east, right, here.north, ahead)
    let (x, y, z) = turn(Self.sum(here.up, 1, aside, 1), follow(point))
    let moved = LatLng(x: x, y: y, z: z)
    return LatLng(latitude: Self.rounded(moved.latitude), longitude: Self.rounded(moved.longitude))
  }

  /// Returns the heading of the same movement at the new position of a point.
  ///
  /// - Parameter heading: degrees clockwise from north.
  mutating func turn(heading: Int32, at point: LatLng?) -> Int32? {
    guard let point, point.isOnGlobe, point.latitude != 0 || point.longitude != 0 else {
      return nil
    }
    let angle = Double(heading) * .pi / 180
    let here = Self.axes(at: point)
    let way = Self.sum(here.east, sin(angle), here.north, cos(angle))
    let origin = follow(point)
    let (x, y, z) = turn(point.unitVector, origin)
    let there = Self.axes(at: LatLng(x: x, y: y, z: z))
    let newWay = turn(way, origin)
    let turned = atan2(Self.product(newWay, there.east), Self.product(newWay, there.north))
    let degrees = Int32((turned * 180 / .pi).rounded())
    return (degrees + 360) % 360
  }

  /// Moves the points of a polyline and keeps its format. Returns nil for text that is not a polyline.
  mutating func move(polyline text: String) -> String? {
    guard let points = try? Polyline.decode(text) else { return nil }
    var moved: [LatLng] = []
    moved.reserveCapacity(points.count)
    for point in points {
      guard let point = move(point) else { return nil }
      moved.append(point)
    }
    return text.utf8.first == UInt8(ascii: "A")
      ? try? S2Polyline.encode(moved) : try? EncodedPolyline.encode(moved)
  }

  private mutating func follow(_ point: LatLng) -> LatLng {
    if let origin { return origin }
    origin = point
    return point
  }

  /// Maps the axes at the origin to those at the target, with north turned by the spin.
  private func turn(_ vector: Vector, _ origin: LatLng) -> Vector {
    let (from, to) = (Self.axes(at: origin), Self.axes(at: target))
    let (east, north) = (Self.product(vector, from.east), Self.product(vector, from.north))
    let up = Self.product(vector, from.up)
    let flat = Self.sum(
      to.east, east * cos(spin) - north * sin(spin), to.north,
      east * sin(spin) + north * cos(spin))
    return Self.sum(flat, 1, to.up, up)
  }

  private static func axes(at point: LatLng) -> (east: Vector, north: Vector, up: Vector) {
    let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
    return (
      (-sin(longitude), cos(longitude), 0),
      (-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude)),
      point.unitVector
    )
  }

  private static func product(_ a: Vector, _ b: Vector) -> Double {
    a.x * b.x + a.y * b.y + a.z * b.z
  }

  private static func sum(_ a: Vector, _ s: Double, _ b: Vector, _ t: Double) -> Vector {
    (a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t)
  }

  /// Rounds to 10^-6 degrees, 11 cm.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
