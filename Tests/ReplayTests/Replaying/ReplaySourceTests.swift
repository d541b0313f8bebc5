import TestSupport
import Testing
import WireProtobuf

@testable import Recording
@testable import Replay

@Suite struct ReplaySourceTests {
  @Test(arguments: ["{}", " {\n}", "\n\n{}", "\t{}", "\r\n{}", "\u{feff}{}"])
  func detectsAScript(text: String) throws {
    try withTemporaryFile(Array(text.utf8)) { path in
      guard case .script(let script) = try ReplaySource(paths: [path]) else {
        Issue.record("it was taken for a recording")
        return
      }
      #expect(script.calls.isEmpty)
    }
  }

  @Test func detectsALogLargerThanOneRead() throws {
    var entry = BinlogGrpcLogEntry(callId: 1, type: .serverMessage)
    let message = BinlogMessage(length: 300_000, data: [UInt8](repeating: 3, count: 300_000))
    entry.payload = .message(message)
    try withTemporaryFile(entry.framed) { path in
      guard case .recording(let calls) = try ReplaySource(paths: [path]) else {
        Issue.record("it was taken for a script")
        return
      }
      #expect(calls.calls.isEmpty)
      #expect(calls.warnings.count == 1)
    }
  }

  @Test(arguments: ["", "[]", "\n[]", "calls:\n", "\n\r\r\n\0\0"])
  func otherTextIsNotAScript(text: String) throws {
    try withTemporaryFile(Array(text.utf8)) { path in
      let source = try? ReplaySource(paths: [path])
      if case .script = source { Issue.record("it was taken for a script") }
    }
  }

  @Test(arguments: [("s.yaml", true), ("S.YML", true), ("s.json", false)])
  func yamlHintsAtTheConversion(name: String, isYAML: Bool) async throws {
    let error = try await withTemporaryDirectory { folder in
      let path = "\(folder)/\(name)"
      try appendToFile(path, "calls:\n- method: /a/b\n".utf8)
      return #expect(throws: ReplayError.self) { try ReplaySource(paths: [path]) }
    }
    let text = try #require(error?.description)
    #expect(text.contains("script (JSON that begins with {)"), "\(text)")
    #expect(error?.hint?.contains("yq -o=json") ?? false == isYAML, "\(text)")
  }

  @Test func filesOfARotatedSetAreOneRecording() async throws {
    try await withTemporaryDirectory { folder in
      let (log, before) = ("\(folder)/log", "\(folder)/log.1")
      func entry(_ type: BinlogGrpcLogEntry.EventType) -> [UInt8] {
        var entry = BinlogGrpcLogEntry(callId: 1, type: type)
        if type == .clientHeader { entry.payload = .clientHeader(BinlogClientHeader()) }
        if type == .serverTrailer { entry.payload = .trailer(BinlogTrailer()) }
        entry.timestamp = Timestamp(seconds: Int64(type.rawValue), nanos: 0)
        return entry.framed
      }
      try appendToFile(before, entry(.clientHeader))
      try appendToFile(log, entry(.serverTrailer))
      guard case .recording(let calls) = try ReplaySource(paths: [log, before]) else {
        Issue.record("they were taken for a script")
        return
      }
      #expect(calls.calls.map { $0.ending != nil } == [true])
      try appendToFile("\(folder)/script", "{}".utf8)
      let error = #expect(throws: ReplayError.self) {
        try ReplaySource(paths: [log, "\(folder)/script"])
      }
      #expect(
        error?.description == "\(folder)/script: a script cannot be combined with other files")
    }
  }

  @Test func missingFileIsNamed() {
    let error = #expect(throws: ReplayError.self) { try ReplaySource(paths: ["/absent/s.json"]) }
    #expect(error?.description.hasPrefix("/absent/s.json: ") == true)
  }
}
