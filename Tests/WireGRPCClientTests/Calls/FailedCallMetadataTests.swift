import Synchronization
import TestSupport
import Testing

@testable import WireGRPC
@testable import WireGRPCClient

/// The headers and trailers in the error of a call that failed.
@Suite(.timeLimit(.minutes(4))) struct FailedCallMetadataTests {
  private let record = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Record", kind: .clientStreaming)
  private let watch = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Watch", kind: .serverStreaming)
  private let chat = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Talk", kind: .bidirectional)
  private let get = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Get", kind: .unary)

  private static let headers = RawFrame.headers(
    1, okHeaders + fields(["x-a": "1", "x-bytes-bin": "qw"]))
  private static let refusal = RawFrame.headers(
    1, fields(["grpc-status": "9", "x-b": "2"]), endStream: true)

  /// Returns a server that responds to a complete request with these frames.
  private func server(_ frames: RawFrame...) async throws -> (ScriptedServer, Channel) {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.send(frames.flatMap(\.bytes))] })
    return (server, try Channel(to: server))
  }

  private func check(_ error: CallError?) {
    #expect(error?.code == .failedPrecondition)
    #expect(error?.headers == ["x-a": "1", "x-bytes-bin": .binary([0xAB])])
    #expect(error?.trailers == ["x-b": "2"])
  }

  @Test func unaryErrorHasHeadersAndTrailers() async throws {
    let (server, channel) = try await server(Self.headers, Self.refusal)
    check(await #expect(throws: CallError.self) { try await channel.unary(get, RPCStatus()) })
    await server.stop()
  }

  @Test func clientStreamingErrorHasHeadersAndTrailers() async throws {
    let (server, channel) = try await server(Self.headers, Self.refusal)
    check(
      await #expect(throws: CallError.self) { try await channel.clientStreaming(record) { _ in } })
    await server.stop()
  }

  @Test func serverStreamingErrorHasHeadersAndTrailers() async throws {
    let (server, channel) = try await server(Self.headers, .data(1, framed([8, 5])), Self.refusal)
    check(
      await #expect(throws: CallError.self) {
        for try await _ in channel.serverStreaming(watch, RPCStatus()) {}
      })
    await server.stop()
  }

  @Test func bidirectionalErrorHasHeadersAndTrailers() async throws {
    let (server, channel) = try await server(Self.headers, Self.refusal)
    let call = channel.bidirectional(chat)
    call.requests.finish()
    check(await #expect(throws: CallError.self) { for try await _ in call.responses {} })
    check(await #expect(throws: CallError.self) { try await call.requests.send(RPCStatus()) })
    await server.stop()
  }

  @Test func trailersOnlyErrorHasNoHeaders() async throws {
    let (server, channel) = try await server(
      .headers(1, okHeaders + fields(["grpc-status": "9", "x-b": "2"]), endStream: true))
    let error = await channel.call().error
    #expect(error?.headers.isEmpty == true)
    #expect(error?.trailers == ["x-b": "2"])
    await server.stop()
  }

  @Test func httpErrorHasItsHeadersAsHeadersAndTrailers() async throws {
    let (server, channel) = try await server(
      .headers(1, fields([":status": "503", "retry-after": "7"]), endStream: true))
    let error = await channel.call().error
    #expect(error?.headers == ["retry-after": "7"])
    #expect(error?.trailers == ["retry-after": "7"])
    await server.stop()
  }

  @Test func unreadableMessageKeepsHeadersAndTrailers() async throws {
    let end = RawFrame.headers(1, fields(["grpc-status": "0", "x-b": "2"]), endStream: true)
    for flags in [0, 1] as [UInt8] {
      let headers = RawFrame.headers(
        1, okHeaders + fields(["x-a": "1", "grpc-encoding": "gzip"]))
      let message = RawFrame.data(1, [flags, 0, 0, 0, 2, 0x12, 200])
      let (server, channel) = try await server(headers, message, end)
      let unary = await #expect(throws: CallError.self) {
        try await channel.unary(get, RPCStatus())
      }
      let other = try Channel(to: server)
      let streaming = await #expect(throws: CallError.self) {
        try await other.clientStreaming(record) { _ in }
      }
      for error in [unary, streaming] {
        #expect(error?.code == .internal)
        #expect(error?.headers == ["x-a": "1"])
        #expect(error?.trailers == ["x-b": "2"])
      }
      await server.stop()
    }
  }

  @Test func deadlineKeepsReceivedHeaders() async throws {
    try await withGrowingTimeout { timeout in
      let recorder = TraceRecorder()
      let server = try await ScriptedServer.start(
        requestScript { _, _ in [.send(Self.headers.bytes)] })
      let channel = try Channel(to: server) { $0.trace = recorder.record }
      let error = await channel.call(timeout: timeout).error
      await server.stop()
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.trailers.isEmpty == true)
      guard recorder.hasResponseHeaders else { return false }
      #expect(error?.headers["x-a"] == "1")
      return true
    }
  }

  @Test func observersReceiveHeadersAndTrailers() async throws {
    let errors = Mutex<[CallError]>([])
    let (server, channel) = try await server(Self.headers, Self.refusal)
    let watching = ClosureInterceptor { call in
      call.observe {
        if case .end(.failure(let error)) = $0 { errors.withLock { $0.append(error) } }
      }
    }
    _ = await channel.call { $0.interceptors = [watching] }
    #expect(errors.withLock { $0.count } == 1)
    check(errors.withLock { $0.first })
    await server.stop()
  }

  /// Errors are thrown and passed on by value.
  @Test func callErrorIsAtMost208Bytes() {
    #expect(MemoryLayout<CallError>.size <= 208)
  }

  @Test func reportsAllInvalidMetadata() async throws {
    let channel = try Channel(target: "localhost:1")
    let metadata: Metadata = ["te": "x", "x-good": "1", "x-bin": "text", "x user": "2"]
    let error = try #require(await channel.call { $0.metadata = metadata }.error)
    #expect(error.code == .internal && error.attempts == 0)
    #expect(
      error.message == "metadata \"te\": this name is reserved for the transport; "
        + "metadata \"x-bin\": a name that ends in \"-bin\" requires a binary value, not text; "
        + "metadata \"x user\": the character U+0020 at offset 1 of the name is not one of "
        + "a-z 0-9 _ - .")
    #expect(await channel.open { $0.metadata = metadata }.rest().error?.message == error.message)
  }
}
