import WireGRPCClient

extension InteropCases {
  private var compressing: CallOptions {
    var options = options
    options.compression = .gzip
    return options
  }

  func clientCompressedUnary() async throws {
    func call(expects compressed: Bool, _ options: CallOptions) async throws {
      let request = TestSimpleRequest(
        responseSize: 314_159, payload: payload(271_828), expectCompressed: compressed)
      let response = try await client.unaryCall(request, options: options).message
      try expect("the payload", response.payload, payload(314_159))
    }
    // The server must reject the wrong compression, which proves that it checks.
    try await expect(.invalidArgument) { try await call(expects: true, options) }
    try await call(expects: true, compressing)
    try await call(expects: false, options)
  }

  func clientCompressedStreaming() async throws {
    try await expect(.invalidArgument) {
      _ = try await client.streamingInputCall(options: options) { writer in
        try await writer.send(
          TestStreamingInputCallRequest(payload: payload(27_182), expectCompressed: true))
      }
    }
    let response = try await client.streamingInputCall(options: compressing) { writer in
      try await writer.send(
        TestStreamingInputCallRequest(payload: payload(27_182), expectCompressed: true))
      try await writer.send(
        TestStreamingInputCallRequest(payload: payload(45_904), expectCompressed: false),
        compresses: false)
    }
    try expect("the size", response.message.aggregatedPayloadSize, 73_086)
  }

  func serverCompressedUnary() async throws {
    _ = received.take()
    for compressed in [true, false] {
      let request = TestSimpleRequest(
        responseSize: 314_159, payload: payload(271_828), responseCompressed: compressed)
      let response = try await client.unaryCall(request, options: options).message
      try expect("the payload", response.payload, payload(314_159))
      try expectCompressed([compressed], ofSizes: [314_159])
    }
  }

  func serverCompressedStreaming() async throws {
    let (sizes, compressed) = ([31_415, 92_653], [true, false])
    let request = TestStreamingOutputCallRequest(
      responseParameters: zip(sizes, compressed).map {
        TestResponseParameters(size: Int32($0), compressed: $1)
      })
    _ = received.take()
    var bodies: [Int] = []
    for try await response in client.streamingOutputCall(request, options: options) {
      bodies.append(response.payload?.body.count ?? 0)
    }
    try expect("the sizes", bodies, sizes)
    try expectCompressed(compressed, ofSizes: sizes)
  }

  /// Checks which of the messages since the last check were compressed.
  ///
  /// All payloads are zeros, which compress well.
  private func expectCompressed(_ expected: [Bool], ofSizes sizes: [Int]) throws {
    let compressed = zip(received.take(), sizes).map { $0 < $1 }
    try expect("which messages were compressed", compressed, expected)
  }
}
