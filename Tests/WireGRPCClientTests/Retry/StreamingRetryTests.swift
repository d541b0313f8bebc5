import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPCClient

/// Streaming calls that the server never acted on.
@Suite(.timeLimit(.minutes(20))) struct StreamingRetryTests {
  @Test func resendsSentMessages() async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in [okResponse(stream)] })
    let channel = try Channel(to: server)
    let call = channel.open()
    try await call.send([1])
    _ = await server.frame(.data)
    try await call.send([2])
    await server.act(0, .frames(.goAway(last: 0)))
    _ = await server.frame(.headers, on: 1)
    try await call.send([3])
    call.finish()
    #expect(await call.rest().messages == [[7, 8]])
    #expect(call.attempts == 2)
    #expect(await server.body(on: 1) == framed([1]) + framed([2]) + framed([3]))
    await server.stop()
  }

  @Test func resendsACompleteRequest() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1 ? [.frames(.reset(1, .refusedStream))] : [okResponse(stream)]
      })
    let channel = try Channel(to: server)
    let call = channel.open(.serverStreaming, [1, 2])
    #expect(await call.rest().messages == [[7, 8]])
    #expect(call.attempts == 2)
    #expect(await server.body(3) == framed([1, 2]))
    await server.stop()
  }

  @Test func commitsAboveTheBufferLimit() async throws {
    let server = try await ScriptedServer.start(
      frameScript(settings: .settings((4, 1_000_000))) { _, frame in
        frame.kind == .headers ? [.frames(.windowUpdate(0, 1_000_000))] : []
      })
    let channel = try Channel(to: server)
    let call = channel.open()
    for _ in 0..<30 { try await call.send([UInt8](repeating: 1, count: 10_000)) }
    await server.receive(30 * 10_005)
    await server.act(0, .frames(.goAway(last: 0)))
    let error = await call.rest().error
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("256 KiB") == true, "\(error as Any)")
    #expect(error?.attempts == 1)
    await server.stop()
  }

  @Test func responseCommitsTheCall() async throws {
    let server = try await ScriptedServer.start(
      frameScript { _, frame in frame.kind == .headers ? [.frames(.headers(1, okHeaders))] : [] })
    let channel = try Channel(to: server)
    let call = channel.open()
    _ = try await call.headers
    await server.act(0, .frames(.goAway(last: 0)))
    #expect(await call.rest().error?.code == .unavailable)
    #expect(await server.connections == 1)
    await server.stop()
  }
}
