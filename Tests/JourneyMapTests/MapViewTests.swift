import Foundation
import JourneyMap
import RidesharingConsumer
import TestSupport
import Testing

/// A map view of a ported app in a browser.
@MainActor @Suite(.timeLimit(.minutes(20))) struct MapViewTests {
  private final class Screen: GMTCMapViewDelegate {
    let taps: AsyncStream<(GMSMarker, GMTCMapViewMarkerType)>
    private let continuation: AsyncStream<(GMSMarker, GMTCMapViewMarkerType)>.Continuation

    init() {
      (taps, continuation) = AsyncStream.makeStream()
    }

    func mapView(
      _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
      markerType: GMTCMapViewMarkerType
    ) -> Bool {
      dispatchPrecondition(condition: .onQueue(.main))
      continuation.yield((mapMarker, markerType))
      return true
    }
  }

  @Test func tapOnAPlaceReachesTheDelegateOnTheMainThread() async throws {
    let view = GMTCMapView(frame: .zero)
    let screen = Screen()
    view.delegate = screen
    view.pickupLocation = GMTSTerminalLocation(
      point: GMTSLatLng(latitude: 1, longitude: 2), label: nil, description: nil, placeID: nil,
      generatedID: nil, accessPointID: nil)
    let server = try await view.serve(on: "127.0.0.1:0")
    let digits = server.url.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    let port = try #require(UInt16(digits))
    #expect(try await OpenPage(port: port).data(with: "\"kind\":\"pickup\"") != nil)
    let status = try await onThread {
      try PageClient(port: port).tap(#"{"trip":null,"kind":"pickup"}"#).status
    }
    #expect(status == 204)
    var taps = screen.taps.makeAsyncIterator()
    let (marker, type) = try #require(await taps.next())
    #expect(type == .tripPickupPoint)
    #expect(marker.position.longitude == 2)
    await server.close()
  }
}
