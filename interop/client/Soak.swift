import WireGRPC
import WireGRPCClient
import WireSystem

/// The soak tests of doc/interop-test-descriptions.md: many large_unary calls in sequence, of which few may fail
/// or be slow.
struct Soak: Sendable {
  static let flags = [
    "soak_iterations", "soak_max_failures", "soak_per_iteration_max_acceptable_latency_ms",
    "soak_overall_timeout_seconds", "soak_min_time_ms_between_rpcs", "soak_request_size",
    "soak_response_size", "soak_num_threads",
  ]
  static let known = """
    --soak_iterations=COUNT      10 by default
    --soak_max_failures=COUNT    calls that may fail or be slow, 0 by default
    --soak_per_iteration_max_acceptable_latency_ms=TIME   1000 by default
    --soak_overall_timeout_seconds=TIME                   10 by default
    --soak_min_time_ms_between_rpcs=TIME                  0 by default
    --soak_request_size=BYTES    271828 by default
    --soak_response_size=BYTES   314159 by default
    --soak_num_threads=COUNT     sequences at the same time, which share the iterations; 1 by default
    """

  /// The sizes of the payloads, in bytes.
  let requestSize: Int
  let responseSize: Int
  private let iterations: Int
  private let maxFailures: Int
  private let maxLatency: Duration
  private let timeout: Duration
  private let interval: Duration
  private let sequences: Int

  private struct Iteration: Sendable {
    let latency: Duration
    let error: String?
  }

  init(_ flags: Flags) throws(UnexpectedResult) {
    iterations = try flags.number("soak_iterations", default: 10)
    maxFailures = try flags.number("soak_max_failures", default: 0)
    maxLatency = .milliseconds(
      try flags.number("soak_per_iteration_max_acceptable_latency_ms", default: 1000))
    timeout = .seconds(try flags.number("soak_overall_timeout_seconds", default: 10))
    interval = .milliseconds(try flags.number("soak_min_time_ms_between_rpcs", default: 0))
    requestSize = try flags.number("soak_request_size", default: 271_828)
    responseSize = try flags.number("soak_response_size", default: 314_159)
    sequences = try flags.number("soak_num_threads", default: 1)
    guard sequences > 0, iterations > 0, iterations.isMultiple(of: sequences) else {
      throw UnexpectedResult(
        description: "--soak_iterations is not a positive multiple of --soak_num_threads")
    }
  }

  /// Makes the calls, and writes a line about each to stderr.
  ///
  /// - Parameter call: makes one call, with the given timeout.
  /// - Throws: ``UnexpectedResult`` if the time was not enough for all calls, or too many failed.
  func run(_ call: @Sendable @escaping (Duration) async throws -> Void) async throws {
    let end = ContinuousClock.now + timeout
    let done = await withTaskGroup(of: [Iteration].self) { group in
      for _ in 0..<sequences { group.addTask { await sequence(until: end, call) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    try expect("the number of calls within \(timeout)", done.count, iterations)
    let failures = done.filter { $0.error != nil || $0.latency > maxLatency }
    guard failures.count > maxFailures else { return }
    let reason = failures.compactMap(\.error).first ?? "slower than \(maxLatency)"
    throw UnexpectedResult(
      description: "\(failures.count) of \(iterations) calls failed or were slow: \(reason)")
  }

  private func sequence(
    until end: ContinuousClock.Instant, _ call: (Duration) async throws -> Void
  ) async -> [Iteration] {
    var done: [Iteration] = []
    for index in 0..<iterations / sequences {
      let start = ContinuousClock.now
      guard start < end else { break }
      var failure: String?
      do {
        try await call(end - start)
      } catch {
        failure = "\(error)"
      }
      let iteration = Iteration(latency: .now - start, error: failure)
      done.append(iteration)
      let milliseconds = Int64(iteration.latency / .milliseconds(1))
      let line =
        "soak iteration: \(index) elapsed_ms: \(milliseconds) \(failure ?? "succeeded")\n"
      _ = SystemCalls.write(Array(line.utf8)[...], to: 2)
      try? await Task.sleep(until: min(start + interval, end), clock: .continuous)
    }
    return done
  }
}

extension InteropCases {
  func rpcSoak() async throws {
    try await soak.run { try await soakUnary(client, timeout: $0) }
  }

  func channelSoak() async throws {
    try await soak.run { timeout in
      let channel = try flags.channel()
      do {
        try await soakUnary(TestTestServiceClient(channel), timeout: timeout)
      } catch {
        await channel.close()
        throw error
      }
      await channel.close()
    }
  }

  private func soakUnary(_ client: TestTestServiceClient, timeout: Duration) async throws {
    let request = TestSimpleRequest(
      responseSize: Int32(soak.responseSize), payload: payload(soak.requestSize))
    let response = try await client.unaryCall(request, options: CallOptions(timeout: timeout))
    try expect("the payload", response.message.payload, payload(soak.responseSize))
  }
}
