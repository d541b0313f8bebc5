import Testing
import WireGRPC

@testable import Recording
@testable import Replay

/// The recording of the demo, made by grpcio and its own client.
@Suite struct DemoRecordingTests {
  static let path = #filePath.replacing(
    "Tests/ReplayTests/DemoRecordingTests.swift", with: "interop/recordings/demo.binlog")

  @Test func answersEachOfItsRequests() throws {
    let recording = try RecordedCalls(path: Self.path)
    #expect(recording.warnings.isEmpty)
    var book = AnswerBook(recording.calls)
    #expect(book.omissions.isEmpty)
    #expect(book.count > 0)
    for call in recording.calls {
      let answer = try book.answer(to: call.method, call.requests.map(\.bytes))
      #expect(answer == (try Answer(call)))
    }
  }
}
