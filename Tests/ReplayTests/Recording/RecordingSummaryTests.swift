import FleetEngineAPI
import Testing
import WireGRPC

@testable import Replay
@testable import WireGRPCServer

@Suite struct RecordingSummaryTests {
  @Test func listsMethodsForAMethodThatIsNotThere() {
    var contents = RecordingSummary()
    contents.add("/a.B/C", nil)
    contents.add("/a.B/D", nil)
    contents.add("/a.B/C", nil)
    let refusal = contents.refusal("/a.B/E", nil)
    #expect(refusal.status.code == .unimplemented)
    #expect(refusal.status.message == "/a.B/E is not in this recording, which has /a.B/C, /a.B/D")
  }

  @Test func listsResourcesForAResourceThatIsNotThere() {
    var contents = RecordingSummary()
    for name in ["t1", "t2", "t1"] { contents.add("/a.B/C", name) }
    let refusal = contents.refusal("/a.B/C", "t3")
    #expect(refusal.status.code == .notFound)
    #expect(refusal.status.message == "t3 is not in this recording, which has t1, t2")
  }

  @Test func countsRequestsItCanNotRead() {
    var contents = RecordingSummary()
    contents.add("/a.B/C", nil)
    for resource in [nil, ""] {
      let refusal = contents.refusal("/a.B/C", resource)
      #expect(refusal.status.code == .notFound)
      #expect(
        refusal.status.message
          == "this request is not in this recording, which has 1 other call of /a.B/C")
    }
  }

  @Test func staysWithinAHeader() {
    let snow = String(repeating: "☃", count: 10_000)
    var contents = RecordingSummary()
    for index in 0..<1000 { contents.add("/a.B/C", "\(index)\(snow)") }
    let message = contents.refusal("/a.B/C", snow).status.message
    #expect(message.hasSuffix("and 992 more"))
    #expect(StatusMessage.encode(message).utf8.count < 8192)
  }

  @Test func listsWhatDiffersForAResourceThatIsThere() {
    let path = TripServiceMethods.getTrip.path
    let recorded = GetTripRequest(name: "t").serializedBytes()
    var contents = RecordingSummary()
    for _ in 0..<2 { contents.add(path, "t", request: recorded) }
    let request = GetTripRequest(
      name: "t", view: .sdk, routeFormatType: .encodedPolylineType
    ).serializedBytes()
    #expect(
      contents.refusal(path, "t", request: request).status.message
        == "this request for t is not in this recording: route_format_type: recorded unset, got"
        + " \"ENCODED_POLYLINE_TYPE\"; view: recorded unset, got \"SDK\"")
    let unknown = contents.refusal(path, "t", request: recorded + [0x78, 1])
    #expect(unknown.status.message.hasSuffix(": unknown fields differ"))
  }

  @Test func differencesStayWithinAHeader() {
    let face = String(repeating: "😀", count: 1_000)
    let path = VehicleServiceMethods.listVehicles.path
    func request(_ text: String) -> [UInt8] {
      ListVehiclesRequest(
        parent: face, pageToken: text, requiredAttributes: [text],
        requiredOneOfAttributes: [text], requiredOneOfAttributeSets: [text], filter: text
      ).serializedBytes()
    }
    var contents = RecordingSummary(of: .script)
    for number in 0..<40 { contents.add(path, face, request: request("\(number)\(face)")) }
    let message = contents.refusal(path, face, request: request(face)).status.message
    #expect(message.hasSuffix("; 2 more fields"), "\(message)")
    #expect(message.contains(" or 29 others, got "), "\(message)")
    #expect(StatusMessage.encode(message).utf8.count < 8192)
  }
}
