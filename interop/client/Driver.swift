import WireGRPC
import WireGRPCClient
import WireProtobuf
import WireSystem

/// Makes the calls that are ordered on standard input and reports how they ended, a line of JSON
/// each, until the input ends: so one process meets many servers.
///
///     interop-client drive
struct Driver {
  private var channels: [Int32: Channel] = [:]

  mutating func run() async throws {
    // A sleep opens a file descriptor, for good: not to be taken for a leak later. One that is over
    // before the thread for timers gets to see it does not.
    try await Task.sleep(for: .milliseconds(100))
    while let line = readLine() {
      let report = try await carryOut(DriverOrder(jsonString: line))
      print(try report.jsonString())
      fflush(nil)
    }
  }

  private mutating func carryOut(_ order: DriverOrder) async throws -> DriverReport {
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

  /// It dials again at once when a connection could not be made: the next call shows at once whether
  /// the channel still works.
  private static func channel(_ order: DriverOrder) throws -> Channel {
    var configuration = ChannelConfiguration(failFast: true)
    if !order.tls { configuration.security = .plaintext }
    return try Channel(target: "127.0.0.1:\(order.port)", configuration: configuration)
  }
}

/// One call as ordered.
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
      outcome.trailers = Self.fields(error.metadata)
    }
    outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
    return outcome
  }

  private func call(_ outcome: inout DriverOutcome) async throws(CallError) {
    switch order.kind {
    case .unary:
      let response = try await client.unaryCall(
        TestSimpleRequest(payload: payload), options: options)
      note(response.message.payload, &outcome)
      note(response, &outcome)
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
      note(response, &outcome)
    case .bidirectional:
      let call = client.fullDuplexCall(options: options)
      try await call.requests.send(TestStreamingOutputCallRequest(payload: payload))
      if !order.endless { call.requests.finish() }
      try await read(call.responses, &outcome)
    case .unrecognized(let number):
      throw CallError(code: .internal, message: "no kind of call: \(number)", origin: .local)
    }
  }

  private func read(
    _ responses: ResponseStream<TestStreamingOutputCallResponse>, _ outcome: inout DriverOutcome
  ) async throws(CallError) {
    try? await Task.sleep(for: .milliseconds(Int(order.pauseMs)))
    for try await response in responses { note(response.payload, &outcome) }
    outcome.headers = Self.fields(try await responses.headers)
    outcome.trailers = Self.fields(responses.trailers ?? Metadata())
  }

  private func note(_ payload: TestPayload?, _ outcome: inout DriverOutcome) {
    outcome.messages += 1
    outcome.bytes += Int64(payload?.body.count ?? 0)
  }

  private func note<Response>(_ response: CallResponse<Response>, _ outcome: inout DriverOutcome) {
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
