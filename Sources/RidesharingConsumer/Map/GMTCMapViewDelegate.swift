public import JourneySharing

/// One who is told, on the main thread, what happens to a map view. All methods have a default that
/// does nothing. There is nobody who taps on a marker here: those methods of the SDK's are missing.
public protocol GMTCMapViewDelegate: AnyObject {
  /// The map view is ready to show sessions. Told once, soon after it was made and has a delegate.
  func mapViewDidInitialize(_ mapview: GMTCMapView)

  /// The same, by its older name; told after it.
  func mapViewDidInitializeCustomerState(_ mapview: GMTCMapView)

  /// Ours, not the SDK's: there is something new to be drawn of a session that is shown, or its style
  /// has changed.
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
