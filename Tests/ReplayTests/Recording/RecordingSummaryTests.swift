import FleetEngineAPI
import Recording
import Testing
import WireGRPC
import WireHTTP2

@testable import Replay
@testable import WireGRPCServer

@Suite struct RecordingSummaryTests {
  @Test func unknownMethodListsTheRecorded() {
    var summary = RecordingSummary()
    summary.add("/a.B/C", nil)
    summary.add("/a.B/D", nil)
    summary.add("/a.B/C", nil)
    let refusal = summary.refusal("/a.B/E", nil)
    #expect(refusal.status.code == .unimplemented)
    #expect(refusal.status.message == "/a.B/E is not in this recording, which has /a.B/C, /a.B/D")
    #expect(refusal.cause == ReplayMiss.method.field)
  }

  @Test func unknownResourceListsTheRecorded() {
    var summary = RecordingSummary()
    for name in ["t1", "t2", "t1"] { summary.add("/a.B/C", name) }
    let refusal = summary.refusal("/a.B/C", "t3")
    #expect(refusal.status.code == .notFound)
    #expect(refusal.status.message == "t3 is not in this recording, which has t1, t2")
    #expect(refusal.cause == ReplayMiss.resource.field)
    #expect(summary.refusal("/a.B/C", "providers/p").cause == ReplayMiss.provider.field)
    #expect(summary.refusal("/a.B/C", nil).cause == ReplayMiss.request.field)
  }

  @Test func callerReadsTheMissFromTheTrailers() {
    let field = ReplayMiss.provider.field
    let error = CallError(
      code: .notFound, message: "", trailers: [field.name: .text(field.value)], origin: .server)
    #expect(ReplayMiss(error) == .provider)
  }

  @Test func missingResourcesAreNotListed() {
    var summary = RecordingSummary()
    summary.add("/a.B/C", "t1", isFound: false)
    let none = summary.refusal("/a.B/C", "t3")
    #expect(
      none.status.message == "t3 is not in this recording, which has no resource for this method")
    summary.add("/a.B/C", "t2", isFound: false)
    summary.add("/a.B/C", "t2")
    #expect(
      summary.refusal("/a.B/C", "t3").status.message == "t3 is not in this recording, which has t2")
  }

  @Test func undecodableRequestsAreCounted() {
    var summary = RecordingSummary()
    summary.add("/a.B/C", nil)
    for resource in [nil, ""] {
      let refusal = summary.refusal("/a.B/C", resource)
      #expect(refusal.status.code == .notFound)
      #expect(
        refusal.status.message
          == "this request is not in this recording, which has 1 other call of /a.B/C")
    }
  }

  @Test func messageFitsIntoAHeader() {
    let snow = String(repeating: "☃", count: 10_000)
    var summary = RecordingSummary()
    for index in 0..<1000 { summary.add("/a.B/C", "\(index)\(snow)") }
    let message = summary.refusal("/a.B/C", snow).status.message
    #expect(message.hasSuffix("and 992 more"))
    #expect(StatusMessage.encode(message).utf8.count < 8192)
  }

  @Test func knownResourceListsTheDifferences() {
    let path = TripServiceMethods.getTrip.path
    let recorded = GetTripRequest(name: "t").serializedBytes()
    var summary = RecordingSummary()
    for _ in 0..<2 { summary.add(path, "t", request: recorded) }
    let request = GetTripRequest(
      name: "t", view: .sdk, routeFormatType: .encodedPolylineType
    ).serializedBytes()
    #expect(
      summary.refusal(path, "t", request: request).status.message
        == "this request for t is not in this recording: route_format_type: unset in the"
        + " recording, \"ENCODED_POLYLINE_TYPE\" in this request; view: unset in the recording, \"SDK\" in this request"
    )
    let unknown = summary.refusal(path, "t", request: recorded + [0x78, 1])
    #expect(unknown.status.message.hasSuffix(": unknown fields differ"))
  }

  @Test func differencesFitIntoAHeader() {
    let face = String(repeating: "😀", count: 1_000)
    let path = VehicleServiceMethods.listVehicles.path
    func request(_ text: String) -> [UInt8] {
      ListVehiclesRequest(
        parent: face, pageToken: text, requiredAttributes: [text],
        requiredOneOfAttributes: [text], requiredOneOfAttributeSets: [text], filter: text
      ).serializedBytes()
    }
    var summary = RecordingSummary(of: .script)
    for number in 0..<40 { summary.add(path, face, request: request("\(number)\(face)")) }
    let message = summary.refusal(path, face, request: request(face)).status.message
    #expect(message.hasSuffix("; 2 more fields"), "\(message)")
    #expect(message.contains(" or 29 others in the script, "), "\(message)")
    #expect(StatusMessage.encode(message).utf8.count < 8192)
  }
}
