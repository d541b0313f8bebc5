import FleetEngineAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import Recording
@testable import Replay

/// How it is reported which call answers a request, and why.
@Suite struct MatchTests {
  static let path = TripServiceMethods.getTrip.path

  static func text(
    _ book: inout AnswerBook, _ request: [UInt8], to path: String = path
  ) throws -> String {
    let match = try book.answer(to: try book.method(path), [request], now: .now).match
    return match.description([request], to: path)
  }

  @Test func namesTheCallAndItsPlace() throws {
    let request = AnswerBookTests.request("t")
    var book = AnswerBook([
      AnswerBookTests.call(request, answer: 4), AnswerBookTests.call(request, answer: 6),
      AnswerBookTests.call(AnswerBookTests.request("u"), answer: 9),
    ])
    let bytes = request.serializedBytes()
    let texts = try (0..<3).map { _ in try Self.text(&book, bytes) }
    #expect(
      texts == [
        "call 4, response 1 of 2, same request", "call 6, response 2 of 2, same request",
        "call 6, response 2 of 2, same request",
      ])
    let other = AnswerBookTests.request("u", language: "fr", version: 5, view: .unspecified)
    #expect(
      try Self.text(&book, other.serializedBytes())
        == "call 9, same request except header, current_route_segment_version")
  }

  @Test func namesAnotherEncoding() throws {
    let request = AnswerBookTests.request("t", view: .sdk)
    var book = AnswerBook([AnswerBookTests.call(request, answer: 1)])
    let bytes = request.serializedBytes()
    // view, then name.
    #expect(
      try Self.text(&book, Array(bytes.suffix(2) + bytes.dropLast(2)))
        == "call 1, same request with another encoding")
  }

  @Test(arguments: [
    (#", "resource": "trips/t1""#, "scripted call 1, resource trips/t1"),
    (#", "resource": "providers/p/trips/t1""#, "scripted call 1, resource providers/p/trips/t1"),
    ("", "scripted call 1, any request"),
  ])
  func namesWhatAScriptedCallIsFor(asked: String, text: String) throws {
    var book = AnswerBook(
      try ReplayScriptTests.script(
        #"{"calls": [{"method": "\#(Self.path)"\#(asked), "steps": [{"trailers": {}}]}]}"#))
    let request = AnswerBookTests.request("providers/p/trips/t1").serializedBytes()
    #expect(try Self.text(&book, request) == text)
  }
}
