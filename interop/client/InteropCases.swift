import WireGRPC
import WireGRPCClient

/// The interop test cases by their names in gRPC's doc/interop-test-descriptions.md.
///
/// Each throws if the client or the server deviates from the description.
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
    "rpc_soak": { try await $0.rpcSoak() },
    "channel_soak": { try await $0.channelSoak() },
    // Additional cases, which are not gRPC's.
    "big_unary": { try await $0.bigUnary() },
    "cancel_and_read_on": { try await $0.cancelAndReadOn() },
    "error_metadata": { try await $0.errorMetadata() },
    "timeout_on_slow_server": { try await $0.timeoutOnSlowServer() },
  ]

  let channel: Channel
  /// The messages that the channel receives.
  let received: ReceivedMessages
  let soak: Soak
  /// The options for further channels.
  let flags: Flags

  init(_ flags: Flags) throws {
    received = ReceivedMessages()
    channel = try flags.channel(trace: received.record)
    soak = try Soak(flags)
    self.flags = flags
  }

  var client: TestTestServiceClient { TestTestServiceClient(channel) }
  /// The timeout of every case.
  let options = CallOptions(timeout: .seconds(20))

  /// Returns a payload of zeros with this size in bytes.
  func payload(_ size: Int) -> TestPayload {
    TestPayload(body: [UInt8](repeating: 0, count: size))
  }

  /// Returns a request for one response of each size in bytes.
  func request(sizes: [Int], payload size: Int = 0) -> TestStreamingOutputCallRequest {
    TestStreamingOutputCallRequest(
      responseParameters: sizes.map { TestResponseParameters(size: Int32($0)) },
      payload: payload(size))
  }
}

/// A value that differs from the expected one.
struct UnexpectedResult: Error, CustomStringConvertible {
  var description: String
}

/// Checks that two values are equal.
func expect<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) throws {
  guard value != expected else { return }
  throw UnexpectedResult(description: "\(what) is \(value), not \(expected)")
}

/// Checks that a call fails with this code and, if given, this message.
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
  throw UnexpectedResult(description: "the call succeeded instead of failing with \(code)")
}
