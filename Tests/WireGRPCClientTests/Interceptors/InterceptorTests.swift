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

@Suite(.timeLimit(.minutes(20))) struct InterceptorTests {
  private static let policy = RetryPolicy(
    maxAttempts: 3, initialBackoff: .milliseconds(1), maxBackoff: .milliseconds(1),
    backoffMultiplier: 1, retryableStatusCodes: [.unavailable])

  private func interceptor(
    _ body: @escaping @Sendable (inout StartingCall) async throws -> Void
  ) -> any ClientInterceptor {
    ClosureInterceptor(body: body)
  }

  private func server() async throws -> ScriptedServer {
    try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
  }

  // MARK: Before the call

  @Test func runsChannelInterceptorsFirst() async throws {
    let recorder = TraceRecorder()
    let server = try await server()
    func adding(_ value: String) -> any ClientInterceptor {
      interceptor { call in
        await Task.yield()
        try call.metadata.append("x-order", value)
      }
    }
    let channel = try Channel(to: server) {
      $0.interceptors = [adding("1"), adding("2")]
      $0.trace = recorder.record
    }
    let outcome = await channel.call {
      $0.metadata = ["x-order": "0"]
      $0.interceptors = [adding("3")]
    }
    #expect(outcome.message == [7, 8])
    let call = channel.open(.serverStreaming, [1]) { $0.interceptors = [adding("3")] }
    #expect(await call.rest().messages == [[7, 8]])
    let orders = recorder.events.compactMap { event -> String? in
      guard case .requestHeaders(let headers) = event.step else { return nil }
      return headers.filter { $0.name == "x-order" }.map(\.value).joined()
    }
    #expect(orders == ["0123", "123"])
    await server.stop()
  }

  @Test func interceptorsSeeTheCall() async throws {
    let channel = try Channel(
      target: "localhost:1", configuration: ChannelConfiguration(authority: "fleet.example"))
    let seen = Mutex<[String]>([])
    let inspecting = interceptor { call in
      let line =
        "\(call.path) \(call.kind) \(call.authority) \(call.timeout.map { "\($0)" } ?? "-")"
      seen.withLock { $0.append(line) }
      throw CallError(code: .unavailable, message: "enough", origin: .local)
    }
    let outcome = await channel.call(timeout: .seconds(9)) { $0.interceptors = [inspecting] }
    #expect(outcome.error?.code == .unavailable)
    _ = await channel.open(timeout: nil) { $0.interceptors = [inspecting] }.rest()
    #expect(
      seen.withLock { $0 } == [
        "/s/m unary fleet.example 9.0 seconds", "/s/m bidirectional fleet.example -",
      ])
  }

  @Test func interceptorsCanChangeTheTimeout() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let shortening = interceptor { $0.timeout = .milliseconds(50) }
    let channel = try Channel(to: server) { $0.interceptors = [shortening] }
    #expect(await channel.call(timeout: nil).error?.code == .deadlineExceeded)
    #expect(await channel.open(timeout: nil).rest().error?.code == .deadlineExceeded)
    await server.stop()
  }

  /// The timeout also applies to decompression after the original timeout.
  @Test func changedTimeoutAppliesToTheCall() async throws {
    let message = Deflater.gzip([UInt8](repeating: 0, count: 1000)) ?? []
    let server = try await ScriptedServer.start(
      requestScript { _, stream in
        [
          .frames(
            .headers(stream, okHeaders + fields(["grpc-encoding": "gzip"])),
            .data(stream, [1] + bigEndian(UInt32(message.count)) + message),
            .headers(stream, okTrailers, endStream: true))
        ]
      })
    let unlimited = interceptor { $0.timeout = nil }
    let channel = try Channel(to: server) { $0.interceptors = [unlimited] }
    try await withGrowingTimeout { timeout in
      let call = channel.open(.serverStreaming, [1], timeout: timeout)
      let end = ContinuousClock.now + timeout
      // The interceptor itself is limited by the original timeout.
      guard try await call.headersAreInTime() else { return false }
      try await Task.sleep(until: end, clock: .continuous)
      #expect(try await call.next()?.count == 1000)
      return true
    }
    await server.stop()
  }

  @Test func timeoutLimitsInterceptors() async throws {
    let channel = try Channel(target: "localhost:1")
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let stuck = interceptor { _ in await uncancellable.wait() }
    let outcome = await channel.call(timeout: .milliseconds(20)) { $0.interceptors = [stuck] }
    #expect(outcome.error?.code == .deadlineExceeded)
    #expect(outcome.error?.message.contains("the tester") == true)
    let call = channel.open(timeout: .milliseconds(20)) { $0.interceptors = [stuck] }
    #expect(await call.rest().error?.code == .deadlineExceeded)
  }

  @Test func cancelsInterceptorsWithTheCall() async throws {
    let channel = try Channel(target: "localhost:1")
    let (cancellations, continuation) = AsyncStream<Void>.makeStream()
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let stuck = interceptor { _ in
      await withTaskCancellationHandler {
        await uncancellable.wait()
      } onCancel: {
        continuation.yield()
      }
    }
    var iterator = cancellations.makeAsyncIterator()
    let task = Task { await channel.call { $0.interceptors = [stuck] } }
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
    await iterator.next()
    let call = channel.open { $0.interceptors = [stuck] }
    call.cancel()
    #expect(await call.rest().error?.code == .cancelled)
    await iterator.next()
  }

  /// gRFC A54: their errors must not be mistaken for the server's.
  @Test func errorsOfInterceptorsEndTheCall() async throws {
    struct Odd: Error {}
    let channel = try Channel(target: "localhost:1")
    for (thrown, code) in [
      (CallError(code: .notFound, message: "no key", origin: .server), .internal),
      (CallError(code: .permissionDenied, message: "no key", origin: .local), .permissionDenied),
      (Odd(), .internal), (CancellationError(), .cancelled),
    ] as [(any Error, StatusCode)] {
      let throwing = interceptor { _ in throw thrown }
      let outcome = await channel.call { $0.interceptors = [throwing] }
      #expect(outcome.error?.code == code, "\(thrown)")
      #expect(outcome.error?.origin == .local)
      let call = channel.open { $0.interceptors = [throwing] }
      let error = await call.rest().error
      #expect(error?.code == code, "\(thrown)")
      for case let error? in [outcome.error, error] {
        #expect(error.underlyingError.map { type(of: $0) == type(of: thrown) } ?? true)
        #expect((error.underlyingError == nil) == (thrown is CancellationError))
      }
    }
  }

  @Test func checksMetadataOfInterceptors() async throws {
    let channel = try Channel(target: "localhost:1")
    let wrong = interceptor { $0.metadata = ["te": "trailers"] }
    #expect(await channel.call { $0.interceptors = [wrong] }.error?.code == .internal)
    #expect(await channel.open { $0.interceptors = [wrong] }.rest().error?.code == .internal)
  }

  @Test func keepsMessagesSentWhileInterceptorsRun() async throws {
    let server = try await server()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let waiting = interceptor { _ in for await _ in gate {} }
    let channel = try Channel(to: server) { $0.interceptors = [waiting] }
    let call = channel.open()
    try await call.send([1])
    try await call.send([2])
    call.finish()
    opening.finish()
    #expect(await call.rest().messages == [[7, 8]])
    #expect(await server.body() == framed([1]) + framed([2]))
    await server.stop()
  }

  // MARK: Observers

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
        interceptor { call in
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
