import WireGRPC
import WireGRPCClient

/// The cases by their names in doc/interop-test-descriptions.md. Each throws when the server, or we,
/// did not do what is said there.
struct InteropCases: Sendable {
  typealias Case = @Sendable (InteropCases) async throws -> Void

  static let all: [String: Case] = [
    "empty_unary": { try await $0.emptyUnary() },
    "large_unary": { try await $0.largeUnary() },
    "client_compressed_unary": { try await $0.clientCompressedUnary() },
    "client_compressed_streaming": { try await $0.clientCompressedStreaming() },
    "server_compressed_unary": { try await $0.serverCompressedUnary() },
    "client_streaming": { try await $0.clientStreaming() },
    "server_streaming": { try await $0.serverStreaming() },
    "server_compressed_streaming": { try await $0.serverCompressedStreaming() },
    "ping_pong": { try await $0.pingPong() },
    "empty_stream": { try await $0.emptyStream() },
    "cancel_after_begin": { try await $0.cancelAfterBegin() },
    "cancel_after_first_response": { try await $0.cancelAfterFirstResponse() },
    "timeout_on_sleeping_server": { try await $0.timeoutOnSleepingServer() },
    "status_code_and_message": { try await $0.statusCodeAndMessage() },
    "special_status_message": { try await $0.specialStatusMessage() },
    "custom_metadata": { try await $0.customMetadata() },
    "unimplemented_method": { try await $0.unimplementedMethod() },
    "unimplemented_service": { try await $0.unimplementedService() },
    // None of gRPC's.
    "big_unary": { try await $0.bigUnary() },
    "cancel_and_read_on": { try await $0.cancelAndReadOn() },
    "error_metadata": { try await $0.errorMetadata() },
    "timeout_on_slow_server": { try await $0.timeoutOnSlowServer() },
  ]

  let channel: Channel
  /// The messages that the channel receives.
  let received: ReceivedMessages

  var client: TestTestServiceClient { TestTestServiceClient(channel) }
  /// No case takes as long.
  let options = CallOptions(timeout: .seconds(20))

  /// A payload of so many zeros.
  func payload(_ size: Int) -> TestPayload {
    TestPayload(body: [UInt8](repeating: 0, count: size))
  }

  /// Asks for one response of each size.
  func request(sizes: [Int], payload size: Int = 0) -> TestStreamingOutputCallRequest {
    TestStreamingOutputCallRequest(
      responseParameters: sizes.map { TestResponseParameters(size: Int32($0)) },
      payload: payload(size))
  }
}

/// What was not as it should be.
struct Disappointment: Error, CustomStringConvertible {
  var description: String
}

func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) throws {
  guard value != expected else { return }
  throw Disappointment(description: "\(what) is \(value), not \(expected)")
}

/// Expects a call to fail with this code and, if one is given, this message.
func expect(
  _ code: StatusCode, _ message: String? = nil, _ call: () async throws -> Void
) async throws {
  do {
    try await call()
  } catch let error as CallError {
    try expect("the status", error.code, code)
    if let message { try expect("the message", error.message, message) }
    return
  }
  throw Disappointment(description: "the call went well instead of ending with \(code)")
}
