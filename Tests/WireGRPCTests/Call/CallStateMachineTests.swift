import TestSupport
import Testing

@testable import WireGRPC
@testable import WireHTTP2

@Suite struct CallStateMachineTests {
  @Test func completeResponseSucceeds() throws {
    let end = run([
      .headers(
        fields([
          ":status": "200", "content-type": "application/grpc+proto", "x-a": "1", "x-b-bin": "qw",
        ])),
      .data([0, 0, 0]), .data([0, 2, 7]), .data([8]),
      .trailers(fields(["grpc-status": "0", "grpc-message": "", "x-c": "2"])),
      .closed(.finished),
    ])
    #expect(end.messages.map(\.bytes) == [[7, 8]])
    #expect(end.headers == [["x-a": "1", "x-b-bin": .binary([0xAB])]])
    #expect(end.trailers == ["x-c": "2"])
    #expect(end.reset == nil)
    #expect(end.inputs == 5)
  }

  @Test(arguments: CallRule.all)
  func rulesDetermineTheEnd(_ rule: CallRule) throws {
    let end = run(rule.inputs)
    #expect(end.code == rule.code)
    let error = try #require(end.error)
    #expect(error.message.contains(rule.messagePart), "\(error)")
    #expect(end.reset == rule.reset)
    #expect(error.origin == rule.origin)
    #expect(end.inputs == rule.inputs.count, "it ended before its last input")
  }

  @Test(arguments: CallRule.all)
  func ignoresInputsAfterTheEnd(_ rule: CallRule) {
    let late: [CallInput] = [
      good, message, ok, .data([1, 2, 3], endStream: true), .closed(.finished),
      .closed(.resetByPeer(.refusedStream)), .closed(.unprocessed), .lost, .cancel, .expire,
    ]
    #expect(run(rule.inputs + late).code == rule.code)
  }

  @Test func passesCompressedMessages() {
    let gzip = hex("1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000")
    let headers = CallInput.headers(
      fields([":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip"]))
    let frame = CallInput.data([1, 0, 0, 0, UInt8(gzip.count)] + gzip)
    let end = run([headers, frame, ok])
    #expect(end.code == .ok)
    #expect(end.messages == [MessageDeframer.Message(isCompressed: true, bytes: gzip)])
    // The limit applies to the compressed size, and uncompressed messages are valid with any
    // coding.
    #expect(run([headers, frame, ok], limit: gzip.count - 1).code == .resourceExhausted)
    #expect(run([headers, message, ok]).code == .ok)
  }

  @Test(
    "calls that the server did not act on are retried transparently",
    arguments: [[CallInput.closed(.unprocessed)], [.closed(.resetByPeer(.refusedStream))]])
  func transparentRetry(_ inputs: [CallInput]) {
    let end = run(inputs)
    #expect(end.retry != nil)
    #expect(end.result == nil)
  }

  @Test func failsOnHeadersAboveTheLimit() {
    let violation = StreamClosure.violation(HTTP2Error(.headerListTooLarge, "too long"))
    #expect(run([.closed(violation)]).code == .resourceExhausted)
    #expect(run([good, message, .closed(violation)]).code == .resourceExhausted)
  }

  /// `run` checks that no action follows the end.
  @Test func anyOrderOfEventsEndsTheCallOnce() {
    var random = SplitMix(state: 7)
    let inputs = CallRule.all.flatMap(\.inputs)
    for round in 0..<2000 {
      let events = (0..<8).map { _ in inputs.randomElement(using: &random) ?? ok }
      let end = run(events + [.expire])
      #expect((end.result == nil) != (end.retry == nil), "round \(round): \(end)")
      #expect(end.headers.count <= 1, "round \(round): headers came twice")
      #expect(end.headers.count == 1 || end.messages.isEmpty, "round \(round): no headers")
      #expect(end.retry == nil || end.headers.isEmpty, "round \(round): sent again too late")
      #expect(end.code != .ok || end.messages.count == 1, "round \(round): \(end.messages.count)")
    }
  }
}
