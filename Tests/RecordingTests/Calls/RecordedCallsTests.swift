import Foundation
import TestSupport
import Testing
import WireGRPC
import WireProtobuf

@testable import Recording

@Suite struct RecordedCallsTests {
  static func read(_ entries: [Logs.Entry], tail: [UInt8] = []) throws -> RecordedCalls {
    try withTemporaryFile(Logs.bytes(entries) + tail) {
      try RecordedCalls([BinaryLogSource(opening: $0)])
    }
  }

  static func failure(_ entries: [Logs.Entry]) throws -> String {
    try #require(throws: BinaryLogError.self) { try read(entries) }.description
  }

  @Test func assemblesACall() throws {
    var entries = Logs.call()
    entries[5] = Logs.entry(
      1, .serverTrailer,
      Logs.trailer(5, "no trip ☃", details: [8, 5], [("x-last", [122]), ("y-bin", [0, 255])]),
      second: 6)
    let read = try Self.read(entries)
    #expect(read.warnings.isEmpty)
    let call = try #require(read.calls.first)
    #expect(read.calls.count == 1)
    #expect(call.id == 1)
    #expect(call.method == "/test.Echo/Say")
    #expect(call.authority == "localhost:1")
    #expect(call.time?.seconds == 1)
    #expect(call.requests == [[1]])
    #expect(call.events.filter { $0.kind == .request }.map { $0.time?.seconds } == [2])
    #expect(call.headers == ["x-first": "a"])
    #expect(call.responses == [[7, 7]])
    #expect(call.events.filter { $0.kind == .response }.map { $0.time?.seconds } == [5])
    let ending = try #require(call.ending)
    #expect(ending.code == .notFound)
    #expect(ending.message == "no trip ☃")
    #expect(ending.details == [8, 5])
    #expect(ending.trailers == ["x-last": "z", "y-bin": .binary([0, 255])])
    #expect(ending.time?.seconds == 6)
    #expect(!call.requestIsTruncated && !call.responseIsTruncated)
  }

  @Test func recordsEventsInOrder() throws {
    let talk: [Logs.Entry] = [
      Logs.entry(1, .clientHeader, Logs.clientHeader(), second: 1),
      Logs.entry(1, .serverHeader, Logs.serverHeader(), second: 2),
      Logs.entry(1, .clientMessage, Logs.message([1]), second: 3),
      Logs.entry(1, .serverMessage, Logs.message([2]), second: 4),
      Logs.entry(1, .clientHalfClose, second: 5),
      Logs.entry(1, .serverTrailer, Logs.trailer(), second: 6),
      Logs.entry(2, .clientHeader, Logs.clientHeader(), second: 7),
      Logs.entry(2, .cancel, second: 8),
    ]
    let calls = try Self.read(talk).calls
    #expect(
      calls.map { $0.events.map(\.kind) } == [
        [.headers, .request, .response, .halfClose, .ending], [.cancel],
      ])
    #expect(calls.map { $0.events.map { $0.time?.seconds } } == [[2, 3, 4, 5, 6], [8]])
  }

  @Test func separatesInterleavedCalls() throws {
    let pairs = zip(zip(Logs.call(1), Logs.call(2)), Logs.call(1, logger: .server))
    let read = try Self.read(pairs.flatMap { [$0.0.0, $0.0.1, $0.1] })
    #expect(read.calls.map(\.id) == [1, 2, 1])
    #expect(read.calls.allSatisfy { $0.responses.count == 1 && $0.ending?.code == .ok })
  }

  @Test func reusedIDStartsAnotherCall() throws {
    let read = try Self.read(Logs.call(1) + Logs.call(1))
    #expect(read.calls.count == 2)
    #expect(read.calls.allSatisfy { $0.requests.count == 1 })
  }

  @Test func trailersOnlyResponseHasNoHeaders() throws {
    let entries = Logs.call().filter { $0.type != .serverHeader && $0.type != .serverMessage }
    let call = try #require(try Self.read(entries).calls.first)
    #expect(call.headers == nil)
    #expect(call.responses.isEmpty)
  }

  @Test func unfinishedCallHasNoEnding() throws {
    let read = try Self.read(Array(Logs.call().dropLast()), tail: [0, 0])
    #expect(read.calls.first?.ending == nil)
    #expect(read.warnings.count == 1)
    #expect(read.warnings.first?.contains("entry 6") == true)
  }

  @Test func marksTruncatedCalls() throws {
    var entries = Logs.call()
    entries[1].payload = Logs.message([1], length: 300)
    #expect(try Self.read(entries).calls.map(\.requestIsTruncated) == [true])
    #expect(try Self.read(entries).calls.map(\.responseIsTruncated) == [false])
    // An unset length means that the message is complete.
    entries[1].payload = Logs.message([1], length: 0)
    #expect(try Self.read(entries).calls.map(\.requestIsTruncated) == [false])
    for index in 3...5 {
      entries = Logs.call()
      entries[index].payloadTruncated = true
      #expect(try Self.read(entries).calls.map(\.requestIsTruncated) == [false])
      #expect(try Self.read(entries).calls.map(\.responseIsTruncated) == [true])
    }
  }

  @Test func addsMissingSlashToTheMethod() throws {
    var entries = Logs.call()
    entries[0].payload = Logs.clientHeader("test.Echo/Say")
    #expect(try Self.read(entries).calls.first?.method == "/test.Echo/Say")
  }

  @Test func skipsInvalidMetadata() throws {
    var entries = Logs.call()
    entries[3].payload = Logs.serverHeader([
      ("x-ok", [97]), ("grpc-status", [48]), ("te", [97]), ("x-raw", [0xff]), ("X-Upper", [98]),
    ])
    let read = try Self.read(entries)
    #expect(read.calls.first?.headers == ["x-ok": "a", "x-upper": "b"])
    #expect(read.warnings.count == 3)
    #expect(read.warnings.allSatisfy { $0.contains("entry 4 at byte") })
  }

  @Test func skipsCallsWithoutAStart() throws {
    let many = (0..<50).map { Logs.entry(7 + $0, .serverTrailer, Logs.trailer()) }
    let read = try Self.read(many + Logs.call(1))
    #expect(read.calls.map(\.id) == [1])
    #expect(read.warnings.count == 11)
    #expect(read.warnings.first?.contains("call 7") == true)
    #expect(read.warnings.last?.contains("40 more") == true)
  }

  @Test func warnsInFileOrder() throws {
    let truncated = Logs.bytes([Logs.call()[0]]).dropLast(5)
    let lost = Logs.bytes([Logs.entry(7, .serverTrailer, Logs.trailer())])
    let log = truncated + lost + truncated + lost + Logs.bytes(Logs.call())
    try withTemporaryFile(Array(log)) { path in
      let warnings = try RecordedCalls([BinaryLogSource(opening: path)]).warnings
      #expect(warnings.count == 4)
      for (index, warning) in warnings.enumerated() {
        #expect(warning.contains("entry \(index + 1) at byte"))
      }
    }
  }

  @Test func ignoresUnknownEvents() throws {
    let entries = Logs.call() + [Logs.entry(1, .unrecognized(99))]
    #expect(try Self.read(entries).calls.count == 1)
  }

  @Test func rejectsInconsistentEntries() throws {
    #expect(try Self.failure([Logs.entry(0, .clientHeader)]).contains("entry 1 at byte 0: call_id"))
    #expect(try Self.failure([Logs.entry(1, .clientHeader)]).contains("without client_header"))
    for (index, field) in [(1, "message"), (3, "server_header"), (4, "message"), (5, "trailer")] {
      var entries = Logs.call()
      entries[index].payload = Logs.clientHeader()
      let text = try Self.failure(entries)
      #expect(text.contains("entry \(index + 1) at byte"))
      #expect(text.hasSuffix("without \(field)"))
    }
  }

  @Test func rejectsALogAboveTheSizeLimit() throws {
    let log = Logs.bytes(Logs.call() + Logs.call())
    try withTemporaryFile(log) { path throws in
      #expect(
        try RecordedCalls([BinaryLogSource(opening: path)], sizeLimit: log.count).calls.count == 2)
      let error = try #require(throws: BinaryLogError.self) {
        try RecordedCalls([BinaryLogSource(opening: path)], sizeLimit: log.count / 2)
      }
      #expect(error.description.contains("larger than 0 MiB"))
    }
  }

  /// Nothing after the first entry is read.
  @Test func rejectsALargeFileWithoutReadingIt() throws {
    try withTemporaryFile(Logs.bytes(Logs.call())) { path throws in
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.truncate(atOffset: 10 << 30)
      try file.close()
      let error = try #require(throws: BinaryLogError.self) {
        try RecordedCalls([BinaryLogSource(opening: path)])
      }
      #expect(error.description.contains("larger than 1024 MiB"))
      #expect(error.hint?.contains("--record-size") == true)
    }
  }

  /// The numbers match those of `tripwire log`, which also counts a call without its start.
  @Test func numbersCallsLikeTheList() throws {
    let read = try Self.read(Logs.call(1) + Logs.call(2).dropFirst() + Logs.call(3))
    #expect(read.calls.map(\.number) == [1, 3])
  }
}
