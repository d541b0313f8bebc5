import WireGRPC
import WireGRPCClient

extension InteropCases {
  func emptyUnary() async throws {
    let response = try await client.emptyCall(TestEmpty(), options: options).message
    try expect("the response", response, TestEmpty())
  }

  func largeUnary() async throws {
    let request = TestSimpleRequest(responseSize: 314_159, payload: payload(271_828))
    let response = try await client.unaryCall(request, options: options).message
    try expect("the payload", response.payload, payload(314_159))
  }

  /// Sends 8 MiB each way, more than the default windows, buffers and limits.
  func bigUnary() async throws {
    var options = options
    options.maxReceiveMessageSize = .max
    let size = 8 << 20
    let request = TestSimpleRequest(responseSize: Int32(size), payload: payload(size))
    let response = try await client.unaryCall(request, options: options).message
    try expect("the size", response.payload?.body.count, size)
  }

  func statusCodeAndMessage() async throws {
    let status = TestEchoStatus(code: 2, message: "test status message")
    try await expect(.unknown, status.message) {
      _ = try await client.unaryCall(TestSimpleRequest(responseStatus: status), options: options)
    }
    let call = client.fullDuplexCall(options: options)
    try await call.requests.send(TestStreamingOutputCallRequest(responseStatus: status))
    call.requests.finish()
    try await expect(.unknown, status.message) {
      for try await _ in call.responses {}
    }
  }

  func specialStatusMessage() async throws {
    let status = TestEchoStatus(
      code: 2,
      message: "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n")
    try await expect(.unknown, status.message) {
      _ = try await client.unaryCall(TestSimpleRequest(responseStatus: status), options: options)
    }
  }

  func customMetadata() async throws {
    let (initial, trailing) = ("x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin")
    var options = options
    try options.metadata.append(initial, "test_initial_metadata_value")
    try options.metadata.append(trailing, [0xAB, 0xAB, 0xAB])

    func check(_ headers: Metadata, _ trailers: Metadata?) throws {
      try expect(initial, headers[initial], "test_initial_metadata_value")
      try expect(trailing, trailers?[binary: trailing], [0xAB, 0xAB, 0xAB])
    }

    let request = TestSimpleRequest(responseSize: 314_159, payload: payload(271_828))
    let response = try await client.unaryCall(request, options: options)
    try check(response.headers, response.trailers)

    let call = client.fullDuplexCall(options: options)
    try await call.requests.send(self.request(sizes: [314_159], payload: 271_828))
    call.requests.finish()
    for try await response in call.responses {
      try expect("the payload", response.payload, payload(314_159))
    }
    try check(try await call.responses.headers, call.responses.trailers)
  }

  /// Checks the headers and trailers of failed calls of each kind.
  func errorMetadata() async throws {
    let (initial, trailing) = ("x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin")
    var options = options
    options.metadata = try Metadata([
      (initial, "test_initial_metadata_value"), (trailing, .binary([0xAB, 0xAB, 0xAB])),
      ("x-status", "9"),
    ])

    func check(_ call: () async throws -> Void) async throws {
      do {
        try await call()
      } catch let error as CallError {
        try expect("the status", error.code, .failedPrecondition)
        try expect(initial, error.headers[initial], "test_initial_metadata_value")
        try expect(trailing, error.headers[binary: trailing], nil)
        return try expect(trailing, error.trailers[binary: trailing], [0xAB, 0xAB, 0xAB])
      }
      throw UnexpectedResult(description: "the call succeeded")
    }

    let status = TestEchoStatus(code: 9, message: "no")
    let request = TestStreamingOutputCallRequest(responseStatus: status)
    try await check {
      _ = try await client.unaryCall(TestSimpleRequest(responseStatus: status), options: options)
    }
    try await check {
      for try await _ in client.streamingOutputCall(request, options: options) {}
    }
    try await check {
      _ = try await client.streamingInputCall(options: options) { writer in
        try await writer.send(TestStreamingInputCallRequest(payload: payload(8)))
      }
    }
    try await check {
      let call = client.fullDuplexCall(options: options)
      try await call.requests.send(request)
      for try await _ in call.responses {}
    }
  }

  func unimplementedMethod() async throws {
    try await expect(.unimplemented) {
      _ = try await client.unimplementedCall(TestEmpty(), options: options)
    }
  }

  func unimplementedService() async throws {
    let client = TestUnimplementedServiceClient(channel)
    try await expect(.unimplemented) {
      _ = try await client.unimplementedCall(TestEmpty(), options: options)
    }
  }
}
