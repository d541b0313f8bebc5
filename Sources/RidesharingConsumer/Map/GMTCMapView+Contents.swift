import Foundation
public import JourneySharing
import WireSystem

/// Not in the SDK: JourneyMap shows the view in a browser.
extension GMTCMapView: JourneyMapSource {
  /// The maximum number of taps that wait for the main queue; more are ignored.
  private static let tapLimit = 100

  public func observe(_ observer: @escaping @Sendable (JourneyMapContents) -> Bool) {
    observers.add(observer)
    notifyObservers()
  }

  func notifyObservers() {
    observers.notify { [weak self] in self?.contents }
  }

  var contents: JourneyMapContents {
    var contents = JourneyMapContents()
    let style = consumerMapStyleCoordinator.style
    for session in shownSessions {
      let name = session.session.tripModel.tripName
      guard !contents.tripNames.contains(name) else { continue }
      contents.tripNames.append(name)
      guard var journey = session.journey(style) else { continue }
      journey.name = name
      contents.journeys.append(journey)
    }
    let places: [(Journey.Marker.Kind, GMTSTerminalLocation?)] = [
      (.pickup, pickupLocation), (.dropoff, dropoffLocation),
    ]
    for (kind, location) in places where style[kind].isVisible {
      guard let point = location?.point?.point else { continue }
      contents.places.append(Journey.Marker(kind: kind, position: point, style: style[kind]))
    }
    contents.followsJourneys = isAllowCameraAutoUpdate
    contents.camera = cameraBounds
    contents.cameraResets = cameraResets
    contents.allowsScrolling = settings.scrollGestures
    contents.allowsZooming = settings.zoomGestures
    return contents
  }

  public func receive(_ tap: JourneyMapTap) {
    let isAccepted = waitingTaps.withLock { count in
      guard count < Self.tapLimit else { return false }
      count += 1
      return true
    }
    guard isAccepted else { return }
    DispatchQueue.main.async { [weak self] in
      guard let self else { return }
      waitingTaps.withLock { $0 -= 1 }
      _ = delegate?.mapView(
        self, didTapConsumerMarker: GMSMarker(tap.marker),
        markerType: GMTCMapViewMarkerType(tap.marker.kind))
    }
  }
}
