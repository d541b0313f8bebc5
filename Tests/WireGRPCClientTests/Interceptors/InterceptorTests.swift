import Synchronization
import TestSupport
import Testing

@testable import WireGRPC
@testable import WireGRPCClient

@Suite(.timeLimit(.minutes(20))) struct InterceptorTests {
  private func interceptor(
    _ body: @escaping @Sendable (inout StartingCall) async throws -> Void
  ) -> any ClientInterceptor {
    ClosureInterceptor(body: body)
  }

  private func server() async throws -> ScriptedServer {
    try await ScriptedServer.start(requestScript { _, stream in [okResponse(stream)] })
  }

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
}
