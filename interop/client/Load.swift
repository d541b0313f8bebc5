import WireGRPC
import WireGRPCClient

/// Makes many calls at a constant rate, independent of their latency.
///
/// Each unary call carries a unique nonce, which the server logs and echoes.
struct Load: Sendable {
  static let flags = [
    "calls", "interval_us", "timeout_ms", "size", "wait_for_ready", "name", "mixed", "attempts",
    "backoff_ms", "delay_ms", "retry_cancelled",
  ]
  static let known = """
    --calls=COUNT                1 by default
    --interval_us=TIME           between the starts of calls, 10000 by default
    --timeout_ms=TIME            for each call, 5000 by default
    --size=BYTES                 of each request and response, 100 by default
    --wait_for_ready
    --name=TEXT                  prefix of the nonces
    --attempts=COUNT             for UNAVAILABLE, 1 by default
    --retry_cancelled            also retry CANCELLED
    --backoff_ms=TIME            before the first retry, then doubled, 200 by default
    --delay_ms=TIME              of the server for each response, 0 by default
    --mixed                      every third call is a stream of three messages each way
    """
  static let nonce = "x-nonce"

  private let channel: Channel
  private let tally = Tally()
  private let calls: Int
  private let interval: Duration
  private let options: CallOptions
  private let size: Int
  private let name: String
  private let delay: Int
  private let isMixed: Bool

  init(_ flags: Flags) throws {
    calls = try flags.number("calls", default: 1)
    interval = .microseconds(try flags.number("interval_us", default: 10_000))
    options = CallOptions(
      timeout: .milliseconds(try flags.number("timeout_ms", default: 5_000)),
      maxReceiveMessageSize: .max, waitForReady: flags.isSet("wait_for_ready"),
      retryPolicy: RetryPolicy(
        maxAttempts: try flags.number("attempts", default: 1),
        initialBackoff: .milliseconds(try flags.number("backoff_ms", default: 200)),
        maxBackoff: .seconds(120), backoffMultiplier: 2,
        retryableStatusCodes: flags.isSet("retry_cancelled")
          ? [.unavailable, .cancelled] : [.unavailable]))
    size = try flags.number("size", default: 100)
    name = flags.text("name") ?? "call"
    delay = try flags.number("delay_ms", default: 0)
    isMixed = flags.isSet("mixed")
    let tally = tally
    channel = try flags.channel { event in
      if case .ready = event.step { tally.addConnection() }
      if case .keepaliveSlowed = event.step { tally.addSlowing() }
    }
  }

  func run() async -> LoadReport {
    let start = ContinuousClock.now
    await withDiscardingTaskGroup { group in
      for index in 0..<calls {
        try? await Task.sleep(until: start + interval * index, clock: .continuous)
        group.addTask {
          tally.add(await call(index))
        }
      }
    }
    await channel.close()
    return tally.report(seconds: seconds(.now - start))
  }

  private func call(_ index: Int) async -> LoadReport.Call {
    let start = ContinuousClock.now
    do {
      let isStreaming = isMixed && index.isMultiple(of: 3)
      let (isOurs, attempts) =
        isStreaming ? (try await stream(), 1) : try await unary("\(name)-\(index)")
      return call(start, .ok, attempts: attempts, isOurs: isOurs)
    } catch let error as CallError {
      return call(start, error.code, attempts: error.attempts, error: "\(error)")
    } catch {
      return call(start, .internal, attempts: 0, error: "\(error)")
    }
  }

  /// Makes a unary call; returns whether its response was right, and the number of attempts.
  private func unary(_ nonce: String) async throws -> (Bool, Int) {
    var options = options
    try options.metadata.append(Self.nonce, nonce)
    if delay > 0 { try options.metadata.append("x-delay-ms", "\(delay)") }
    let request = TestSimpleRequest(
      responseSize: Int32(size), payload: TestPayload(body: [UInt8](repeating: 0, count: size)))
    let response = try await TestTestServiceClient(channel).unaryCall(request, options: options)
    let message = response.message
    return (message.username == nonce && message.payload?.body.count == size, response.attempts)
  }

  /// Makes a streaming call; returns whether the three responses had the requested sizes.
  private func stream() async throws -> Bool {
    let call = TestTestServiceClient(channel).fullDuplexCall(options: options)
    var responses = call.responses.makeAsyncIterator()
    var isOurs = true
    for size in [size, 0, 1] {
      let parameters = TestResponseParameters(size: Int32(size))
      try await call.requests.send(
        TestStreamingOutputCallRequest(responseParameters: [parameters]))
      let response = try await responses.next()
      isOurs = isOurs && (response?.payload?.body.count ?? 0) == size
    }
    call.requests.finish()
    return try await responses.next() == nil && isOurs
  }

  private func call(
    _ start: ContinuousClock.Instant, _ code: StatusCode, attempts: Int, isOurs: Bool = true,
    error: String? = nil
  ) -> LoadReport.Call {
    let duration = ContinuousClock.now - start
    let limit = (options.timeout ?? .zero) + LoadReport.grace
    return LoadReport.Call(
      code: code, seconds: seconds(duration), isLate: duration > limit, isOurs: isOurs,
      attempts: attempts, error: error)
  }
}

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
