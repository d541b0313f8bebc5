import Recording
import Testing

@testable import RecordingAnalysis

@Suite struct ClientCountTests {
  private static func isSeveral(_ calls: [(id: UInt64, agent: String)]) -> Bool {
    var count = ClientCount()
    for call in calls {
      let agent = BinlogMetadataEntry(key: "user-agent", value: Array(call.agent.utf8))
      let header = BinlogClientHeader(
        metadata: BinlogMetadata(entry: [agent]), methodName: "/s/m", authority: "host")
      count.add(BinlogGrpcLogEntry(callId: call.id, payload: .clientHeader(header)))
    }
    return count.isSeveral
  }

  @Test func oneProcessAfterAnotherIsOneClient() {
    let calls = (0..<3).flatMap { _ in (1...20).map { (UInt64($0), "a") } }
    #expect(!Self.isSeveral(calls))
    #expect(!Self.isSeveral((1...20).map { ($0, $0 < 10 ? "a/1" : "a/2") }))
  }

  @Test func processesAtTheSameTimeAreSeveral() {
    #expect(Self.isSeveral((1...9).flatMap { [($0, "a"), ($0, "a")] }))
    #expect(Self.isSeveral((1...9).flatMap { [($0, "a"), ($0 + 1_000, "a")] }))
    #expect(Self.isSeveral((1...20).map { ($0, $0 % 3 == 0 ? "a" : "b") }))
  }
}
