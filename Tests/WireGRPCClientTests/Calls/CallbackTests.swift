import TestSupport
import Testing
import WireGRPC
import WireIO
import WireProtobuf
import WireSystem

@testable import WireGRPCClient

/// Calls from the loop, without a task.
@Suite(.timeLimit(.minutes(20))) struct CallbackTests {
  /// Starts a call on the loop of a channel.
  ///
  /// - Parameter started: gets the ID of the call, on the loop.
  private func result(
    _ channel: Channel, _ options: CallOptions = CallOptions(timeout: .seconds(3600)),
    started: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws -> UnaryResult {
    let headers = try PreparedMetadata(options.metadata)
    return await withCheckedContinuation { continuation in
      channel.loop.execute {
        let id = channel.start(path: "/s/m", [1, 2, 3], options, headers, at: .now) { result in
          #expect(channel.loop.isOnLoop)
          continuation.resume(returning: result)
        }
        started(id)
      }
    }
  }

  @Test func returnsTheResponse() async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream)] })
    let result = try await result(Channel(to: server))
    #expect(try result.get().message == [7, 8])
    #expect(try result.get().attempts == 1)
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
    let result = try await result(Channel(to: server))
    #expect(try result.get().message == zeros)
    await server.stop()
  }

  @Test func deadlineEndsTheCall() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let result = try await result(
      Channel(to: server), CallOptions(timeout: .milliseconds(50)))
    #expect(result.error?.code == .deadlineExceeded)
    await server.stop()
  }

  @Test func canBeCanceled() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    let result = try await result(channel) { channel.cancel($0) }
    #expect(result.error?.code == .cancelled)
    #expect(result.error?.origin == .local)
    await server.stop()
  }

  @Test func invalidLimitsFailTheCall() async throws {
    let channel = try Channel(target: "unix:/none")
    let negative = try await result(channel, CallOptions(maxReceiveMessageSize: -1))
    #expect(negative.error?.code == .internal)
    let tooLarge = try await result(channel, CallOptions(maxSendMessageSize: 2))
    #expect(tooLarge.error?.code == .resourceExhausted)
    #expect(tooLarge.error?.attempts == 0)
  }

  @Test func closedChannelFailsTheCall() async throws {
    let channel = try Channel(target: "unix:/none")
    await channel.close()
    let result = try await result(channel)
    #expect(result.error?.code == .unavailable)
    #expect(result.error?.attempts == 0)
  }

  // MARK: Observers

  /// Records the events of calls.
  private final class Events: CallObserver {
    let names = Locked<[String]>([])

    func observe(_ call: inout StartingCall) {
      names.withLock { $0.append("\(call.path) \(call.metadata.count)") }
      call.observe { event in
        let name: String? =
          switch event {
          case .start: "start"
          case .responseMessage: "message"
          case .end(.success): "success"
          case .end(.failure(let error)): "\(error.code)"
          default: nil
          }
        if let name { self.names.withLock { $0.append(name) } }
      }
    }
  }

  @Test(arguments: [true, false]) func observersSeeTheCall(decodes: Bool) async throws {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream)] })
    let events = Events()
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    let response = try await result(
      channel, CallOptions(timeout: .seconds(3600), metadata: ["key": "value"])
    ).get()
    #expect(events.names.withLock { $0 } == ["/s/m 1", "start", "message"])
    if decodes {
      // Bytes 7 and 8 are no message.
      #expect(throws: CallError.self) {
        let _: CallResponse<Empty> = try response.decode()
      }
    } else {
      response.skip()
    }
    #expect(events.names.withLock { $0.last } == (decodes ? "INTERNAL" : "success"))
    await server.stop()
  }

  @Test func observersSeeRefusedCalls() async throws {
    let events = Events()
    var configuration = ChannelConfiguration(security: .plaintext)
    configuration.interceptors = [events]
    let channel = try Channel(target: "unix:/none", configuration: configuration)
    _ = try await result(channel, CallOptions(maxSendMessageSize: 2))
    #expect(events.names.withLock { $0 } == ["/s/m 0", "start", "RESOURCE_EXHAUSTED"])
    await channel.close()
    _ = try await result(channel)
    #expect(events.names.withLock { $0 }.suffix(3) == ["/s/m 0", "start", "UNAVAILABLE"])
  }
}
