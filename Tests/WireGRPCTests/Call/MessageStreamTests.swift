import TestSupport
import Testing

@testable import WireGRPC
@testable import WireHTTP2

/// The state machine of calls whose response is a stream.
@Suite struct MessageStreamTests {
  @Test func returnsMessagesAsTheyArrive() {
    let end = run(
      [good, message, .data([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0]), .data([0, 1, 5]), ok],
      expectsOneMessage: false)
    #expect(end.messages.map(\.bytes) == [[7, 8], [], [9], [5]])
    #expect(end.headers.count == 1)
    #expect(end.code == .ok)
  }

  @Test(arguments: [
    [good, ok],
    [
      .headers(
        fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"]),
        endStream: true)
    ],
  ])
  func acceptsAnEmptyStream(_ inputs: [CallInput]) {
    let end = run(inputs, expectsOneMessage: false)
    #expect(end.code == .ok)
    #expect(end.messages.isEmpty)
  }

  @Test func returnsMessagesBeforeAnInvalidOne() {
    let end = run([good, .data([0, 0, 0, 0, 1, 5, 7, 0, 0])], expectsOneMessage: false)
    #expect(end.messages.map(\.bytes) == [[5]])
    #expect(end.code == .internal)
    #expect(end.reset == .cancel)
  }

  @Test func limitsEachMessageSeparately() {
    let long = CallInput.data([0, 0, 0, 0, 60] + [UInt8](repeating: 1, count: 60))
    #expect(run([good, long, long, ok], expectsOneMessage: false).code == .ok)
    let end = run([good, long, .data([0, 0, 0, 0, 101])], expectsOneMessage: false)
    #expect(end.code == .resourceExhausted)
    #expect(end.messages.count == 1)
  }

  @Test(arguments: [
    fields([":status": "503", "content-type": "application/grpc"]),
    fields([":status": "200", "content-type": "text/html"]), fields([":status": "404"]),
  ])
  func ignoresResponsesThatAreNotGRPC(_ headers: [HeaderField]) {
    let end = run([.headers(headers), message], expectsOneMessage: false)
    #expect(end.headers.isEmpty)
    #expect(end.messages.isEmpty)
  }
}
