public import Foundation
public import JourneySharing
import Tripwire

/// The kinds of markers that people can tap.
public enum GMTCMapViewMarkerType: UInt, Sendable {
  /// None of the kinds below; taps never report it.
  case unknown = 0
  /// The vehicle of the trip.
  case vehicle = 1
  /// The pickup of the trip.
  case tripPickupPoint = 2
  /// The drop-off of the trip.
  case tripDropoffPoint = 3
  /// A stop of the trip between pickup and drop-off.
  case intermediateDestination = 4

  init(_ kind: Journey.Marker.Kind) {
    self =
      switch kind {
      case .vehicle: .vehicle
      case .pickup: .tripPickupPoint
      case .dropoff: .tripDropoffPoint
      case .intermediateDestination: .intermediateDestination
      }
  }
}

/// A marker that a person has tapped, as it was at that time.
public final class GMSMarker: NSObject, Sendable {
  /// Not in the SDK: the marker as a value.
  public let marker: Journey.Marker

  init(_ marker: Journey.Marker) {
    self.marker = marker
  }

  @available(
    *, unavailable,
    message: """
      markers of an app belong to Google's map; for the pickup and the drop-off, set pickupLocation and \
      dropoffLocation of the map view
      """
  )
  public override convenience init() {
    self.init(Journey.Marker(kind: .pickup, position: LatLng(), style: JourneyStyle().pickup))
  }

  /// A ``GMTSLatLng``, because Core Location is not available.
  public var position: GMTSLatLng { GMTSLatLng(marker.position) }
  /// The heading in degrees clockwise from north; 0 if it is unknown.
  public var rotation: Double { marker.heading ?? 0 }
  /// The point of the icon that lies on ``position``, from (0, 0) at the left and top to (1, 1) at the right and
  /// bottom.
  public var groundAnchor: CGPoint { CGPoint(x: marker.style.anchor.x, y: marker.style.anchor.y) }
  /// Whether it lies flat on the map and rotates with it, instead of facing the viewer.
  public var isFlat: Bool { marker.style.isFlat }
  /// The path of a file, or a URL; see ``GMTCMarkerStyleOptions``. Nil for the default icon.
  public var icon: String? { marker.style.icon }
  /// Its place in the drawing order: elements with a higher index are drawn on top.
  public var zIndex: Int32 { marker.style.zIndex }
}
