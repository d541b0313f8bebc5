import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Compressed requests and responses, over a real socket.
@Suite(.timeLimit(.minutes(20))) struct CompressionTests {
  private let zeros = [UInt8](repeating: 0, count: 10_000)

  /// Returns the messages in a body, and whether they were compressed.
  private func messages(_ body: [UInt8]) throws -> [(isCompressed: Bool, bytes: [UInt8])] {
    var deframer = MessageDeframer(limit: .max)
    var rest = body[...]
    var found: [(Bool, [UInt8])] = []
    while let message = try deframer.receive(&rest) {
      found.append((message.isCompressed, try message.decompressed(limit: 1 << 20)))
    }
    #expect(rest.isEmpty)
    return found
  }

  @Test func compressesRequestsIfThatMakesThemShorter() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    for message in [zeros, [1, 2, 3]] {
      let outcome = await channel.call(message) { $0.compression = .gzip }
      #expect(outcome.message == [7, 8])
    }
    let long = try messages(await server.body(1))
    #expect(long.map(\.isCompressed) == [true])
    #expect(long.map(\.bytes) == [zeros])
    #expect(await server.body(1).count < 100)
    #expect(await server.body(3) == framed([1, 2, 3]))
    let codings = recorder.events.compactMap { event -> String? in
      guard case .requestHeaders(let headers) = event.step else { return nil }
      return headers.first { $0.name == "grpc-encoding" }?.value
    }
    #expect(codings == ["gzip", "gzip"])
    await server.stop()
  }

  @Test func compressesEachMessageSeparately() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let call = channel.open { $0.compression = .gzip }
    for message in [zeros, [1], zeros] { try await call.send(message) }
    try await call.send(zeros, compresses: false)
    try await call.send(zeros)
    call.finish()
    #expect(await call.rest().messages == [[7, 8]])
    let sent = try messages(await server.body())
    #expect(sent.map(\.isCompressed) == [true, false, true, false, true])
    #expect(sent.map(\.bytes) == [zeros, [1], zeros, zeros, zeros])
    await server.stop()
  }

  @Test func compressesRetries() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1 ? [.frames(.reset(1, .refusedStream))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    #expect(await channel.call(zeros) { $0.compression = .gzip }.attempts == 2)
    #expect(try messages(await server.body(3)).map(\.bytes) == [zeros])
    await server.stop()
  }

  @Test func limitAppliesToTheUncompressedMessage() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let outcome = await channel.call(zeros) {
      $0.compression = .gzip
      $0.maxSendMessageSize = 9_999
    }
    #expect(outcome.error?.code == .resourceExhausted)
    await server.stop()
  }

  // MARK: Responses

  private func server(answering message: [UInt8]) async throws -> ScriptedServer {
    let frame = [1] + bigEndian(UInt32(message.count)) + message
    return try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(.headers(stream, okHeaders + fields(["grpc-encoding": "gzip"]))),
          .send(dataFrames(stream, frame)),
          .frames(.headers(stream, okTrailers, endStream: true)),
        ]
      })
  }

  @Test(arguments: [true, false])
  func decompressesResponses(onLoop: Bool) async throws {
    let server = try await server(answering: try #require(Deflater.gzip(zeros)))
    let channel = try Channel(to: server)
    let task =
      onLoop
      ? Task(executorPreference: channel.executor) { await channel.call() }
      : Task { await channel.call() }
    #expect(await task.value.message == zeros)
    await server.stop()
  }

  @Test func invalidCompressedResponseIsInternal() async throws {
    let server = try await server(answering: [1, 2, 3])
    let channel = try Channel(to: server)
    let outcome = await channel.call()
    #expect(outcome.error?.code == .internal)
    #expect(outcome.error?.message.contains("cannot be decompressed") == true)
    #expect(outcome.attempts == 1)
    #expect(outcome.error?.peer == server.target)
    await server.stop()
  }

  @Test func limitsTheDecompressedSize() async throws {
    let server = try await server(answering: try #require(Deflater.gzip(zeros)))
    let channel = try Channel(to: server)
    let outcome = await channel.call { $0.maxReceiveMessageSize = 9_999 }
    #expect(outcome.error?.code == .resourceExhausted)
    await server.stop()
  }

  @Test func deadlineAppliesToDecompression() {
    let message = MessageDeframer.Message(
      isCompressed: true, bytes: Deflater.gzip(zeros) ?? [])
    let error = #expect(throws: CallError.self) {
      try message.decompressed(limit: 1 << 20, until: .now)
    }
    #expect(error?.code == .deadlineExceeded)
  }
}
