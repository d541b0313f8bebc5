import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient

/// Records the codes with which calls ended.
private final class CodeRecorder: Sendable {
  private let recorded = Mutex<[StatusCode]>([])

  var codes: [StatusCode] { recorded.withLock { $0 } }

  func record(_ metric: ChannelMetric) {
    guard case .callEnded(let measures) = metric else { return }
    recorded.withLock { $0.append(measures.code) }
  }
}

@Suite(.timeLimit(.minutes(20))) struct CallObserverTests {
  private static let policy = RetryPolicy(
    maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
    backoffMultiplier: 1, retryableStatusCodes: [.unavailable])

  private func server() async throws -> ScriptedServer {
    try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
  }

  @Test func reportsAUnaryCall() async throws {
    let events = EventRecorder()
    let server = try await server()
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    _ = await channel.call { $0.metadata = ["x-a": "1"] }
    #expect(
      events.all == [
        #"start ["x-a"] true"#, "> 3", "> end", "attempt 1 127.0.0.1:", "< []", "< [7, 8]", "OK []",
      ])
    await server.stop()
  }

  @Test func reportsAStream() async throws {
    let events = EventRecorder()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders + fields(["x-b": "1"])),
            .data(stream, framed([1]) + framed([2])),
            .headers(stream, fields(["grpc-status": "5", "x-c": "1"]), endStream: true))
        ]
      })
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    let call = channel.open {
      $0.timeout = nil
      $0.compression = .gzip
    }
    try await call.send([UInt8](repeating: 0, count: 1000))
    try await call.send([2])
    call.finish()
    _ = await call.rest()
    #expect(
      events.all == [
        "start [] false", "attempt 1 127.0.0.1:", "> 1000", "> 1", "> end", #"< ["x-b"]"#, "< [1]",
        "< [2]", "NOT_FOUND server /s/m",
      ])
    await server.stop()
  }

  @Test func reportsARetriedRequestOnce() async throws {
    let events = EventRecorder()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        switch stream {
        case 1: [.frames(.reset(1, .refusedStream))]
        case 3:
          [
            .frames(
              .headers(
                3, okHeaders + fields(["grpc-status": "14", "x-b": "1"]), endStream: true))
          ]
        default: [okResponse(stream)]
        }
      })
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    _ = await channel.call { $0.retryPolicy = Self.policy }
    #expect(
      events.all == [
        "start [] true", "> 3", "> end", "attempt 1 127.0.0.1:",
        "failed UNAVAILABLE: the server refused the stream", "attempt 2 127.0.0.1:",
        "failed UNAVAILABLE", "attempt 3 127.0.0.1:", "< []", "< [7, 8]", "OK []",
      ])
    await server.stop()
  }

  @Test func eventsHaveDescriptions() async throws {
    let descriptions = Mutex<[String]>([])
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        stream == 1
          ? [
            .frames(
              .headers(
                1, okHeaders + fields(["grpc-status": "14", "grpc-message": "down"]),
                endStream: true))
          ] : [okResponse(stream)]
      })
    let channel = try Channel(to: server) {
      $0.interceptors = [
        ClosureInterceptor { call in
          call.observe { event in descriptions.withLock { $0.append("\(event)") } }
        }
      ]
    }
    _ = await channel.call {
      $0.metadata = ["authorization": "Bearer x", "x-a": "1"]
      $0.retryPolicy = RetryPolicy(
        maxAttempts: 2, initialBackoff: .zero, maxBackoff: .zero, backoffMultiplier: 1,
        retryableStatusCodes: [.unavailable])
    }
    await channel.close()
    _ = await channel.call()
    #expect(
      descriptions.withLock { $0 } == [
        "start, timeout 3600.0 seconds, metadata [authorization: <redacted>, x-a: 1]",
        "request message of 3 bytes", "end of the request", "attempt 1 at \(server.target)",
        "attempt failed at \(server.target): UNAVAILABLE: down; another after 0.0 seconds",
        "attempt 2 at \(server.target)", "response headers []", "response message of 2 bytes",
        "end: OK, trailers []",
        "start, timeout 3600.0 seconds, metadata []", "request message of 3 bytes",
        "end of the request", "end: UNAVAILABLE: the channel is closed (/s/m, never sent)",
      ])
    await server.stop()
  }

  /// Observers receive the same end as the caller.
  @Test(arguments: [true, false])
  func reportsUnreadableMessages(isCompressed: Bool) async throws {
    let events = EventRecorder()
    let recorder = CodeRecorder()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        // A frame that zlib cannot decompress, or one with a truncated field.
        let headers = okHeaders + (isCompressed ? fields(["grpc-encoding": "gzip"]) : [])
        return [
          .frames(
            .headers(stream, headers),
            .data(stream, [isCompressed ? 1 : 0] + bigEndian(UInt32(1)) + [0x0A]),
            .headers(stream, okTrailers, endStream: true))
        ]
      })
    let channel = try Channel(to: server) {
      $0.interceptors = [events]
      $0.metrics = recorder.record
    }
    func method(_ kind: MethodKind) -> MethodDescriptor<RPCStatus, RPCStatus> {
      MethodDescriptor(service: "s", method: "m", kind: kind)
    }
    await #expect(throws: CallError.self) { try await channel.unary(method(.unary), RPCStatus()) }
    await #expect(throws: CallError.self) {
      try await channel.clientStreaming(method(.clientStreaming)) { _ in }
    }
    await #expect(throws: CallError.self) {
      for try await _ in channel.serverStreaming(method(.serverStreaming), RPCStatus()) {}
    }
    let talk = channel.bidirectional(method(.bidirectional))
    talk.requests.finish()
    await #expect(throws: CallError.self) { for try await _ in talk.responses {} }
    // A stream whose message was invalid is reported once the loop has reset it.
    await channel.close()
    #expect(recorder.codes == [.internal, .internal, .internal, .internal])
    #expect(events.all.filter { $0.hasPrefix("OK") || $0.hasPrefix("CANCELLED") } == [])
    #expect(events.all.filter { $0 == "INTERNAL transport /s/m" }.count == 4)
    await server.stop()
  }

  /// The caller never sees what follows an invalid message.
  @Test func doesNotReportWhatFollowsAnUnreadableMessage() async throws {
    let events = EventRecorder()
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders), .data(stream, framed([0x0A])),
            .headers(stream, fields(["grpc-status": "5"]), endStream: true))
        ]
      })
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    let method = MethodDescriptor<RPCStatus, RPCStatus>(
      service: "s", method: "m", kind: .serverStreaming)
    let error = await #expect(throws: CallError.self) {
      for try await _ in channel.serverStreaming(method, RPCStatus()) {}
    }
    #expect(error?.code == .internal)
    #expect(events.all.last == "INTERNAL transport /s/m")
    // If the caller drops the response unread, observers receive the server's status.
    for reads in [true, false] {
      let call = channel.open(.serverStreaming, [1])
      _ = try await call.headers
      if reads {
        #expect(try await call.next() == [0x0A])
        await #expect(throws: CallError.self) { try await call.next() }
      }
    }
    await channel.close()
    #expect(events.all.filter { $0 == "NOT_FOUND server /s/m" }.count == 2)
    await server.stop()
  }

  @Test func releasedStreamEndsOnce() async throws {
    let events = EventRecorder()
    let server = try await server()
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    do {
      let call = channel.open(.serverStreaming, [1])
      #expect(try await call.next() == [7, 8])
    }
    await channel.close()
    let ends = events.all.filter { $0.hasPrefix("OK") || $0.hasPrefix("CANCELLED") }
    #expect(ends.count == 1)
    await server.stop()
  }

  @Test func reportsACancellation() async throws {
    let events = EventRecorder()
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server) { $0.interceptors = [events] }
    let task = Task { await channel.call() }
    _ = await server.frame(.data)
    task.cancel()
    _ = await task.value
    #expect(events.all.last == "CANCELLED local /s/m")
    #expect(events.all.count == 5)
    await server.stop()
  }
}
