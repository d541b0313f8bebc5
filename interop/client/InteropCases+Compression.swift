import WireGRPC
import WireProtobuf

extension InteropCases {
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

  /// Expects of the messages that came since this was last asked that these were compressed: zeros,
  /// as all payloads are, get very short.
  private func expectCompressed(_ expected: [Bool], ofSizes sizes: [Int]) throws {
    let compressed = zip(received.take(), sizes).map { $0 < $1 }
    try expect("which messages were compressed", compressed, expected)
  }
}
