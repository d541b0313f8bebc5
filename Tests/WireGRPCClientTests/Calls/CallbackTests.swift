import TestSupport
import Testing
import WireGRPC
import WireHTTP2
import WireIO

@testable import WireGRPCClient

/// Calls from the loop, without a task.
@Suite(.timeLimit(.minutes(20))) struct CallbackTests {
  /// Starts a call on the loop of a channel.
  ///
  /// - Parameter started: gets the ID of the call, on the loop.
  private func outcome(
    _ channel: Channel, _ options: CallOptions = CallOptions(timeout: .seconds(3600)),
    started: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws -> CallOutcome {
    let headers = try PreparedMetadata(options.metadata)
    return await withCheckedContinuation { continuation in
      channel.loop.execute {
        let id = channel.start(path: "/s/m", [1, 2, 3], options, headers, at: .now) { outcome in
          #expect(channel.loop.isOnLoop)
          continuation.resume(returning: outcome)
        }
        started(id)
      }
    }
  }

  @Test func returnsTheResponse() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream)] })
    let outcome = try await outcome(Channel(to: server))
    #expect(try outcome.answer().message == [7, 8])
    #expect(outcome.attempts == 1)
    #expect(await server.body() == framed([1, 2, 3]))
    await server.stop()
  }

  @Test func decompressesTheResponse() async throws {
    let zeros = [UInt8](repeating: 0, count: 10_000)
    let message = try #require(Deflater.gzip(zeros))
    let frame = [1] + bigEndian(UInt32(message.count)) + message
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(.headers(stream, okHeaders + fields(["grpc-encoding": "gzip"]))),
          .send(dataFrames(stream, frame)),
          .frames(.headers(stream, okTrailers, endStream: true)),
        ]
      })
    let outcome = try await outcome(Channel(to: server))
    #expect(try outcome.answer().message == zeros)
    await server.stop()
  }

  @Test func deadlineEndsTheCall() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let outcome = try await outcome(
      Channel(to: server), CallOptions(timeout: .milliseconds(50)))
    #expect(outcome.error?.code == .deadlineExceeded)
    await server.stop()
  }

  @Test func canBeCanceled() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    let outcome = try await outcome(channel) { channel.cancel($0) }
    #expect(outcome.error?.code == .cancelled)
    #expect(outcome.error?.origin == .local)
    await server.stop()
  }

  @Test func invalidLimitsFailTheCall() async throws {
    let channel = try Channel(target: "unix:/none")
    let negative = try await outcome(channel, CallOptions(maxReceiveMessageSize: -1))
    #expect(negative.error?.code == .internal)
    let tooLarge = try await outcome(channel, CallOptions(maxSendMessageSize: 2))
    #expect(tooLarge.error?.code == .resourceExhausted)
    #expect(tooLarge.attempts == 0)
  }

  @Test func closedChannelFailsTheCall() async throws {
    let channel = try Channel(target: "unix:/none")
    await channel.close()
    let outcome = try await outcome(channel)
    #expect(outcome.error?.code == .unavailable)
    #expect(outcome.attempts == 0)
  }
}
