import Synchronization
import TestSupport
import Testing
import WireHTTP2

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

/// Records the trace events of a channel.
final class TraceRecorder: Sendable {
  private let recorded = Mutex<[TraceEvent]>([])
  private let (stream, continuation) = AsyncStream.makeStream(of: TraceEvent.self)

  var events: [TraceEvent] { recorded.withLock { $0 } }

  var hasResponseHeaders: Bool {
    events.contains { if case .responseHeaders = $0.step { true } else { false } }
  }

  func record(_ event: TraceEvent) {
    recorded.withLock { $0.append(event) }
    continuation.yield(event)
  }

  /// Waits for a retry. Call it at most once.
  func waitForRetry() async {
    for await event in stream {
      if case .retry = event.step { return }
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct TraceTests {
  /// Returns the case of the step, "requestHeaders".
  private func name(_ event: TraceEvent) -> String {
    Mirror(reflecting: event.step).children.first?.label ?? ""
  }

  private func trace(
    _ answer: ScriptedServer.Action = okResponse(1), metadata: Metadata = Metadata()
  ) async throws -> [TraceEvent] {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(requestScript { _, _ in [answer] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    _ = await channel.call { $0.metadata = metadata }
    await channel.close()
    await server.stop()
    return recorder.events
  }

  @Test func reportsAllStepsInOrder() async throws {
    let events = try await trace()
    let steps = events.filter { name($0) != "frame" }
    #expect(
      steps.map(name) == [
        "connecting", "connected", "ready", "requestHeaders", "requestMessage", "responseHeaders",
        "responseMessage", "trailers", "finished", "closed",
      ])
    #expect(steps.map(\.call) == [nil, nil, nil, 1, 1, 1, 1, 1, 1, nil])
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test func connectionThatWasNeverOpenIsNotClosed() async throws {
    let recorder = TraceRecorder()
    var configuration = ChannelConfiguration(security: .plaintext)
    configuration.trace = recorder.record
    let channel = try Channel(
      target: SocketAddress.closed.description, configuration: configuration)
    _ = await channel.call()
    await channel.close()
    let steps = recorder.events.map(name)
    #expect(steps.contains("connectFailed") && !steps.contains("closed"), "\(steps)")
  }

  @Test func reportsFramesInBothDirections() async throws {
    let frames = try await trace().compactMap { event -> String? in
      guard case .frame(let direction, let text) = event.step else { return nil }
      return "\(direction) \(text.prefix { $0 != " " })"
    }
    for frame in ["sent SETTINGS", "received SETTINGS", "sent DATA", "received DATA"] {
      #expect(frames.contains(frame), "\(frames)")
    }
  }

  @Test func redactsCredentialsInBothDirections() async throws {
    var metadata: Metadata = [
      "authorization": "Bearer hidden", "x-api-key": "hidden", "x-shown": "shown",
    ]
    try metadata.append("x-pin", "hidden", isSensitive: true)
    let answer = ScriptedServer.Action.frames(
      .headers(1, okHeaders + [HeaderField("set-cookie", "hidden")]),
      .headers(1, okTrailers, endStream: true))
    let events = try await trace(answer, metadata: metadata)
    #expect(!"\(events)".contains("hidden"))
    let headers = events.flatMap { event -> [TraceEvent.Header] in
      switch event.step {
      case .requestHeaders(let headers), .responseHeaders(let headers): headers
      default: []
      }
    }
    for name in ["authorization", "x-api-key", "x-pin", "set-cookie"] {
      #expect(headers.contains(TraceEvent.Header(name: name, value: "<redacted>")))
    }
    #expect(headers.contains(TraceEvent.Header(name: "x-shown", value: "shown")))
  }

  /// The server receives three calls, and echoes the tokens of the first two in each response.
  @Test func masksEchoedCredentials() async throws {
    let tokens = ["an-opaque-one-of-anna", "whispered-to-berta"]
    let echo = tokens.joined(separator: ", ")
    let more = fields([
      "x-echo": echo, "x-echo-bin": Base64.encode([1] + Array(echo.utf8)), "grpc-message": echo,
      "grpc-status": "14", "grpc-retry-pushback-ms": "0",
    ])
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(
      requestScript { connection, stream in
        [
          .frames(.headers(stream, fields([":status": "103", "x-echo": echo]))),
          .frames(.headers(stream, okHeaders + more, endStream: true)),
        ] + (stream == 5 ? [.frames(.goAway(last: 5, .enhanceYourCalm, debug: echo)), .close] : [])
      })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    var errors: [CallError] = []
    for token in [tokens[0], tokens[1], tokens[1]] {
      let outcome = await channel.call { options in
        options.metadata = ["authorization": .text("Bearer " + token), "x-user": "anna"]
        options.retryPolicy = RetryPolicy(
          maxAttempts: 2, initialBackoff: .zero, maxBackoff: .zero, backoffMultiplier: 1,
          retryableStatusCodes: [.unavailable])
      }
      errors += [outcome.error].compactMap { $0 }
    }
    await channel.close()
    await server.stop()
    // Each error masks the token of its own call.
    for (error, token) in zip(errors, [tokens[0], tokens[1], tokens[1]]) {
      #expect(!"\(error)".contains(token) && error.earlierAttempts.count == 1)
      #expect(error.message.contains(String(repeating: "*", count: token.utf8.count)))
    }
    let events = recorder.events
    #expect(errors.count == 3 && !"\(events)".contains(tokens[0]))
    let steps = events.map { "\($0.step)" }
    #expect(steps.contains { $0.contains("x-echo: *****") && $0.hasPrefix("informational") })
    #expect(steps.contains { $0.contains("GOAWAY: ") && $0.contains("*****") })
    let values = events.flatMap { event -> [String] in
      guard case .trailers(let headers) = event.step else { return [] }
      return headers.filter { $0.name == "x-echo-bin" }.map(\.value)
    }
    let shown = values.compactMap { Base64.decode($0) }.map { String(decoding: $0, as: UTF8.self) }
    #expect(shown.count == 6 && shown.allSatisfy { !$0.contains(tokens[0]) })
    #expect(shown.last == "\u{1}" + echo.map { $0 == "," || $0 == " " ? String($0) : "*" }.joined())
  }

  @Test func stepsHaveDescriptions() async throws {
    let events = try await trace(metadata: ["x-a": "1"])
    let steps = events.map { "\($0.step)" }
    let address = try #require(
      events.compactMap { event -> String? in
        if case .connected(let address) = event.step { address } else { nil }
      }.first)
    for step in [
      "connecting to \(address)", "connected to \(address)",
      "HTTP/2 ready at \(address) (any number of concurrent calls)", "request message of 3 bytes",
      "response headers [:status: 200, content-type: application/grpc]",
      "response message of 2 bytes", "trailers [grpc-status: 0]", "finished with OK",
    ] {
      #expect(steps.contains(step), "\(steps)")
    }
    #expect(steps.contains { $0.hasPrefix("request headers [:method: POST, ") })
    #expect(steps.contains { $0.hasPrefix("sent SETTINGS ") })
  }

  /// Two calls whose frames alternate.
  @Test func eventsOfAStreamHaveTheNumberOfItsCall() async throws {
    let recorder = TraceRecorder()
    let server = try await ScriptedServer.start(frameScript { _, _ in [] })
    let channel = try Channel(to: server) { $0.trace = recorder.record }
    let calls = [
      channel.open(path: "/s/A", kind: .bidirectional, options: CallOptions()),
      channel.open(path: "/s/B", kind: .bidirectional, options: CallOptions()),
    ]
    for call in calls + calls { try await call.send([1]) }
    _ = await server.frame(.data) { $0.stream == 1 }
    _ = await server.frame(.data) { $0.stream == 3 }
    await server.act(0, .frames(.headers(1, okHeaders), .headers(3, okHeaders)))
    for call in calls { _ = try await call.headers }
    await server.act(0, trailersAction(3))
    _ = await calls[1].rest()
    calls[0].cancel()
    _ = await calls[0].rest()
    await channel.close()
    await server.stop()

    let events = recorder.events
    #expect(events.allSatisfy { $0.path == [nil, "/s/A", "/s/B"][Int($0.call ?? 0)] })
    for event in events {
      guard case .frame(_, let text) = event.step else { continue }
      let stream = text.split(separator: " ").first { $0.hasPrefix("stream=") }
      #expect(event.call == ["stream=1": 1, "stream=3": 2][stream ?? ""], "\(event)")
    }
    let lines = events.map(\.description)
    for line in [
      "[1 A] > [1 byte]", "[1 A] } RST_STREAM stream=1 length=4", "[2 B] < grpc-status: 0",
      "[2 B] * finished with OK", "[1 A] * finished with CANCELLED",
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
    #expect(lines.contains { $0.hasPrefix("[2 B] > :method: POST\n[2 B] > :scheme: http\n") })
    #expect(lines.contains("[2 B] < :status: 200\n[2 B] < content-type: application/grpc"))
    #expect(lines.contains { $0.hasPrefix("* HTTP/2 ready at ") })
    #expect(lines.contains { $0.hasPrefix("{ SETTINGS stream=0") })
  }

  private func trailersAction(_ stream: Int) -> ScriptedServer.Action {
    .frames(.headers(stream, okTrailers, endStream: true))
  }

  @Test func reportsMessageSizes() async throws {
    let events = try await trace(okResponse(1, [1, 2, 3, 4]))
    #expect(
      events.contains { if case .requestMessage(bytes: 3) = $0.step { true } else { false } })
    #expect(
      events.contains {
        if case .responseMessage(bytes: 4, decompressed: 4) = $0.step { true } else { false }
      })
  }

  @Test func reportsAFailureToConnect() async throws {
    let recorder = TraceRecorder()
    let channel = try Channel(
      target: "ipv4:127.0.0.1:1",
      configuration: ChannelConfiguration(
        security: .plaintext, failFast: true, trace: recorder.record))
    _ = await channel.call()
    #expect(recorder.events.map(name).contains("connectFailed"))
    await channel.close()
  }
}
