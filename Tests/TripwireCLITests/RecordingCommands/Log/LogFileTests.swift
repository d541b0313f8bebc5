import Recording
import TestSupport
import Testing

@testable import CommandShell
@testable import Tripwire

@Suite struct LogFileTests {
  private static func log(_ calls: Int) -> TestLog {
    let request = GetTripRequest(name: "providers/p/trips/t1")
    var log = TestLog()
    for _ in 0..<calls {
      log.getTrip(request, Trip())
      log.now += 10_000
    }
    return log
  }

  /// Programs other than tripwire record tokens.
  @Test(arguments: [[], ["--call", "1"], ["--trip", "t1"], ["--json"]])
  func masksRequestHeadersThatTheServerRepeats(options: [String]) async throws {
    let token = "some-opaque-token"
    let request = GetTripRequest(name: "providers/p/trips/t1")
    var log = TestLog()
    let call = log.begin(metadata: [("authorization", Array("Bearer \(token)".utf8))])
    log.send(call, request)
    log.add(call, .serverHeader, .serverHeader(BinlogServerHeader()))
    log.entries[log.entries.count - 1].serverHeader?.metadata =
      TestLog.metadata([("x-echo", Array(token.utf8))])
    log.add(call, .serverMessage, TestLog.message(Trip(vehicleId: token).serializedBytes()))
    log.end(call, 16, "invalid token \(token)", details: Array(token.utf8))
    let output = try await log.run(options).output
    #expect(output.contains("invalid token ****"))
    #expect(!output.contains("opaque"))
    let other = log.begin()
    log.end(other, 16, token)
    #expect(
      try await log.run(options.first == "--call" ? ["--call", "2"] : []).output.contains(token))
  }

  /// The files of `--record-size`, in the order of a shell's glob: FILE, FILE.1, FILE.2.
  @Test func readsARotatedSetAsOneLog() async throws {
    let log = Self.log(6)
    let whole = try await log.run()
    var parts = [log, log, log]
    parts[0].entries = Array(log.entries[22...])
    parts[1].entries = Array(log.entries[13..<22])
    parts[2].entries = Array(log.entries[..<13])
    let test = TestConsole()
    try await withFile(parts[0].bytes) { first in
      try await withFile(parts[1].bytes) { second in
        try await withFile(parts[2].bytes) { third in
          #expect(await test.run("log", first, second, third) == .success)
        }
      }
    }
    #expect((test.output, test.error) == (whole.output, ""))
  }

  @Test func reportsSkippedAndDuplicateFiles() async throws {
    let log = Self.log(2)
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      var parts = (log, log)
      parts.0.entries = Array(log.entries[6...])
      parts.1.entries = Array(log.entries[..<6])
      try appendToFile(path, parts.0.bytes)
      try appendToFile(path + ".1", parts.1.bytes)
      let test = TestConsole()
      #expect(await test.run("log", path) == .success)
      #expect(
        test.error
          == "warning: \(path): the earlier files of the recording (\(path).1) are not read;"
          + " pass \(path)* to read all files\n")
      let whole = TestConsole()
      #expect(await whole.run("log", path, path, path + ".1", path + ".2") == .success)
      #expect(whole.output == (try await log.run().output))
      #expect(
        whole.error == """
          warning: \(path): skipped: the same file is named twice
          warning: \(path).2: No such file or directory: skipped

          """)
      #expect(await TestConsole().run("log", path, "\(folder)/lag.1") == .localFailure)
    }
  }

  @Test func unreadableFilesAreSkipped() async throws {
    let test = TestConsole()
    try await withFile([0x1f, 0x8b, 8, 0, 0]) { packed in
      try await withFile([0xff, 0, 0, 0]) { other in
        try await withFile(Self.log(1).bytes) { path in
          #expect(await test.run("log", path, packed, other) == .localFailure)
        }
        #expect(
          test.error == """
            warning: \(packed): the gzip data is damaged at byte 5: unexpected end of file
            error: \(other): not a gRPC binary log: the first entry has a length of 4278190080 bytes
            hint: pass a file made with --record, or another gRPC binary log

            """)
      }
    }
    #expect(test.output.contains("  t1  "))
  }
}
