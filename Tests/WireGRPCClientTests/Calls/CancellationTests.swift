import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// `cancel()` of streaming calls.
@Suite(.timeLimit(.minutes(4))) struct CancellationTests {
  private let record = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Record", kind: .clientStreaming)
  private let watch = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Watch", kind: .serverStreaming)
  private let chat = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Talk", kind: .bidirectional)

  private static let headers = RawFrame.headers(1, okHeaders + fields(["x-a": "1"]))

  /// Returns a server that responds to a complete request with these frames.
  private func server(
    _ frames: RawFrame...
  ) async throws -> (ScriptedServer, Channel, EventRecorder) {
    let server = try await ScriptedServer.start(
      requestScript { _, _ in [.send(frames.flatMap(\.bytes))] })
    let events = EventRecorder()
    return (server, try Channel(to: server) { $0.interceptors = [events] }, events)
  }

  private func isCanceled(_ error: CallError?) -> Bool {
    error?.code == .cancelled && error?.origin == .local && error?.kind == .client
  }

  @Test func cancelsAServerStreamingCall() async throws {
    let (server, channel, events) = try await server(
      Self.headers, .data(1, framed([8, 5]) + framed([8, 6])))
    let responses = channel.serverStreaming(watch, RPCStatus())
    var codes: [Int32] = []
    let error = await #expect(throws: CallError.self) {
      for try await response in responses {
        codes.append(response.code)
        responses.cancel()
      }
    }
    #expect(codes == [5])
    #expect(isCanceled(error))
    #expect(error?.path == "/test.Service/Watch")
    #expect(error?.peer == server.target)
    #expect(error?.attempts == 1)
    #expect(error?.headers == ["x-a": "1"])
    #expect(await server.reset() == .cancel)
    #expect(events.all.last == "CANCELLED local /test.Service/Watch")
    await server.stop()
  }

  @Test func cancelWakesAWaitingReader() async throws {
    let (server, channel, _) = try await server(Self.headers)
    let responses = channel.serverStreaming(watch, RPCStatus())
    _ = try await responses.headers
    async let error = #expect(throws: CallError.self) { for try await _ in responses {} }
    responses.cancel()
    #expect(isCanceled(await error))
    await server.stop()
  }

  @Test func cancelsABidirectionalCall() async throws {
    let (server, channel, events) = try await server()
    let call = channel.bidirectional(chat)
    try await call.requests.send(RPCStatus())
    _ = await server.frame(.data)
    call.cancel()
    // Both throw at once, whether or not the loop has processed the cancellation.
    let sending = await #expect(throws: CallError.self) {
      try await call.requests.send(RPCStatus())
    }
    let reading = await #expect(throws: CallError.self) { for try await _ in call.responses {} }
    #expect(isCanceled(sending) && isCanceled(reading))
    #expect(await server.reset() == .cancel)
    #expect(events.all.last == "CANCELLED local /test.Service/Talk")
    #expect(events.all.count { $0.contains("CANCELLED") } == 1)
    await server.stop()
  }

  @Test func cancelsAClientStreamingCall() async throws {
    let (server, channel, events) = try await server(Self.headers)
    let error = await #expect(throws: CallError.self) {
      try await channel.clientStreaming(record) { writer in
        try await writer.send(RPCStatus())
        _ = await server.frame(.data)
        writer.cancel()
      }
    }
    #expect(isCanceled(error))
    #expect(await server.reset() == .cancel)
    #expect(await server.received(.data, on: 0).allSatisfy { !$0.has(.endStream) })
    #expect(events.all.last == "CANCELLED local /test.Service/Record")
    await server.stop()
  }

  /// Repeated, because the error needs the caller's thread and the loop to act at the same time.
  @Test func canceledRequestIsNeverComplete() async throws {
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server)
    for _ in 0..<500 {
      let error = await #expect(throws: CallError.self) {
        try await channel.clientStreaming(record) { writer in
          writer.cancel()
          writer.finish()
        }
      }
      #expect(isCanceled(error))
    }
    await channel.close()
    #expect(await server.received(.data, on: 0).isEmpty)
    await server.stop()
  }

  @Test func cancelIsIdempotent() async throws {
    let (server, channel, events) = try await server(Self.headers)
    let call = channel.bidirectional(chat)
    _ = await server.frame(.headers)
    for _ in 0..<3 { call.cancel() }
    call.requests.cancel()
    call.responses.cancel()
    #expect(isCanceled(await #expect(throws: CallError.self) { try await call.responses.headers }))
    call.cancel()
    await channel.close()
    #expect(await server.received(.resetStream, on: 0).map { $0.number() } == [8])
    #expect(events.all.count { $0.contains("CANCELLED") } == 1)
    await server.stop()
  }

  @Test func cancelsAnUnsentCall() async throws {
    let channel = try Channel(
      target: "unix:/nonexistent", configuration: ChannelConfiguration(security: .plaintext))
    let responses = channel.serverStreaming(
      watch, RPCStatus(), options: CallOptions(waitForReady: true))
    responses.cancel()
    let error = await #expect(throws: CallError.self) { for try await _ in responses {} }
    #expect(isCanceled(error))
    #expect(error?.attempts == 0)
  }

  @Test func cancelHasNoEffectAfterTheEnd() async throws {
    let (server, channel, events) = try await server(
      Self.headers, .data(1, framed([8, 5])), .headers(1, okTrailers, endStream: true))
    let responses = channel.serverStreaming(watch, RPCStatus())
    while responses.trailers == nil { await Task.yield() }
    responses.cancel()
    var codes: [Int32] = []
    for try await response in responses { codes.append(response.code) }
    responses.cancel()
    #expect(codes == [5])
    #expect(responses.trailers?.isEmpty == true)
    #expect(events.all.last == "OK []")
    await channel.close()
    #expect(await server.received(.resetStream, on: 0).isEmpty)
    await server.stop()
  }
}
