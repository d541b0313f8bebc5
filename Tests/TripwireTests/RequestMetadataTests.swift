import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

@Suite struct RequestMetadataTests {
  private func metadata(
    _ name: String = "providers/my-project/trips/t1", own: Metadata = [:]
  ) throws -> Metadata {
    RequestRoute(TripServiceMethods.getTrip, GetTripRequest(name: name), resourceName: name)
      .metadata(own: own)
  }

  @Test func requestsHaveRoutingHeaders() throws {
    let metadata = try metadata()
    #expect(metadata["x-goog-request-params"] == "provider_id=providers%2Fmy-project")
    #expect(metadata["google-cloud-resource-prefix"] == "providers/my-project")
    #expect(metadata["x-goog-api-client"] == "gl-swift/6 gccl/\(libraryVersion)")
    #expect(metadata["authorization"] == nil)
  }

  @Test func callersMayReplaceAndAddMetadata() throws {
    let metadata = try metadata(
      own: ["authorization": "Basic x", "x-goog-request-params": "a=b", "x-own": "1"])
    #expect(metadata[all: "authorization"] == ["Basic x"])
    #expect(metadata[all: "x-goog-request-params"] == ["a=b"])
    #expect(metadata["x-own"] == "1")
    #expect(metadata["google-cloud-resource-prefix"] == "providers/my-project")
  }

  @Test(arguments: ["", "trips/t1", "providers", "providers//trips/t1"])
  func invalidNamesHaveNoRoutingHeaders(name: String) throws {
    let metadata = try metadata(name)
    #expect(metadata["x-goog-request-params"] == nil)
    #expect(metadata["google-cloud-resource-prefix"] == nil)
  }

  @Test func invalidHeadersAreRejectedBeforeDialing() async throws {
    let fleet = try FleetServices(providerID: "p", endpoint: "nobody.invalid:1")
    let request = GetTripRequest(name: "providers/pröject/trips/t1")
    let error = await #expect(throws: CallError.self) {
      try await fleet.tripService.getTrip(request)
    }
    #expect(error?.code == .internal)
    #expect(error?.path == TripServiceMethods.getTrip.path)
    #expect(error?.message.contains("google-cloud-resource-prefix") == true)
  }
}
