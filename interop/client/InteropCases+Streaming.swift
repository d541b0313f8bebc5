import WireGRPC
import WireGRPCClient

extension InteropCases {
  private static let requestSizes = [27_182, 8, 1_828, 45_904]
  private static let responseSizes = [31_415, 9, 2_653, 58_979]

  func clientStreaming() async throws {
    let response = try await client.streamingInputCall(options: options) { writer in
      for size in Self.requestSizes {
        try await writer.send(TestStreamingInputCallRequest(payload: payload(size)))
      }
    }
    try expect("the size", response.message.aggregatedPayloadSize, 74_922)
  }

  func serverStreaming() async throws {
    var sizes: [Int] = []
    let responses = client.streamingOutputCall(
      request(sizes: Self.responseSizes), options: options)
    for try await response in responses { sizes.append(response.payload?.body.count ?? 0) }
    try expect("the sizes", sizes, Self.responseSizes)
  }

  func pingPong() async throws {
    let call = client.fullDuplexCall(options: options)
    var responses = call.responses.makeAsyncIterator()
    for (asked, sent) in zip(Self.responseSizes, Self.requestSizes) {
      try await call.requests.send(request(sizes: [asked], payload: sent))
      let response = try await responses.next()
      try expect("the size", response?.payload?.body.count, asked)
    }
    call.requests.finish()
    try expect("the next response", try await responses.next(), nil)
  }

  func emptyStream() async throws {
    let call = client.fullDuplexCall(options: options)
    call.requests.finish()
    for try await response in call.responses {
      throw UnexpectedResult(description: "unexpected response: \(response)")
    }
  }

  func cancelAfterBegin() async throws {
    let call = Task { [client, options] in
      _ = try await client.streamingInputCall(options: options) { _ in
        withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
    try await expect(.cancelled) { try await call.value }
  }

  func cancelAfterFirstResponse() async throws {
    let call = Task { [self] in
      let call = client.fullDuplexCall(options: options)
      try await call.requests.send(request(sizes: [31_415], payload: 27_182))
      for try await _ in call.responses { withUnsafeCurrentTask { unsafe $0?.cancel() } }
    }
    try await expect(.cancelled) { try await call.value }
  }

  /// Cancels each kind of stream through the call, which then reports the cancellation.
  func cancelAndReadOn() async throws {
    func check(_ call: () async throws -> Void) async throws {
      do {
        try await call()
      } catch let error as CallError {
        try expect("the status", error.code, .cancelled)
        return try expect("the origin", error.origin, .local)
      }
      throw UnexpectedResult(description: "the call succeeded")
    }
    let full = client.fullDuplexCall(options: options)
    try await full.requests.send(request(sizes: [31_415], payload: 27_182))
    try await check { for try await _ in full.responses { full.cancel() } }
    try await check { try await full.requests.send(request(sizes: [1])) }
    let output = client.streamingOutputCall(
      TestStreamingOutputCallRequest(
        responseParameters: [
          TestResponseParameters(size: 9), TestResponseParameters(size: 9, intervalUs: 1_000_000),
        ]), options: options)
    try await check { for try await _ in output { output.cancel() } }
    try await check {
      _ = try await client.streamingInputCall(options: options) { writer in
        try await writer.send(TestStreamingInputCallRequest(payload: payload(8)))
        writer.cancel()
      }
    }
    // The connection still works.
    try await emptyUnary()
  }

  func timeoutOnSleepingServer() async throws {
    let call = client.fullDuplexCall(options: CallOptions(timeout: .milliseconds(1)))
    try await expect(.deadlineExceeded) {
      // The deadline may expire before the first send.
      try await call.requests.send(request(sizes: [], payload: 27_182))
      for try await _ in call.responses {}
    }
  }

  /// Expects one response before the deadline; the second would come much later.
  func timeoutOnSlowServer() async throws {
    let request = TestStreamingOutputCallRequest(
      responseParameters: [
        TestResponseParameters(size: 9), TestResponseParameters(size: 9, intervalUs: 10_000_000),
      ])
    // Connects first, so that connecting does not use up the timeout.
    _ = try await client.emptyCall(TestEmpty())
    let start = ContinuousClock.now
    var count = 0
    try await expect(.deadlineExceeded) {
      let responses = client.streamingOutputCall(
        request, options: CallOptions(timeout: .seconds(1)))
      for try await _ in responses { count += 1 }
    }
    try expect("the responses", count, 1)
    try expect("ended in time", ContinuousClock.now - start < .seconds(5), true)
  }
}
