import Testing
import WireGRPC
import WireHTTP2
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

extension TimedResponse {
  /// The framed messages.
  var frames: [[UInt8]] {
    steps.compactMap { if case .message(let frame) = $0.action { frame } else { nil } }
  }

  /// The last header list.
  var ending: [HeaderField] {
    switch steps.last?.action {
    case .trailersOnly(let list), .trailers(let list): list.fields
    default: []
    }
  }
}

@Suite struct TimedResponseTests {
  static func actions(_ call: RecordedCall) throws -> [ResponseAction] {
    try TimedResponse(call).steps.map(\.action)
  }

  @Test func listsTheRecordedFrames() throws {
    let actions = try Self.actions(
      Recordings.call(
        headers: ["x-first": "a", "x-bytes-bin": .binary([0, 255])], responses: [[1, 2], []],
        trailers: ["x-last": "z"]))
    #expect(
      actions == [
        .headers(
          HeaderList(
            ResponseHeaders.common + [
              HeaderField("x-first", "a"), HeaderField("x-bytes-bin", "AP8"),
            ])),
        .message([0, 0, 0, 0, 2, 1, 2]), .message([0, 0, 0, 0, 0]),
        .trailers(HeaderList([HeaderField("grpc-status", "0"), HeaderField("x-last", "z")])),
      ])
  }

  @Test func trailersOnlyResponseStaysTrailersOnly() throws {
    let actions = try Self.actions(
      Recordings.call(
        headers: nil, responses: [], code: .notFound, message: "no trip ☃, 100%",
        details: [8, 5], trailers: ["x-last": "z"]))
    #expect(
      actions == [
        .trailersOnly(
          HeaderList(
            ResponseHeaders.common + [
              HeaderField("grpc-status", "5"),
              HeaderField("grpc-message", "no trip %E2%98%83, 100%25"),
              HeaderField("grpc-status-details-bin", "CAU"), HeaderField("x-last", "z"),
            ]))
      ])
  }

  @Test func headersPrecedeMessagesWithoutRecordedHeaders() throws {
    #expect(
      try Self.actions(Recordings.call(headers: nil, responses: [[1]])) == [
        .headers(HeaderList(ResponseHeaders.common)), .message([0, 0, 0, 0, 1, 1]),
        .trailers(HeaderList([HeaderField("grpc-status", "0")])),
      ])
  }

  @Test func keepsAnUnknownStatusCode() throws {
    let response = try TimedResponse(Recordings.call(code: StatusCode(rawValue: 42)))
    #expect(response.ending == [HeaderField("grpc-status", "42")])
  }

  @Test func keepsTheDelaysBetweenEvents() throws {
    let response = try TimedResponse(
      Recordings.call(
        responses: [[1], [2]],
        course: [
          (.request, 10), (.halfClose, 1), (.headers, 300), (.response, 0), (.response, 2500),
          (.ending, 4),
        ]))
    #expect(
      response.steps.map(\.delay) == [
        .milliseconds(300), .zero, .milliseconds(2500), .milliseconds(4),
      ])
    #expect(response.steps.allSatisfy { $0.requiredMessages == TimedResponse.wholeRequest })
  }

  @Test func missingOrDecreasingTimesHaveNoDelay() throws {
    var call = Recordings.call(
      course: [(.request, 0), (.halfClose, 9), (.headers, -5), (.response, 0), (.ending, 0)])
    call.events[4].time = nil
    #expect(try TimedResponse(call).steps.allSatisfy { $0.delay == .zero })
    call.events[4].time = Timestamp(seconds: .max, nanos: .max)
    #expect(try TimedResponse(call).steps.last?.delay == Timeout.longest)
  }

  @Test func stepsRequireTheMessagesBeforeThem() throws {
    let call = Recordings.call(
      1, "/test.Echo/Chat", [[1], [2], [3]], responses: [[1], [2]],
      course: [
        (.headers, 0), (.request, 0), (.response, 0), (.request, 0), (.request, 0), (.response, 0),
        (.halfClose, 0), (.ending, 0),
      ])
    #expect(
      try TimedResponse(call).steps.map(\.requiredMessages) == [
        0, 1, 3, TimedResponse.wholeRequest,
      ])
    #expect(call.requiredMessages == 1)
    #expect(Recordings.call().requiredMessages == TimedResponse.wholeRequest)
  }

  @Test func canceledCallHasNoEnding() throws {
    let call = Recordings.call(
      course: [(.request, 0), (.halfClose, 0), (.response, 0), (.cancel, 0)])
    #expect(
      try Self.actions(call) == [
        .headers(HeaderList(ResponseHeaders.common)), .message([0, 0, 0, 0, 1, 7]),
      ])
  }

  @Test func incompleteCallsAreRejected() {
    var call = Recordings.call()
    call.requestIsTruncated = true
    #expect(throws: TimedResponse.InvalidCall.truncatedRequest) { try TimedResponse(call) }
    call = Recordings.call()
    call.responseIsTruncated = true
    #expect(throws: TimedResponse.InvalidCall.truncatedAnswer) { try TimedResponse(call) }
    call = Recordings.call()
    call.ending = nil
    #expect(throws: TimedResponse.InvalidCall.unfinished) { try TimedResponse(call) }
    call = Recordings.call(responses: [], course: [(.request, 0), (.cancel, 0)])
    #expect(throws: TimedResponse.InvalidCall.unfinished) { try TimedResponse(call) }
  }

  @Test func inconsistentEventsAreIgnored() throws {
    let call = Recordings.call(
      course: [
        (.halfClose, 0), (.request, 0), (.response, 0), (.response, 0), (.headers, 0), (.ending, 0),
        (.ending, 0), (.response, 0),
      ])
    #expect(try Self.actions(call).count == 3)
  }

  @Test func refusalIsTrailersOnly() {
    let response = TimedResponse(Refusal(.unknown, "100%", httpStatus: 415))
    #expect(response.steps.count == 1)
    #expect(response.ending.first == HeaderField(":status", "415"))
    #expect(response.ending.contains(HeaderField("grpc-status", "2")))
    #expect(response.ending.contains(HeaderField("grpc-message", "100%25")))
  }
}
