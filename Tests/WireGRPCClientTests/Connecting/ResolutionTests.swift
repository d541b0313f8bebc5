import Synchronization
import TestSupport
import Testing

@testable import WireGRPCClient
@testable import WireIO

/// Names whose addresses change, and name servers that do not answer.
@Suite(.timeLimit(.minutes(20))) struct ResolutionTests {
  /// Creates a channel to a name that resolves to these results in turn, and then always to the
  /// last.
  private func channel(
    _ answers: [Result<[SocketAddress], ResolverError>],
    _ change: (inout ChannelConfiguration) -> Void = { _ in }
  ) throws -> Channel {
    let resolutions = Mutex(0)
    var configuration = ChannelConfiguration(
      security: .plaintext, proxy: .none, connectTimeout: .seconds(3600), failFast: true)
    configuration.resolve = { _, _ throws(ResolverError) in
      let turn = resolutions.withLock { count in
        count += 1
        return count
      }
      return try answers[min(turn, answers.count) - 1].get()
    }
    change(&configuration)
    return try Channel(target: "name.test:1", configuration: configuration)
  }

  private func hang(_ configuration: inout ChannelConfiguration) {
    configuration.resolve = { host, _ throws(ResolverError) in
      try? await Task.sleep(for: .seconds(3600))
      throw ResolverError(kind: .canceled, host: host, reason: "canceled")
    }
  }

  @Test func resolvesAgainWhenTheConnectionIsLost() async throws {
    let old = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, [1])] })
    let new = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, [2])] })
    let channel = try channel([.success([old.address]), .success([new.address])])
    #expect(await channel.call().message == [1])
    #expect(await channel.call().message == [1])
    await old.stop()
    while true {
      // The loss may be noticed by a call, or earlier.
      let outcome = await channel.call()
      guard outcome.error != nil else {
        #expect(outcome.message == [2])
        break
      }
    }
    await new.stop()
  }

  @Test func resolvesAgainWhenTheAddressIsDead() async throws {
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try channel([
      .success([.closed]), .success([server.address]),
    ]) { $0.failFast = false }
    let outcome = await channel.call { $0.waitForReady = true }
    #expect(outcome.message == [7, 8])
    await server.stop()
  }

  @Test(arguments: [ResolverError.Kind.temporary, .system])
  func dialsTheLastAddressesWithoutANameServer(_ kind: ResolverError.Kind) async throws {
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        connection == 0
          ? [okResponse(stream), .frames(.goAway(last: 1)), .close] : [okResponse(stream)]
      })
    let failure = ResolverError(kind: kind, host: "name.test", reason: "try again")
    let channel = try channel([.success([server.address]), .failure(failure)])
    #expect(await channel.call().message == [7, 8])
    await server.end(of: 0)
    #expect(await channel.call().message == [7, 8])
    #expect(await server.connections == 2)
    await server.stop()
  }

  @Test func reportsANameThatNoLongerExists() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream), .frames(.goAway(last: 1)), .close] })
    let failure = ResolverError(kind: .notFound, host: "name.test", reason: "no such name")
    let channel = try channel([.success([server.address]), .failure(failure)])
    #expect(await channel.call().message == [7, 8])
    await server.end(of: 0)
    let error = try #require(await channel.call().error)
    #expect(error.connectionFailure?.reason == .nameNotResolved)
    await server.stop()
  }

  @Test func limitsResolutionByTheConnectTimeout() async throws {
    let channel = try channel([]) {
      hang(&$0)
      $0.connectTimeout = .milliseconds(50)
    }
    let error = try #require(await channel.call().error)
    #expect(error.code == .unavailable)
    #expect(error.connectionFailure?.reason == .timedOut)
    #expect(error.message.contains("was not resolved within"), "\(error)")
  }

  @Test func hangingNameServerDoesNotDelayClosing() async throws {
    let channel = try channel([]) { hang(&$0) }
    let call = Task { await channel.call() }
    _ = await channel.call(timeout: .milliseconds(50))
    await channel.close()
    #expect(await call.value.error?.message.contains("the channel is closed") == true)
  }

  @Test func silentAddressDoesNotDelayTheNext() async throws {
    let silent = try await ScriptedServer.start { _, _ in [] }
    let server = try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
    let channel = try channel([.success([silent.address, server.address])])
    #expect(await channel.call().message == [7, 8])
    await silent.end(of: 0)
    await silent.stop()
    await server.stop()
  }
}
