import TestSupport

@testable import WireGRPCClient

/// Returns a script that sends SETTINGS, acknowledges the client's, and responds to each complete
/// request with what `answer` returns.
func requestScript(
  settings: RawFrame = .settings(),
  _ answer: @escaping @Sendable (_ connection: Int, _ stream: Int) -> [ScriptedServer.Action]
) -> ScriptedServer.Script {
  { connection, event in
    switch event {
    case .accepted: return [.frames(settings)]
    case .frame(let frame) where frame.kind == .settings && !frame.has(.acknowledge):
      return [.frames(.settingsAcknowledgement)]
    case .frame(let frame) where frame.kind == .data && frame.has(.endStream):
      return answer(connection, Int(frame.stream))
    case .frame:
      return []
    }
  }
}

let okHeaders = fields([":status": "200", "content-type": "application/grpc"])
let okTrailers = fields(["grpc-status": "0"])

/// Returns a complete, successful response with this message.
func okResponse(_ stream: Int, _ message: [UInt8] = [7, 8]) -> ScriptedServer.Action {
  .frames(
    .headers(stream, okHeaders), .data(stream, [0] + bigEndian(UInt32(message.count)) + message),
    .headers(stream, okTrailers, endStream: true))
}

extension Channel {
  /// Creates a channel to a plaintext server, with at most one connection, that fails fast.
  convenience init(
    to server: ScriptedServer, _ change: (inout ChannelConfiguration) -> Void = { _ in }
  ) throws {
    // A busy machine may take long between two steps of connecting.
    var configuration = ChannelConfiguration(
      security: .plaintext, connectTimeout: .seconds(3600), maxConnections: 1, failFast: true)
    change(&configuration)
    try self.init(target: server.target, configuration: configuration)
  }

  /// Makes a unary call without the codec.
  func call(
    _ message: [UInt8] = [1, 2, 3], timeout: Duration? = .seconds(3600),
    _ change: (inout CallOptions) -> Void = { _ in }
  ) async -> UnaryResult {
    var options = CallOptions(timeout: timeout)
    change(&options)
    do throws(CallError) {
      let response = try await unary(path: "/s/m", message, options: options)
      response.skip()
      return .success(response)
    } catch {
      return .failure(error)
    }
  }
}

/// The result of a unary call without the codec.
typealias UnaryResult = Result<RawResponse, CallError>

extension UnaryResult {
  var message: [UInt8]? { try? get().message }

  var error: CallError? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// The number of times the call was sent.
  var attempts: Int {
    switch self {
    case .success(let response): response.attempts
    case .failure(let error): error.attempts
    }
  }
}
