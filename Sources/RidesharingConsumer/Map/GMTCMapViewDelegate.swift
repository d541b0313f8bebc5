public import JourneySharing

/// Receives the events of a map view on the main thread. All methods have a default that does nothing.
/// Without a map there are no taps on markers, so the SDK's methods for taps are missing.
public protocol GMTCMapViewDelegate: AnyObject {
  /// The map view is ready to show sessions. Called once, soon after it was created and has a
  /// delegate.
  func mapViewDidInitialize(_ mapview: GMTCMapView)

  /// The same event by its older name; called afterwards.
  func mapViewDidInitializeCustomerState(_ mapview: GMTCMapView)

  /// Not in the SDK: a session that is shown has changed, or its style has.
  func mapView(
    _ mapView: GMTCMapView, didUpdate journey: Journey, of session: GMTCJourneySharingSession)
}

extension GMTCMapViewDelegate {
  public func mapViewDidInitialize(_ mapview: GMTCMapView) {}
  public func mapViewDidInitializeCustomerState(_ mapview: GMTCMapView) {}
  public func mapView(
    _ mapView: GMTCMapView, didUpdate journey: Journey, of session: GMTCJourneySharingSession
  ) {}
}
