public import Foundation
import JourneySharing

/// The routes of a map view.
public enum GMTCPolylineType: Int, Sendable {
  /// From the vehicle to the next stop of this trip.
  case activeRoute = 0
  /// From the next stop of this trip to its last stop.
  case remainingRoute = 1
}

/// The markers of a map view that have a style.
public enum GMTCCustomizableMarkerType: Int, Sendable {
  /// No marker: setting its style has no effect.
  case unknown = -1
  /// The pickup of the trip.
  case tripPickupPoint = 0
  /// The drop-off of the trip.
  case tripDropoffPoint = 1
  /// The vehicle of the trip.
  case tripVehicle = 2
  /// A stop of the trip between pickup and drop-off.
  case intermediateDestination = 3
}

/// The styles of the polylines and markers of a ``GMTCMapView``.
public final class GMTCConsumerMapStyleCoordinator: NSObject, Sendable {
  let observed = Observed(JourneyStyle.sdkDefault)

  override init() {}

  var style: JourneyStyle { observed.value }

  /// Copies the options; nil restores the default.
  public func setPolylineStyleOptions(
    _ polylineStyleOptions: GMTCPolylineStyleOptions?, polylineType: GMTCPolylineType
  ) {
    let kind = Journey.Polyline.Kind(polylineType)
    let style = polylineStyleOptions?.style ?? JourneyStyle.sdkDefault[kind]
    observed.change { $0[kind] = style }
  }

  /// Copies the options; nil restores the default.
  public func setMarkerStyleOptions(
    _ markerStyleOptions: GMTCMarkerStyleOptions?, markerType: GMTCCustomizableMarkerType
  ) {
    guard let kind = Journey.Marker.Kind(markerType) else { return }
    let style = markerStyleOptions?.style ?? JourneyStyle.sdkDefault[kind]
    observed.change { $0[kind] = style }
  }

  /// Returns a copy of the options for a route.
  public func polylineStyleOptions(for polylineType: GMTCPolylineType) -> GMTCPolylineStyleOptions {
    GMTCPolylineStyleOptions(style[Journey.Polyline.Kind(polylineType)])
  }

  /// Returns a copy of the options for a kind of marker; the default ones for `unknown`.
  public func markerStyleOptions(
    for markerType: GMTCCustomizableMarkerType
  ) -> GMTCMarkerStyleOptions {
    GMTCMarkerStyleOptions(Journey.Marker.Kind(markerType).map { style[$0] } ?? .sdkDefault)
  }
}

extension JourneyStyle {
  /// Without traffic, and with the same color for both routes.
  static let sdkDefault: JourneyStyle = {
    var style = JourneyStyle()
    style.activeRoute = .sdkDefault
    style.remainingRoute = .sdkDefault
    return style
  }()
}

extension JourneyStyle.Polyline {
  static let sdkDefault = JourneyStyle.Polyline(isTrafficEnabled: false)
}

extension JourneyStyle.Marker {
  static let sdkDefault = JourneyStyle.Marker(color: .red)
}

extension Journey.Polyline.Kind {
  fileprivate init(_ type: GMTCPolylineType) {
    self =
      switch type {
      case .activeRoute: .activeRoute
      case .remainingRoute: .remainingRoute
      }
  }
}

extension Journey.Marker.Kind {
  fileprivate init?(_ type: GMTCCustomizableMarkerType) {
    switch type {
    case .unknown: return nil
    case .tripPickupPoint: self = .pickup
    case .tripDropoffPoint: self = .dropoff
    case .tripVehicle: self = .vehicle
    case .intermediateDestination: self = .intermediateDestination
    }
  }
}
