import TestSupport
import Testing
import WireProtobuf
import WireSystem

@testable import Recording
@testable import WireGRPC
@testable import WireGRPCClient

@Suite(.timeLimit(.minutes(20))) struct CallRecorderTests {
  typealias Entry = BinlogGrpcLogEntry

  static var now: Timestamp {
    let now = WallTime.exact
    return Timestamp(seconds: now.seconds, nanos: now.nanoseconds)
  }

  /// Returns the entries that a recorder writes for the events in `body`.
  static func recording(
    _ filter: String = "*", _ body: (CallRecorder) -> Void
  ) async throws -> [Entry] {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.filter = try RecordingFilter(filter)
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      body(recorder)
      let report = await recorder.close()
      let entries = try Logs.read("\(folder)/log")
      #expect((report.written, report.dropped) == (entries.count, 0))
      return entries
    }
  }

  @Test func recordsACall() async throws {
    let before = Self.now
    let entries = try await Self.recording { recorder in
      RecordedCallDriver(recorder).send(
        .start(
          metadata: ["x-user": "anna", "x-raw-bin": .binary([0, 255])], timeout: .seconds(15)),
        .attempt(number: 1, peer: "10.0.0.1:443"),
        .attemptFailed(FailedAttempt(code: .unavailable, message: "", delay: .zero)),
        .attempt(number: 2, peer: "[::1]:443"),
        .message(request: [1, 2]), .requestEnd,
        .responseHeaders(["x-first": "a"]), .message(response: [3]), .message(response: []),
        .end(.success(["x-last": "z"])))
    }
    #expect(
      entries.map(\.type) == [
        .clientHeader, .clientMessage, .clientHalfClose, .serverHeader, .serverMessage,
        .serverMessage, .serverTrailer,
      ])
    #expect(entries.map(\.sequenceIdWithinCall) == [1, 2, 3, 4, 5, 6, 7])
    #expect(entries.allSatisfy { $0.callId == 1 && $0.logger == .client && !$0.payloadTruncated })
    let times = [before] + entries.compactMap(\.timestamp) + [Self.now]
    #expect(times.count == 9 && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    let peers = entries.map(\.peer)
    #expect(peers[3] == BinlogAddress(type: .ipv6, address: "::1", ipPort: 443))
    #expect(peers.compactMap { $0 }.count == 1)
    let sent = Logs.metadata([("x-user", Array("anna".utf8)), ("x-raw-bin", [0, 255])])
    #expect(
      entries[0].payload
        == .clientHeader(
          BinlogClientHeader(
            metadata: sent, methodName: "/test.Echo/Say", authority: "localhost:1",
            timeout: WireDuration(seconds: 15))))
    #expect(entries[1].payload == Logs.message([1, 2]))
    #expect(entries[2].payload == nil)
    #expect(entries[3].payload == Logs.serverHeader([("x-first", [97])]))
    #expect(entries[4].payload == Logs.message([3]))
    #expect(entries[5].payload == Logs.message([]))
    #expect(entries[6].payload == Logs.trailer(0, "", [("x-last", [122])]))
  }

  @Test func trailersOnlyResponseHasThePeerAddress() async throws {
    let entries = try await Self.recording { recorder in
      let error = CallError(
        code: .notFound, message: "no trip ☃",
        trailers: ["grpc-status-details-bin": .binary([8, 5]), "x-last": "z"], origin: .server)
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil),
        .attempt(number: 1, peer: "unix:/run/fleet.sock"), .end(.failure(error)))
    }
    #expect(entries.map(\.type) == [.clientHeader, .serverTrailer])
    #expect(entries[1].peer == BinlogAddress(type: .unix, address: "/run/fleet.sock"))
    #expect(
      entries[1].payload == Logs.trailer(5, "no trip ☃", details: [8, 5], [("x-last", [122])]))
  }

  @Test func recordsLocalFailures() async throws {
    let entries = try await Self.recording { recorder in
      let late = CallError(code: .deadlineExceeded, message: "15 s", origin: .local)
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil), .attempt(number: 1, peer: "127.0.0.1:443"),
        .end(.failure(late)))
      let never = CallError(code: .unauthenticated, message: "no token", origin: .local)
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil), .end(.failure(never)))
      let canceled = CallError(code: .cancelled, message: "", origin: .local)
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil), .end(.failure(canceled)))
      let theirs = CallError(code: .cancelled, message: "", origin: .server)
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil), .end(.failure(theirs)))
    }
    #expect(
      entries.map(\.type) == [
        .clientHeader, .serverTrailer, .clientHeader, .serverTrailer, .clientHeader, .cancel,
        .clientHeader, .serverTrailer,
      ])
    #expect(entries.map(\.callId) == [1, 1, 2, 2, 3, 3, 4, 4])
    #expect(entries.allSatisfy { $0.peer == nil })
    #expect(entries[1].payload == Logs.trailer(4, "15 s"))
    #expect(entries[3].payload == Logs.trailer(16, "no token"))
    #expect(entries[5].payload == nil)
    #expect(entries[7].payload == Logs.trailer(1))
  }

  @Test func recordsACanceledCall() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      let channel = try Channel(
        target: "unix:\(folder)/none",
        configuration: ChannelConfiguration(security: .plaintext, interceptors: [recorder]))
      let talk = MethodDescriptor<WireDuration, WireDuration>(
        service: "test.Echo", method: "Talk", kind: .bidirectional)
      let call = channel.bidirectional(talk, options: CallOptions(waitForReady: true))
      call.cancel()
      await #expect(throws: CallError.self) { for try await _ in call.responses {} }
      await channel.close()
      await recorder.close()
      #expect(try Logs.read("\(folder)/log").map(\.type) == [.clientHeader, .cancel])
    }
  }

  /// A channel without a connection, and one whose interceptor rejects the call.
  @Test func recordsTheRequestOfAnUnsentCall() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      let before = Self.now
      for isRejected in [false, true] {
        var configuration = ChannelConfiguration(
          security: .plaintext, failFast: true, interceptors: [recorder])
        if isRejected { configuration.interceptors.append(RejectingInterceptor()) }
        let channel = try Channel(target: "unix:\(folder)/none", configuration: configuration)
        let options = CallOptions(
          timeout: .seconds(15),
          metadata: ["x-user": "anna", "authorization": "Bearer hushhush"])
        _ = try? await channel.unary(path: "/test.Echo/Say", [1, 2], options: options)
        await channel.close()
      }
      await recorder.close()
      let entries = try Logs.read("\(folder)/log")
      let types: [Entry.EventType] = [
        .clientHeader, .clientMessage, .clientHalfClose, .serverTrailer,
      ]
      #expect(entries.map(\.type) == types + types)
      #expect(entries.map(\.sequenceIdWithinCall) == [1, 2, 3, 4, 1, 2, 3, 4])
      let times = [before] + entries.compactMap(\.timestamp) + [Self.now]
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      for start in [0, 4] where entries.count == 8 {
        #expect(
          entries[start].payload
            == .clientHeader(
              BinlogClientHeader(
                metadata: Logs.metadata([("x-user", Array("anna".utf8))]),
                methodName: "/test.Echo/Say", authority: "localhost",
                timeout: WireDuration(seconds: 15))))
        #expect(entries[start + 1].payload == Logs.message([1, 2]))
        #expect(entries[start + 3].peer == nil)
      }
      guard case .trailer(let trailer) = entries.last?.payload else {
        Issue.record("no trailer")
        return
      }
      // The interceptor's message contains the token of the call.
      #expect(trailer.statusCode == 16 && trailer.statusMessage.contains("******** has expired"))
    }
  }

  @Test func filterLimitsTheRecording() async throws {
    let metadata: Metadata = [
      "x-a": "12345", "grpc-trace-bin": .binary([UInt8](repeating: 1, count: 99)), "x-b": "1",
    ]
    let entries = try await Self.recording("test.Echo/Say{h:10;m:2},-test.Echo/Hush") { recorder in
      #expect(!RecordedCallDriver(recorder, path: "/test.Echo/Hush").isRecorded)
      #expect(recorder.report == RecordingReport(excludedCalls: 1))
      #expect(!RecordedCallDriver(recorder, path: "/test.Other/Say").isRecorded)
      #expect(recorder.report == RecordingReport(excludedCalls: 2, unmatchedCalls: 1))
      RecordedCallDriver(recorder).send(
        .start(metadata: metadata, timeout: nil), .message(request: [1, 2]),
        .message(request: [1, 2, 3]), .responseHeaders(["x-c": "1234567"]),
        .end(.success(["x-c": "12345678"])))
    }
    #expect(entries.map(\.payloadTruncated) == [true, false, true, false, true])
    guard case .clientHeader(let header) = entries[0].payload else {
      Issue.record("no header")
      return
    }
    #expect(header.metadata?.entry.map(\.key) == ["x-a", "grpc-trace-bin"])
    #expect(entries[2].payload == Logs.message([1, 2], length: 3))
    #expect(entries[4].payload == Logs.trailer())
  }

  @Test func messagesAreRecordedDecompressed() async throws {
    let bytes = [UInt8](repeating: 7, count: 1000)
    let gzip = try #require(Deflater.gzip(bytes))
    let entries = try await Self.recording { recorder in
      RecordedCallDriver(recorder).send(
        .start(metadata: Metadata(), timeout: nil),
        .message(response: gzip, isCompressed: true),
        .message(response: [1, 2, 3], isCompressed: true))
    }
    #expect(entries[1].payload == Logs.message(bytes) && !entries[1].payloadTruncated)
    #expect(entries[2].payload == Logs.message([], length: 3) && entries[2].payloadTruncated)
  }

  @Test func appendsToALog() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      for _ in 0..<2 {
        let recorder = try CallRecorder(to: path)
        #expect(recorder.warnings.isEmpty)
        for _ in 0..<3 { RecordedCallDriver(recorder).succeed() }
        await recorder.close()
      }
      var entries = try Logs.read(path)
      #expect(entries.map(\.callId) == (1...6).flatMap { [UInt64](repeating: $0, count: 6) })

      // As left by a killed process.
      try appendToFile(path, Logs.bytes(Logs.call(9)).dropLast(3))
      let recorder = try CallRecorder(to: path)
      #expect(recorder.warnings.map { $0.contains("is truncated after") } == [true])
      RecordedCallDriver(recorder).succeed()
      await recorder.close()
      entries = try Logs.read(path)
      #expect(entries.map(\.callId).suffix(12) == [6, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10])
    }
  }

  @Test func entriesAreWrittenBeforeClose() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      RecordedCallDriver(recorder).succeed()
      while recorder.report.written < 6 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(try Logs.read("\(folder)/log").count == 6)
      await recorder.close()
      // Late events are harmless.
      RecordedCallDriver(recorder).succeed()
      #expect(recorder.report == RecordingReport(written: 6, dropped: 6))
      #expect(await recorder.close() == RecordingReport(written: 6, dropped: 6))
    }
  }

  @Test func closeWaitsForRunningCalls() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      let call = RecordedCallDriver(recorder)
      call.send(.start(metadata: Metadata(), timeout: nil), .requestEnd)
      async let report = recorder.close(grace: .seconds(3600))
      while recorder.report.written < 2 { try await Task.sleep(for: .milliseconds(1)) }
      call.send(.end(.success(Metadata())))
      #expect(await report == RecordingReport(written: 3))
    }
  }

  @Test func closeStopsWaitingAfterTheGracePeriod() async throws {
    try await withTemporaryDirectory { folder in
      let recorder = try CallRecorder(to: "\(folder)/log")
      RecordedCallDriver(recorder).send(.start(metadata: Metadata(), timeout: nil))
      #expect(await recorder.close(grace: .milliseconds(1)) == RecordingReport(written: 1))
    }
  }

  @Test func releasedRecorderWritesItsEntries() async throws {
    try await withTemporaryDirectory { folder in
      var recorder: CallRecorder? = try CallRecorder(to: "\(folder)/log")
      if let recorder { RecordedCallDriver(recorder).succeed() }
      recorder = nil
      while (try? Logs.read("\(folder)/log"))?.count != 6 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  @Test func countsDroppedEntries() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxQueuedBytes = 5000
      let recorder = try CallRecorder(to: "\(folder)/log", options: options)
      let call = RecordedCallDriver(recorder)
      call.send(
        .start(metadata: Metadata(), timeout: nil),
        .message(request: [UInt8](repeating: 1, count: 5000)), .requestEnd)
      #expect(await recorder.close() == RecordingReport(written: 2, dropped: 1))
      #expect(try Logs.read("\(folder)/log").map(\.sequenceIdWithinCall) == [1, 3])
    }
  }

  @Test func reportsWhenTheQueueBeginsToOverflow() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxQueuedBytes = 5000
      let reasons = Locked<[String]>([])
      let recorder = try CallRecorder(to: "\(folder)/log", options: options) { event in
        reasons.withLock { $0 += event.reason.map { [$0] } ?? [] }
      }
      let call = RecordedCallDriver(recorder)
      let tooLarge = CallEvent.message(request: [UInt8](repeating: 1, count: 5001))
      call.send(tooLarge, tooLarge)
      // Nothing else is queued, and the recorder is not closed.
      while reasons.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(1)) }
      call.send(tooLarge, .message(request: [1]))
      while recorder.report.written < 1 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(reasons.withLock(\.self) == ["the queue of 5000 bytes is full"])

      call.send(.requestEnd)
      while recorder.report.written < 2 { try await Task.sleep(for: .milliseconds(1)) }
      call.send(tooLarge)
      #expect(await recorder.close() == RecordingReport(written: 2, dropped: 4))
      #expect(reasons.withLock(\.count) == 2)
    }
  }
}

private struct RejectingInterceptor: ClientInterceptor {
  func start(_ call: inout StartingCall) throws {
    throw CallError(code: .unauthenticated, message: "hushhush has expired", origin: .local)
  }
}
