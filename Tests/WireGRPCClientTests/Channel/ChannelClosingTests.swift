import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

@Suite(.timeLimit(.minutes(20))) struct ChannelClosingTests {
  @Test func closeWaitsForCalls() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in stream == 1 ? [] : [okResponse(stream)] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.data)
    async let closed: Void = channel.close()
    // New calls fail, but the call in flight continues.
    while await channel.call().error?.message.contains("closed") != true {}
    await server.act(0, okResponse(1))
    #expect(await outcome.message == [7, 8])
    await closed
    await server.end(of: 0)
    #expect(await server.received(.goAway, on: 0).count == 1)
    let late = await channel.call()
    #expect(late.error?.code == .unavailable)
    #expect(late.attempts == 0)
    await channel.close()
    await server.stop()
  }

  @Test func closeCancelsCallsAfterTheGracePeriod() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.data)
    await channel.close(grace: .milliseconds(100))
    let error = try #require(await outcome.error)
    #expect(error.code == .cancelled)
    #expect(error.message.contains("the channel was closed"), "\(error)")
    let reset = await server.frame(.resetStream)
    #expect(reset.number() == HTTP2ErrorCode.cancel.rawValue)
    await server.end(of: 0)
    await server.stop()
  }

  /// A reader that waits for messages, and a writer that waits for the server's window.
  @Test func closeCancelsStreamsAfterTheGracePeriod() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    async let readError = channel.open(.serverStreaming, [1]).rest().error
    async let writeError = Task {
      let call = channel.open(.clientStreaming)
      while true {
        if let error = await call.sendError([UInt8](repeating: 0, count: 9_000)) { return error }
      }
    }.value
    await server.receive(2, .headers)
    await channel.close(grace: .zero)
    #expect(await readError?.code == .cancelled)
    #expect(await writeError.code == .cancelled)
    await server.end(of: 0)
    await server.stop()
  }

  /// The interceptor ignores cancellation, and the calls have no deadline.
  @Test func closeEndsCallsThatWaitForAnInterceptor() async throws {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let (starts, start) = AsyncStream<Void>.makeStream()
    let channel = try Channel(
      target: "localhost:1",
      configuration: ChannelConfiguration(
        security: .plaintext,
        interceptors: [
          ClosureInterceptor { _ in
            start.yield()
            await uncancellable.wait()
          }
        ]))
    async let unary = channel.call(timeout: nil).error
    async let stream = channel.open(.serverStreaming, [1], timeout: nil).rest().error
    var iterator = starts.makeAsyncIterator()
    for _ in 0..<2 { await iterator.next() }
    await channel.close()
    for error in [await unary, await stream] {
      #expect(error?.code == .unavailable && error?.kind == .client)
    }
  }

  @Test func cancelingTheCloseEndsTheGracePeriod() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.data)
    let close = Task { await channel.close(grace: .seconds(3600)) }
    close.cancel()
    await close.value
    #expect(await outcome.error?.code == .cancelled)
    await server.end(of: 0)
    await server.stop()
  }

  @Test func earliestGracePeriodCounts() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    async let outcome = channel.call()
    _ = await server.frame(.data)
    async let later: Void = channel.close(grace: .seconds(Int64.max))
    await channel.close(grace: .zero)
    await later
    #expect(await outcome.error?.code == .cancelled)
    await server.stop()
  }

  @Test func releasedStreamReleasesItsChannel() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    weak var dropped: Channel?
    do {
      let channel = try Channel(to: server)
      dropped = channel
      let call = channel.open(path: "/s/m", kind: .bidirectional, options: CallOptions())
      try await call.send([1])
      _ = await server.frame(.data)
    }
    #expect(dropped == nil)
    await server.end(of: 0)
    await server.stop()
  }

  @Test func closesBeforeAnyCall() async throws {
    let channel = try Channel(target: "localhost:1")
    await channel.close()
    await channel.close()
    #expect(await channel.call().error?.code == .unavailable)
  }

  @Test func releasedChannelClosesItsConnection() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    weak var dropped: Channel?
    do {
      let channel = try Channel(to: server)
      dropped = channel
      #expect(await channel.call().message == [7, 8])
    }
    #expect(dropped == nil)
    await server.end(of: 0)
    await server.stop()
  }

  @Test func closedChannelIsAClientError() async throws {
    let channel = try Channel(target: "localhost:1")
    await channel.close()
    let error = await channel.call().error
    #expect(error?.code == .unavailable)
    #expect(error?.kind == .client)
    #expect(await channel.open().rest().error?.kind == .client)
  }
}
