import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import Replay

/// The description of the recorded call that matches a request.
@Suite struct MatchTests {
  static let path = TripServiceMethods.getTrip.path

  static func text(
    _ index: inout ResponseIndex, _ request: [UInt8], to path: String = path
  ) throws -> String {
    let match = try index.response(to: try index.method(path), [request], now: .now)
    return match.description([request], to: path)
  }

  @Test func namesTheCallAndItsPosition() throws {
    let request = ResponseIndexTests.request("t")
    var index = ResponseIndex([
      ResponseIndexTests.call(request, response: 4), ResponseIndexTests.call(request, response: 6),
      ResponseIndexTests.call(ResponseIndexTests.request("u"), response: 9),
    ])
    let bytes = request.serializedBytes()
    let texts = try (0..<3).map { _ in try Self.text(&index, bytes) }
    #expect(
      texts == [
        "call 4, response 1 of 2, same request", "call 6, response 2 of 2, same request",
        "call 6, response 2 of 2, same request",
      ])
    let other = ResponseIndexTests.request("u", language: "fr", version: 5, view: .unspecified)
    #expect(
      try Self.text(&index, other.serializedBytes())
        == "call 9, same request except header, current_route_segment_version")
  }

  @Test func namesAnotherEncoding() throws {
    let request = ResponseIndexTests.request("t", view: .sdk)
    var index = ResponseIndex([ResponseIndexTests.call(request, response: 1)])
    let bytes = request.serializedBytes()
    // view, then name.
    #expect(
      try Self.text(&index, Array(bytes.suffix(2) + bytes.dropLast(2)))
        == "call 1, same request with another encoding")
  }

  @Test(arguments: [
    (#", "resource": "trips/t1""#, "scripted call 1, resource trips/t1"),
    (#", "resource": "providers/p/trips/t1""#, "scripted call 1, resource providers/p/trips/t1"),
    ("", "scripted call 1, any request"),
  ])
  func namesTheResourceOfAScriptedCall(condition: String, text: String) throws {
    var index = ResponseIndex(
      try ReplayScriptTests.script(
        #"{"calls": [{"method": "\#(Self.path)"\#(condition), "steps": [{"trailers": {}}]}]}"#))
    let request = ResponseIndexTests.request("providers/p/trips/t1").serializedBytes()
    #expect(try Self.text(&index, request) == text)
  }
}
