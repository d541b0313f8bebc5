import Foundation
public import Tripwire

/// A position on the globe.
public final class GMTSLatLng: GMTCImmutableData, @unchecked Sendable {
  /// Not in the SDK: the position as Tripwire's type.
  public let point: LatLng

  /// In degrees, north positive.
  public var latitude: Double { point.latitude }
  /// In degrees, east positive.
  public var longitude: Double { point.longitude }

  /// Creates a position from degrees, north and east positive.
  public convenience init(latitude: Double, longitude: Double) {
    self.init(LatLng(latitude: latitude, longitude: longitude))
  }

  /// Not in the SDK.
  public init(_ point: LatLng) {
    self.point = point
    super.init(content: point)
  }

  public override var description: String { "\(latitude),\(longitude)" }
}

extension [LatLng] {
  var objects: [GMTSLatLng] { map(GMTSLatLng.init) }
}

extension RoutePath {
  /// Nil if there are none, or they cannot be decoded.
  var objects: [GMTSLatLng]? {
    let points = (try? points()) ?? []
    return points.isEmpty ? nil : points.objects
  }
}
