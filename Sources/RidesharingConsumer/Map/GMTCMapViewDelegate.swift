public import JourneySharing

/// Receives the events of a map view on the main queue. All methods have a default that does nothing.
public protocol GMTCMapViewDelegate: AnyObject {
  /// The map view is ready to show sessions. Called once, soon after the view first has a delegate.
  func mapViewDidInitialize(_ mapview: GMTCMapView)

  /// The same event by its older name; called afterwards.
  func mapViewDidInitializeCustomerState(_ mapview: GMTCMapView)

  /// A person has tapped on a marker of the map in a browser, see the module JourneyMap.
  ///
  /// - Returns: a value that is ignored here. In the SDK, true prevents the default reaction.
  func mapView(
    _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
    markerType: GMTCMapViewMarkerType
  ) -> Bool

  /// Not in the SDK: a session that is shown has changed, or its style has.
  func mapView(
    _ mapView: GMTCMapView, didUpdate journey: Journey, of session: GMTCJourneySharingSession)
}

extension GMTCMapViewDelegate {
  public func mapViewDidInitialize(_ mapview: GMTCMapView) {}
  public func mapViewDidInitializeCustomerState(_ mapview: GMTCMapView) {}
  public func mapView(
    _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
    markerType: GMTCMapViewMarkerType
  ) -> Bool { false }
  public func mapView(
    _ mapView: GMTCMapView, didUpdate journey: Journey, of session: GMTCJourneySharingSession
  ) {}
}
