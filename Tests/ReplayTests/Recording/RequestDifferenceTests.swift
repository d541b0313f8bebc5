import FleetEngineAPI
import Testing
import WireProtobuf

@testable import Replay

@Suite struct RequestDifferenceTests {
  static func search(_ token: String, size: Int32 = 0, vehicle: String = "") -> [UInt8] {
    SearchTripsRequest(
      parent: "providers/p", vehicleId: vehicle, pageSize: size, pageToken: token
    ).serializedBytes()
  }

  static func differences(_ request: [UInt8], _ others: [[UInt8]]) -> [String] {
    RequestDifference.all(SearchTripsRequest.self, of: request, from: others)
      .map { $0.description("recording") }
  }

  @Test func comparesWithTheNearestRequest() {
    #expect(
      Self.differences(Self.search("p3"), [Self.search(""), Self.search("p2")])
        == [#"page_token: unset or "p2" in the recording, "p3" in this request"#])
    #expect(
      Self.differences(
        Self.search("p3", size: 5), [Self.search("p9", size: 9, vehicle: "v"), Self.search("p3")])
        == ["page_size: unset in the recording, 5 in this request"])
    #expect(
      Self.differences(Self.search("p3", size: 5), [Self.search("", size: 5, vehicle: "v")])
        == [
          #"vehicle_id: "v" in the recording, unset in this request"#,
          #"page_token: unset in the recording, "p3" in this request"#,
        ])
  }

  @Test func namesFieldsInsideMessages() {
    var one = UpdateTripRequest(name: "t", trip: Trip(numberOfPassengers: 2))
    one.updateMask = FieldMask(paths: ["number_of_passengers"])
    var other = one
    other.trip?.numberOfPassengers = 3
    let found = RequestDifference.all(
      UpdateTripRequest.self, of: other.serializedBytes(), from: [one.serializedBytes()])
    #expect(
      found == [.init(path: "trip.number_of_passengers", expected: ["2"], actual: "3")])
    other = one
    other.updateMask = nil
    let mask = RequestDifference.all(
      UpdateTripRequest.self, of: other.serializedBytes(), from: [one.serializedBytes()])
    #expect(
      mask.map { $0.description("script") }
        == [#"update_mask: "numberOfPassengers" in the script, unset in this request"#])
  }

  @Test func descriptionIsLimited() {
    let long = String(repeating: "x", count: 1_000)
    let others = (0..<9).map { Self.search("\($0)\(long)") }
    let text = Self.differences(Self.search(long), others).joined()
    #expect(text.contains(" or 6 others in the recording, \"xxx"))
    #expect(text.count < 250)
  }

  @Test func invalidBytesHaveNoDifference() {
    #expect(Self.differences([0xff], [Self.search("")]).isEmpty)
    #expect(Self.differences(Self.search(""), [[0xff]]).isEmpty)
    // An unknown field.
    #expect(Self.differences(Self.search("") + [0x78, 1], [Self.search("")]).isEmpty)
  }

  @Test func namesChangedFields() {
    let names = RequestDifference.changedFields(
      GetTripRequest.self,
      GetTripRequest(header: RequestHeader(languageCode: "en"), name: "t").serializedBytes(),
      GetTripRequest(
        header: RequestHeader(languageCode: "fr", regionCode: "FR"), name: "t",
        remainingWaypointsVersion: Timestamp(seconds: 5)
      ).serializedBytes())
    #expect(names == ["header", "remaining_waypoints_version"])
  }
}
