import WireGRPC
import WireGRPCClient
import WireProtobuf
import WireSystem

/// Executes calls given on standard input, so that one process can call many servers.
///
///     interop-client drive
///
/// Each line of JSON is a ``DriverOrder``. The driver prints a ``DriverReport`` for each, until the input
/// ends.
struct Driver {
  private var channels: [Int32: Channel] = [:]

  mutating func run() async throws {
    // The first sleep opens a permanent file descriptor, which must not count as a leak later. A shorter
    // sleep may end before the timer thread opens it.
    try await Task.sleep(for: .milliseconds(100))
    while let line = readLine() {
      let report = try await execute(DriverOrder(jsonString: line))
      print(try report.jsonString())
      fflush(nil)
    }
  }

  private mutating func execute(_ order: DriverOrder) async throws -> DriverReport {
    if order.close {
      await channels.removeValue(forKey: order.port)?.close()
      return DriverReport()
    }
    let channel = try channels[order.port] ?? Self.channel(order)
    channels[order.port] = channel
    let call = DriverCall(order: order, client: TestTestServiceClient(channel))
    return await withTaskGroup { group in
      for _ in 0..<max(1, order.calls) { group.addTask { await call.outcome() } }
      return await group.reduce(into: DriverReport()) { $0.outcomes.append($1) }
    }
  }

  /// Creates a channel that fails fast, so that the next call shows immediately whether it still works.
  private static func channel(_ order: DriverOrder) throws -> Channel {
    var configuration = ChannelConfiguration(failFast: true)
    if !order.tls { configuration.security = .plaintext }
    return try Channel(target: "127.0.0.1:\(order.port)", configuration: configuration)
  }
}

/// One call of an order.
struct DriverCall: Sendable {
  let order: DriverOrder
  let client: TestTestServiceClient

  private var options: CallOptions {
    CallOptions(timeout: order.timeoutMs > 0 ? .milliseconds(Int(order.timeoutMs)) : nil)
  }
  private var payload: TestPayload {
    TestPayload(body: [UInt8](repeating: 0, count: Int(order.requestSize)))
  }

  func outcome() async -> DriverOutcome {
    let start = ContinuousClock.now
    var outcome = DriverOutcome(code: "OK")
    do throws(CallError) {
      try await call(&outcome)
    } catch {
      outcome.code = error.code.description
      outcome.message = error.message
      outcome.description = error.description
      outcome.attempts = Int32(error.attempts)
      outcome.details = error.details.map { "\($0)" }
      outcome.trailers = Self.fields(error.trailers)
    }
    outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
    return outcome
  }

  private func call(_ outcome: inout DriverOutcome) async throws(CallError) {
    switch order.kind {
    case .unary:
      let response = try await client.unaryCall(
        TestSimpleRequest(payload: payload), options: options)
      record(response.message.payload, &outcome)
      record(response, &outcome)
    case .serverStreaming:
      let responses = client.streamingOutputCall(
        TestStreamingOutputCallRequest(payload: payload), options: options)
      try await read(responses, &outcome)
    case .clientStreaming:
      let response = try await client.streamingInputCall(options: options) { writer in
        repeat {
          try await writer.send(TestStreamingInputCallRequest(payload: payload))
          if order.endless { try await Task.sleep(for: .milliseconds(5)) }
        } while order.endless
      }
      outcome.messages = 1
      record(response, &outcome)
    case .bidirectional:
      let call = client.fullDuplexCall(options: options)
      try await call.requests.send(TestStreamingOutputCallRequest(payload: payload))
      if !order.endless { call.requests.finish() }
      try await read(call.responses, &outcome)
    case .unrecognized(let number):
      throw CallError(code: .internal, message: "unknown kind: \(number)", origin: .local)
    }
  }

  private func read(
    _ responses: ResponseStream<TestStreamingOutputCallResponse>, _ outcome: inout DriverOutcome
  ) async throws(CallError) {
    try? await Task.sleep(for: .milliseconds(Int(order.pauseMs)))
    for try await response in responses { record(response.payload, &outcome) }
    outcome.headers = Self.fields(try await responses.headers)
    outcome.trailers = Self.fields(responses.trailers ?? Metadata())
  }

  private func record(_ payload: TestPayload?, _ outcome: inout DriverOutcome) {
    outcome.messages += 1
    outcome.bytes += Int64(payload?.body.count ?? 0)
  }

  private func record<Response>(
    _ response: CallResponse<Response>, _ outcome: inout DriverOutcome
  ) {
    outcome.attempts = Int32(response.attempts)
    outcome.headers = Self.fields(response.headers)
    outcome.trailers = Self.fields(response.trailers)
  }

  private static func fields(_ metadata: Metadata) -> [DriverField] {
    metadata.map { entry in
      switch entry.value {
      case .text(let text): DriverField(name: entry.name, text: text)
      case .binary(let bytes): DriverField(name: entry.name, binary: bytes)
      }
    }
  }
}
