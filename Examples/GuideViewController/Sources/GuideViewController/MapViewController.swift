import Foundation
import JourneyMap
import JourneySharing
import RidesharingConsumer

/// The view controller of the guides to the iOS Consumer SDK. It starts a trip once the map view is ready,
/// follows it, and stops when the trip ends. Its map is shown in a browser.
final class MapViewController: NSObject {
  let mapView = GMTCMapView(frame: .zero)
  var selectedPickupLocation: GMTSTerminalLocation?
  var selectedDropoffLocation: GMTSTerminalLocation?
  /// Called on the main queue when the trip has ended.
  var onTripEnd: () -> Void = {}

  private let backend: BookingBackend
  private var currentTripModel: GMTCTripModel?
  private var currentJourneySharingSession: GMTCJourneySharingSession?
  /// The page is served as long as this exists.
  private var mapServer: JourneyMapServer?

  init(backend: BookingBackend) {
    self.backend = backend
  }

  deinit {
    currentTripModel?.unregisterSubscriber(self)
  }

  /// UIKit calls this in an app.
  func viewDidLoad() {
    mapView.delegate = self
    mapView.settings.myLocationButton = true
  }

  /// Not in the guides: shows the map view in a browser, and prints the address of the page.
  func serveMap() async throws {
    let server = try await mapView.serve(on: "127.0.0.1:0")
    mapServer = server
    print("map:", server.url)
  }

  private func startFollowing(_ tripName: String) {
    let tripModel = GMTCServices.shared().tripService.tripModel(forTripName: tripName)
    let session = GMTCJourneySharingSession(tripModel: tripModel)
    // The map view shows the trip, and this object receives its changes.
    mapView.show(session)
    tripModel.register(self)
    currentTripModel = tripModel
    currentJourneySharingSession = session
  }

  private func cancelCurrentActiveTrip() {
    currentTripModel?.unregisterSubscriber(self)
    if let session = currentJourneySharingSession { mapView.hide(session) }
    currentTripModel = nil
    currentJourneySharingSession = nil
  }
}

// MARK: - The map view

extension MapViewController: GMTCMapViewDelegate {
  func mapViewDidInitializeCustomerState(_: GMTCMapView) {
    mapView.pickupLocation = selectedPickupLocation
    mapView.dropoffLocation = selectedDropoffLocation
    backend.startTrip(from: selectedPickupLocation, to: selectedDropoffLocation) {
      [weak self] tripName, error in
      guard let self else { return }
      guard let tripName else {
        print("no trip:", error.map { "\($0)" } ?? "unknown error")
        onTripEnd()
        return
      }
      startFollowing(tripName)
    }
  }

  func mapView(
    _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
    markerType: GMTCMapViewMarkerType
  ) -> Bool {
    print("tapped:", markerType, mapMarker.position.latitude, mapMarker.position.longitude)
    return true
  }

  // Not in the SDK: the map view reports what a map shows.
  func mapView(
    _: GMTCMapView, didUpdate journey: Journey, of _: GMTCJourneySharingSession
  ) {
    print("map: \(journey.polylines.count) polylines, \(journey.markers.count) markers")
  }
}

// MARK: - The trip

extension MapViewController: GMTCTripModelSubscriber {
  func tripModel(_: GMTCTripModel, didUpdate tripStatus: GMTSTripStatus) {
    print("status:", tripStatus)
    if tripStatus == .complete || tripStatus == .canceled {
      cancelCurrentActiveTrip()
      onTripEnd()
    }
  }

  func tripModel(_: GMTCTripModel, didUpdate vehicleLocation: GMTSVehicleLocation?) {
    guard let point = vehicleLocation?.latLng else { return }
    print("vehicle:", point.latitude, point.longitude)
  }

  func tripModel(
    _: GMTCTripModel, didUpdateActiveRouteRemainingDistance activeRouteRemainingDistance: Int32
  ) {
    print("distance to the next stop:", activeRouteRemainingDistance, "m")
  }

  func tripModel(_: GMTCTripModel, didUpdateETAToNextWaypoint nextWaypointETA: TimeInterval) {
    print("ETA:", Date(timeIntervalSince1970: nextWaypointETA))
  }

  func tripModel(_: GMTCTripModel, didFailUpdateTripWithError error: Error?) {
    if let error = error as NSError?, error.domain == "io.grpc" {
      print("error: gRPC code \(error.code), \(error.userInfo["message"] ?? "")")
    }
  }
}
