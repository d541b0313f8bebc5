import Recording
import Testing
import WireProtobuf

@testable import CommandShell
@testable import Tripwire

@Suite struct EntryListTests {
  private static func log() -> TestLog {
    let request = GetTripRequest(name: "providers/p/trips/t1")
    var log = TestLog()
    let id = log.begin(metadata: [
      ("x-goog-request-params", Array("provider_id=p".utf8)), ("x-bin", [0, 255]),
      ("authorization", Array("Bearer secret".utf8)),
    ])
    log.send(id, request)
    log.now = 35
    let peer = BinlogAddress(type: .ipv4, address: "127.0.0.1", ipPort: 443)
    let status = RPCStatus(
      code: 8, details: [AnyMessage(packing: RetryInfo(retryDelay: WireDuration(seconds: 2)))])
    log.end(id, 8, "quota", details: status.serializedBytes())
    log.entries[3].peer = peer
    return log
  }

  @Test func decodesKnownTypes() async throws {
    let (code, output, error) = try await Self.log().run("--json")
    #expect((code, error) == (.success, ""))
    let start = #"{"call":1,"timestamp":"2026-11-21T09:30:00Z","callId":"1","#
    let type = "type.googleapis.com/google.rpc.RetryInfo"
    #expect(
      output == start
        + #""sequenceIdWithinCall":"1","type":"EVENT_TYPE_CLIENT_HEADER","logger":"LOGGER_CLIENT","#
        + #""clientHeader":{"metadata":{"entry":[{"key":"x-goog-request-params","text":"provider_id=p"},"#
        + #"{"key":"x-bin","value":"AP8="},{"key":"authorization","text":"<redacted>"}]},"#
        + #""methodName":"/maps.fleetengine.v1.TripService/GetTrip","#
        + #""authority":"fleetengine.googleapis.com"}}"# + "\n" + start
        + #""sequenceIdWithinCall":"2","type":"EVENT_TYPE_CLIENT_MESSAGE","logger":"LOGGER_CLIENT","#
        + #""message":{"length":22,"decoded":{"name":"providers/p/trips/t1"}}}"# + "\n" + start
        + #""sequenceIdWithinCall":"3","type":"EVENT_TYPE_CLIENT_HALF_CLOSE","logger":"LOGGER_CLIENT"}"#
        + "\n" + start.replacing("00Z", with: "00.035Z")
        + #""sequenceIdWithinCall":"4","type":"EVENT_TYPE_SERVER_TRAILER","logger":"LOGGER_CLIENT","#
        + #""trailer":{"statusCode":8,"statusMessage":"quota","#
        + #""status":{"code":8,"details":[{"@type":"\#(type)","retryDelay":"2s"}]}},"#
        + #""peer":{"type":"TYPE_IPV4","address":"127.0.0.1","ipPort":443}}"# + "\n")
  }

  @Test func keepsTheBytesOfUnknownTypes() async throws {
    var log = TestLog()
    let other = log.begin("/unknown.Service/Do")
    log.add(other, .clientMessage, TestLog.message([1, 2, 3]))
    let known = log.begin()
    log.add(known, .clientMessage, TestLog.message([0x1a, 9]))
    // Field 2000, which GetTripRequest does not have.
    log.add(known, .clientMessage, TestLog.message([0x80, 0x7d, 1]))
    log.add(known, .clientMessage, TestLog.message([0x1a, 0]))
    log.entries[5].payloadTruncated = true
    log.add(known, .unrecognized(99))
    let lines = try await log.run("--json").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines[1].hasSuffix(#""message":{"length":3,"data":"AQID"}}"#))
    #expect(lines[3].contains(#""undecodable":"GetTripRequest.name at byte 2: "#))
    #expect(lines[3].hasSuffix(#","data":"Ggk="}}"#))
    #expect(lines[4].hasSuffix(#""decoded":{},"unknownFieldCount":1,"data":"gH0B"}}"#))
    #expect(lines[5].hasSuffix(#""message":{"length":2,"data":"GgA="},"payloadTruncated":true}"#))
    #expect(lines[6].contains(#""type":99,"#))
  }

  @Test func showsOnlyTheEntriesOfOneCall() async throws {
    var log = Self.log()
    _ = log.begin()
    let one = try await log.run("--json", "--call", "1").output
    #expect(one == (try await Self.log().run("--json").output))
    let (code, output, error) = try await log.run("--json", "--call", "3")
    #expect((code, output) == (.localFailure, ""))
    #expect(error.contains("--call 3: the recording has only 2 calls"))
    let empty = try await TestLog().run("--json", "--call", "1").error
    #expect(
      empty.contains(
        "error: --call 1: the recording contains no calls\n"
          + "hint: pass a recording with calls, such as one made with --record\n"))
  }
}
