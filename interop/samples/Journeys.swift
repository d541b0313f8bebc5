// The context of the samples of Polylines.md, SeeingATrip.md, JourneyMap.md and JourneySharing.md.

import Tripwire

@MainActor func polylines() async throws {
  let fleet = try simulatedFleet()
  // sample Polylines
}

func encodedPolyline() throws {
  // sample Polylines
  print(trip.currentRouteSegment)
}

@MainActor func serveJourneys() async throws {
  let fleet = try simulatedFleet()
  let model = try fleet.tripService.tripModel(forTripName: fleet.tripName("t1"))
  // sample SeeingATrip
  await server.close()
}

@MainActor func serveJourneysOfModel() async throws {
  let fleet = try simulatedFleet()
  // sample JourneyMap
  await server.close()
}

@MainActor func serveMapView() async throws {
  let mapView = GMTCMapView(frame: .zero)
  // sample JourneyMap
  await server.close()
}

@MainActor func geoJSON() async throws {
  let fleet = try simulatedFleet()
  // sample JourneySharing
}
