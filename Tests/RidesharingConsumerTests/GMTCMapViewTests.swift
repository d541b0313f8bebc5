import Foundation
import JourneySharing
import Testing
import Tripwire

@testable import RidesharingConsumer

/// On the main thread, like apps.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GMTCMapViewTests {
  /// A view controller's use of a map.
  private final class MapScreen: GMTCMapViewDelegate {
    enum Event {
      case initialized
      case customerState
      case journey(Journey)
    }

    let mapView = GMTCMapView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    var currentJourneySharingSession: GMTCJourneySharingSession!

    init() {
      (events, continuation) = AsyncStream.makeStream(of: Event.self)
      mapView.delegate = self
    }

    func mapViewDidInitialize(_ mapview: GMTCMapView) { continuation.yield(.initialized) }

    func mapViewDidInitializeCustomerState(_: GMTCMapView) { continuation.yield(.customerState) }

    func mapView(
      _ mapView: GMTCMapView, didUpdate journey: Journey, of session: GMTCJourneySharingSession
    ) {
      continuation.yield(.journey(journey))
    }

    func show(_ tripModel: GMTCTripModel) {
      let journeySharingSession = GMTCJourneySharingSession(tripModel: tripModel)
      mapView.show(journeySharingSession)
      currentJourneySharingSession = journeySharingSession
    }
  }

  private func serving(
    _ answers: [ScriptedFleet.Answer], _ body: (GMTCTripModel) async throws -> Void
  ) async throws {
    try await ScriptedFleet.serving(answers) { endpoint in
      let fleet = try FleetServices(
        providerID: "p", endpoint: endpoint,
        configuration: ChannelConfiguration(security: .plaintext))
      let service = GMTCTripService(fleet)
      let model = service.tripModel(forTripName: ScriptedFleet.tripName)
      model.options.autoRefreshTimeInterval = 0.1
      try await body(model)
    }
  }

  private func trip(_ status: TripStatus, at longitude: Double) -> ScriptedFleet.Answer {
    var trip = Trip(
      name: ScriptedFleet.tripName, tripStatus: status,
      dropoffPoint: TerminalLocation(point: LatLng(latitude: 1, longitude: 1)))
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 0, longitude: longitude))
    trip.route = [LatLng(latitude: 0, longitude: longitude), LatLng(latitude: 1, longitude: 1)]
    return .trip(trip)
  }

  @Test func readinessIsReportedOnce() async throws {
    let screen = MapScreen()
    screen.mapView.delegate = screen
    var names: [String] = []
    for await event in screen.events.prefix(2) { names.append("\(event)") }
    #expect(names == ["initialized", "customerState"])
    // A delegate that is set later, or again, is not notified about the past: its first event is
    // the next one.
    screen.mapView.delegate = screen
    try await serving([trip(.enrouteToDropoff, at: 0)]) { model in
      screen.show(model)
      let event = await screen.events.first { _ in true }
      guard case .journey = event else {
        Issue.record("\(String(describing: event))")
        return
      }
    }
  }

  @Test func shownSessionsAreFollowed() async throws {
    let answers = [trip(.enrouteToDropoff, at: 0), trip(.enrouteToDropoff, at: 0.5)]
    try await serving(answers) { model in
      let screen = MapScreen()
      screen.show(model)
      #expect(model.state == .active)
      #expect(
        screen.mapView.activeSessions().map(ObjectIdentifier.init)
          == [ObjectIdentifier(screen.currentJourneySharingSession)])
      // Showing it again changes nothing.
      screen.mapView.show(screen.currentJourneySharingSession)
      // Intermediate states may be skipped.
      for await case .journey(let journey) in screen.events {
        let place = journey.markers.last?.position.longitude
        #expect(place == 0 || place == 0.5)
        if place == 0.5 {
          #expect(screen.mapView.cameraBounds == journey.camera)
          break
        }
      }
      #expect(screen.mapView.journeys.first?.polylines.map(\.kind) == [.activeRoute])

      screen.mapView.hide(screen.currentJourneySharingSession)
      #expect(model.state == .inactive)
      #expect(screen.mapView.activeSessions().isEmpty)
      #expect(screen.mapView.journeys.isEmpty)
      #expect(screen.mapView.cameraBounds == nil)
    }
  }

  /// Off the main thread, on which other tests wait for their events.
  @Test nonisolated func sessionIsShownOnceByConcurrentCallers() throws {
    let error = CallError(code: .unavailable, message: "", origin: .local)
    let service = GMTCTripService(FleetServices(failing: error))
    let map = GMTCMapView(frame: .zero)
    let model = service.tripModel(forTripName: ScriptedFleet.tripName)
    let sessions = (0..<200).map { _ in GMTCJourneySharingSession(tripModel: model) }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for session in sessions { map.show(session) }
    }
    #expect(map.activeSessions().count == sessions.count)
    #expect(model.state == .active)
    map.hideAllMapViewSessions()
    #expect(model.state == .inactive)
  }

  @Test func releasedMapStopsFollowing() async throws {
    try await serving([trip(.enrouteToDropoff, at: 0)]) { model in
      var screen: MapScreen? = MapScreen()
      screen?.show(model)
      #expect(model.state == .active)
      screen?.currentJourneySharingSession = nil
      screen = nil
      #expect(model.state == .inactive)
    }
  }

  @Test func cameraStaysWithoutAutoCamera() async throws {
    let answers = [trip(.enrouteToDropoff, at: 0), trip(.enrouteToDropoff, at: 0.5)]
    try await serving(answers) { model in
      let screen = MapScreen()
      screen.mapView.isAllowCameraAutoUpdate = false
      screen.show(model)
      for await case .journey(let journey) in screen.events {
        #expect(screen.mapView.cameraBounds == nil)
        if journey.markers.last?.position.longitude == 0.5 { break }
      }
      screen.mapView.resetCamera()
      #expect(screen.mapView.cameraBounds?.southwest.longitude == 0.5)
      #expect(screen.mapView.contents.cameraResets == 1)
      screen.mapView.hideAllMapViewSessions()
      #expect(screen.mapView.cameraBounds != nil)
      screen.mapView.isAllowCameraAutoUpdate = true
      #expect(screen.mapView.cameraBounds == nil)
    }
  }

  // MARK: Style

  @Test func polylinesHaveTheirStyle() async throws {
    try await serving([trip(.enrouteToDropoff, at: 0)]) { model in
      let screen = MapScreen()
      screen.show(model)
      for await case .journey(let journey) in screen.events {
        #expect(journey.polylines.map(\.style.color) == [.blue])
        break
      }
      let polylineStyleOptions = GMTCMutablePolylineStyleOptions()
      polylineStyleOptions.strokeWidth = 8.0
      polylineStyleOptions.strokeColor = .orange
      polylineStyleOptions.isVisible = true
      polylineStyleOptions.zIndex = 1000
      polylineStyleOptions.isGeodesic = true
      polylineStyleOptions.isTrafficEnabled = true
      polylineStyleOptions.setTrafficColorFor(.trafficJam, color: .black)
      let coordinator = screen.mapView.consumerMapStyleCoordinator
      coordinator.setPolylineStyleOptions(polylineStyleOptions, polylineType: .activeRoute)
      polylineStyleOptions.strokeColor = .red
      // The delegate is notified, and the options were copied.
      for await case .journey(let journey) in screen.events {
        let style = try #require(journey.polylines.first?.style)
        // An earlier update has the color of the first one.
        if style.color == .blue { continue }
        #expect(style.color == .orange)
        #expect(style.width == 8)
        #expect(style.zIndex == 1000)
        #expect(style.isGeodesic)
        break
      }
      let options = coordinator.polylineStyleOptions(for: .activeRoute)
      #expect(options.trafficColor(for: .trafficJam) == .black)
      #expect(options.isTrafficEnabled)
      #expect(coordinator.polylineStyleOptions(for: .remainingRoute) == GMTCPolylineStyleOptions())
      coordinator.setPolylineStyleOptions(nil, polylineType: .activeRoute)
      #expect(coordinator.polylineStyleOptions(for: .activeRoute) == GMTCPolylineStyleOptions())
    }
  }

  @Test func defaultsAreTheSDKs() {
    let polyline = GMTCPolylineStyleOptions()
    #expect(polyline.strokeWidth == 2)
    #expect(polyline.strokeColor == .blue)
    #expect(polyline.zIndex == 10)
    #expect(polyline.isVisible)
    #expect(!polyline.isTrafficEnabled)
    let mutable = GMTCMutablePolylineStyleOptions()
    mutable.strokeWidth = -1
    mutable.strokeColor = nil
    #expect(mutable == polyline)
    mutable.strokeWidth = .nan
    #expect(mutable.strokeWidth == 2)
    let marker = GMTCMarkerStyleOptions()
    #expect(marker.groundAnchor == CGPoint(x: 0.5, y: 0.5))
    #expect(marker.zIndex == 0)
    #expect(!marker.isFlat)
  }

  @Test func markersHaveTheirStyle() {
    let coordinator = GMTCMapView(frame: .zero).consumerMapStyleCoordinator
    let markerStyleOptions = GMTCMutableMarkerStyleOptions()
    markerStyleOptions.groundAnchor = CGPoint(x: 0.5, y: 1)
    markerStyleOptions.isVisible = true
    markerStyleOptions.icon = "taxi"
    markerStyleOptions.zIndex = 100
    markerStyleOptions.isFlat = false
    coordinator.setMarkerStyleOptions(markerStyleOptions, markerType: .tripVehicle)
    #expect(coordinator.markerStyleOptions(for: .tripVehicle) == markerStyleOptions)
    #expect(coordinator.markerStyleOptions(for: .tripPickupPoint).icon == nil)
    #expect(coordinator.style.vehicle.anchor == .init(x: 0.5, y: 1))
    // There is nothing to customize.
    coordinator.setMarkerStyleOptions(markerStyleOptions, markerType: .unknown)
    coordinator.setMarkerStyleOptions(nil, markerType: .tripVehicle)
    #expect(coordinator.style == .sdkDefault)
  }
}
