import Foundation
import JourneySharing
import Testing
import Tripwire
import WireSystem

@testable import RidesharingConsumer

/// What a map in a browser receives from a map view.
@MainActor @Suite(.timeLimit(.minutes(20))) struct MapContentsTests {
  private final class TapReceiver: GMTCMapViewDelegate {
    let taps: AsyncStream<GMTCMapViewMarkerType>
    private let continuation: AsyncStream<GMTCMapViewMarkerType>.Continuation

    init() {
      (taps, continuation) = AsyncStream.makeStream(of: GMTCMapViewMarkerType.self)
    }

    func mapView(
      _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
      markerType: GMTCMapViewMarkerType
    ) -> Bool {
      dispatchPrecondition(condition: .onQueue(.main))
      continuation.yield(markerType)
      return false
    }
  }

  /// A view, and its contents after each change.
  private func observedView() -> (GMTCMapView, AsyncStream<JourneyMapContents>) {
    let view = GMTCMapView(frame: .zero)
    let (states, continuation) = AsyncStream.makeStream(of: JourneyMapContents.self)
    view.observe { contents in
      dispatchPrecondition(condition: .onQueue(.main))
      continuation.yield(contents)
      return true
    }
    return (view, states)
  }

  private func place(_ longitude: Double) -> GMTSTerminalLocation {
    GMTSTerminalLocation(
      point: GMTSLatLng(latitude: 1, longitude: longitude), label: nil, description: nil,
      placeID: nil, generatedID: nil, accessPointID: nil)
  }

  @Test func settingsAndPlacesAreReported() async throws {
    let (view, states) = observedView()
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == JourneyMapContents())

    view.pickupLocation = place(2)
    view.dropoffLocation = place(3)
    let style = GMTCMutableMarkerStyleOptions()
    style.icon = "flag.svg"
    view.consumerMapStyleCoordinator.setMarkerStyleOptions(style, markerType: .tripDropoffPoint)
    // One call for all changes before it.
    var contents = try #require(await iterator.next())
    #expect(contents.places.map(\.kind) == [.pickup, .dropoff])
    #expect(contents.places.map(\.position.longitude) == [2, 3])
    #expect(contents.places.map(\.style.icon) == [nil, "flag.svg"])

    style.isVisible = false
    view.consumerMapStyleCoordinator.setMarkerStyleOptions(style, markerType: .tripDropoffPoint)
    view.pickupLocation = nil
    view.settings.scrollGestures = false
    view.isAllowCameraAutoUpdate = false
    while contents.followsJourneys || !contents.places.isEmpty || contents.allowsScrolling {
      contents = try #require(await iterator.next())
    }
    #expect(contents.allowsZooming)

    view.settings.setAllGesturesEnabled(false)
    while contents.allowsZooming { contents = try #require(await iterator.next()) }
    #expect(!view.settings.rotateGestures)
  }

  @Test func sessionsAreReportedAsShownAndHidden() async throws {
    let error = CallError(code: .unavailable, message: "", origin: .local)
    let service = GMTCTripService(FleetServices(failing: error))
    let (view, states) = observedView()
    let names = ["providers/p/trips/t1", "providers/p/trips/t2"]
    let sessions = (names + [names[0]]).map {
      GMTCJourneySharingSession(tripModel: service.tripModel(forTripName: $0))
    }
    for session in sessions { view.show(session) }
    // Two sessions of a trip are one on the map.
    _ = try #require(await states.first { $0.tripNames == names })
    view.hide(sessions[0])
    view.hide(sessions[1])
    _ = try #require(await states.first { $0.tripNames == [names[0]] })
    view.hideAllMapViewSessions()
    _ = try #require(await states.first { $0.tripNames.isEmpty })
  }

  @Test func observerThatReturnsFalseIsRemoved() async throws {
    let view = GMTCMapView(frame: .zero)
    let calls = Locked(0)
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    view.observe { _ in
      calls.withLock { $0 += 1 }
      return false
    }
    view.observe { _ in
      continuation.yield()
      return true
    }
    var iterator = ended.makeAsyncIterator()
    await iterator.next()
    view.settings.zoomGestures = false
    await iterator.next()
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func eachKindOfMarkerHasItsType() async {
    let view = GMTCMapView(frame: .zero)
    let delegate = TapReceiver()
    view.delegate = delegate
    for kind in Journey.Marker.Kind.allCases {
      view.receive(
        JourneyMapTap(
          tripName: nil,
          marker: Journey.Marker(
            kind: kind, position: LatLng(latitude: 1, longitude: 2),
            style: JourneyStyle.Marker(color: .red))))
    }
    var types: [GMTCMapViewMarkerType] = []
    for await type in delegate.taps.prefix(4) { types.append(type) }
    #expect(types == [.tripPickupPoint, .intermediateDestination, .tripDropoffPoint, .vehicle])
    // The SDK's numbers.
    #expect(types.map(\.rawValue) == [2, 4, 3, 1])
  }

  /// The main thread runs this test, so that taps have to wait.
  @Test func waitingTapsAreLimited() async {
    let view = GMTCMapView(frame: .zero)
    let tap = JourneyMapTap(
      tripName: nil,
      marker: Journey.Marker(
        kind: .vehicle, position: LatLng(latitude: 1, longitude: 2),
        style: JourneyStyle.Marker(color: .red)))
    for _ in 0..<1_000 { view.receive(tap) }
    #expect(view.waitingTaps.withLock { $0 } == 100)
    while view.waitingTaps.withLock({ $0 }) > 0 { await Task.yield() }
    view.receive(tap)
    #expect(view.waitingTaps.withLock { $0 } == 1)
  }
}
