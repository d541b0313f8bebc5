import Foundation
public import Tripwire

/// A place on the globe.
public final class GMTSLatLng: GMTCImmutableData, @unchecked Sendable {
  /// Ours, not the SDK's: the same as Tripwire has it.
  public let point: LatLng

  /// In degrees, north positive.
  public var latitude: Double { point.latitude }
  /// In degrees, east positive.
  public var longitude: Double { point.longitude }

  public convenience init(latitude: Double, longitude: Double) {
    self.init(LatLng(latitude: latitude, longitude: longitude))
  }

  /// Ours, not the SDK's.
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
  /// Nil when there are none, or they cannot be decoded.
  var objects: [GMTSLatLng]? {
    let points = (try? points()) ?? []
    return points.isEmpty ? nil : points.objects
  }
}
