// The context of the samples of PortingFromTheConsumerSDK.md.

import Tripwire

// sample PortingFromTheConsumerSDK

@MainActor func followWithUpdates() async throws {
  // sample PortingFromTheConsumerSDK
}

@MainActor func port() {
  // sample PortingFromTheConsumerSDK
  _ = Ride(tripName: "providers/my-project/trips/t1")
}

func showError() {
  // sample PortingFromTheConsumerSDK
  _ = Banner()
}

func runMainQueue() {
  // sample PortingFromTheConsumerSDK
}

@MainActor func setEndpoint() throws {
  // sample PortingFromTheConsumerSDK
}

@MainActor func isolated() {
  // sample PortingFromTheConsumerSDK
  // sample PortingFromTheConsumerSDK
}

@MainActor func servePortedMapView() async throws {
  let mapView = GMTCMapView(frame: .zero)
  let server: JourneyMapServer
  // sample PortingFromTheConsumerSDK
  await server.close()
}

final class JourneySender: GMTCMapViewDelegate {
  private func send(_ geoJSON: some Collection) {}

  // sample PortingFromTheConsumerSDK
}
