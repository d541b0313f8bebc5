import Recording
import Testing

@testable import RecordingAnalysis

/// Is every part of Google's logs that cannot be read counted, with its reason?
@Suite struct CloudLogProblemsTests {
  private static let response = #""response":{"name":"providers/p/trips/t1"}"#

  private static func codes(_ log: CloudLog) -> [UInt32] {
    log.entries.compactMap { entry in
      if case .trailer(let trailer) = entry.payload { trailer.statusCode } else { nil }
    }
  }

  @Test(
    arguments: [
      (#""oops""#, 2, "errorResponse: expected an object; UNKNOWN is assumed"),
      (#"["x"]"#, 2, "errorResponse: expected an object; UNKNOWN is assumed"),
      (#"{"httpstatuscode":404}"#, 5, "errorResponse.code is missing; NOT_FOUND is assumed"),
      (
        #"{"httpStatusCode":"429"}"#, 8,
        "errorResponse.code is missing; RESOURCE_EXHAUSTED is assumed"
      ),
      (#"{"code":1e300}"#, 2, "errorResponse.code: the value is not a status; UNKNOWN is assumed"),
      (
        #"{"code":0,"httpStatusCode":404}"#, 5,
        "errorResponse.code is missing; NOT_FOUND is assumed"
      ),
      (#"{"message":"m"}"#, 2, "errorResponse.code is missing; UNKNOWN is assumed"),
      (#"{"code":"WEIRD"}"#, 2, "errorResponse.code: WEIRD is not a status; UNKNOWN is assumed"),
      (
        #"{"code":"WEIRD","httpStatusCode":403}"#, 7,
        "errorResponse.code: WEIRD is not a status; PERMISSION_DENIED is assumed"
      ),
      (#"{"code":503}"#, 14, "errorResponse.code: 503 is not a status; UNAVAILABLE is assumed"),
      (#"{"code":[]}"#, 0, nil), (#"{"code":"5"}"#, 5, nil), (#"{"code":"OK"}"#, 0, nil),
      (#"{"code":null,"message":null,"httpstatuscode":null,"details":[]}"#, 0, nil),
      (#"{"code":0,"message":""}"#, 0, nil), ("[]", 0, nil),
    ] as [(String, UInt32, String?)])
  func anUnclearStatusIsNamed(error: String, code: UInt32, problem: String?) throws {
    let log = try ExampleLog.read(
      ExampleLog.entry("GetTrip", Self.response + #","errorResponse":\#(error)"#))
    #expect(Self.codes(log) == [code])
    #expect(
      log.unclearStatuses.reasons.map(\.description)
        == (problem.map { ["1: status of entry 1: \($0)"] } ?? []))
  }

  @Test func partsOfAnotherTypeAreNamed() throws {
    let good = ExampleLog.entry("GetTrip", Self.response)
    let log = try ExampleLog.read(
      [
        ExampleLog.entry("GetTrip", #""request":"x",\#(Self.response)"#),
        ExampleLog.entry("GetTrip", #""request":{"tripId":7},\#(Self.response)"#),
        ExampleLog.entry("GetTrip", Self.response, labels: #""x""#),
        good.replacing(#""insertId":"""#, with: #""insertId":5"#),
        ExampleLog.entry("GetTrip", #""request":"x","response":7"#),
        #"{"jsonPayload":"x","timestamp":1}"#,
        #"{"serverTime":1,"unknownCall":{"request":{}}}"#,
      ].joined(separator: "\n"))
    #expect(Self.codes(log).count == 4)
    #expect(
      log.skippedFields.reasons.map(\.description) == [
        "1: field of entry 1: request: expected an object",
        "2: field of entry 2: request: GetTripRequest.tripId: expected a string",
        "3: field of entry 3: labels: expected an object",
        "4: field of entry 4: insertId: expected a string",
      ])
    #expect(
      log.skippedEntries.reasons.map(\.description) == [
        "5: entry 5: request: expected an object",
        "6: entry 6: jsonPayload: expected an object",
        "7: entry 7: unknownCall is not a method of Fleet Engine",
      ])
  }

  @Test(arguments: [
    (#"{"entries":[E],"nextPageToken":"abc"}"#, true),
    (#"{"nextPageToken":"abc","entries":[E]}"#, true),
    (#"{"entries":[E],"nextPageToken":""}"#, false),
    (#"{"nextPageToken":null,"entries":[E]}"#, false),
    (#"{"entries":[E],"nextPageToken":"abc"}{"entries":[E]}"#, false),
    (#"[E,{"nextPageToken":"abc"}]"#, false),
  ])
  func aMissingPageIsSeen(text: String, isMissing: Bool) throws {
    let entry = ExampleLog.entry("GetTrip", Self.response)
    #expect(try ExampleLog.read(text.replacing("E", with: entry)).hasNextPage == isMissing)
  }
}
