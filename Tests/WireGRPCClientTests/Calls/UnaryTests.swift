import TestSupport
import Testing
import WireProtobuf

@testable import WireGRPC
@testable import WireGRPCClient

/// Calls with messages, through the codec.
@Suite(.timeLimit(.minutes(20))) struct UnaryTests {
  private let method = MethodDescriptor<RPCStatus, RPCStatus>(
    service: "test.Service", method: "Echo", timeout: .milliseconds(300))

  private func channel(answering message: [UInt8]) async throws -> (Channel, ScriptedServer) {
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [okResponse(stream, message)] })
    return (try Channel(to: server), server)
  }

  @Test func sendsAndReturnsMessages() async throws {
    let (channel, server) = try await channel(answering: [8, 5, 0x12, 2, 0x68, 0x69])
    let request = RPCStatus(code: 3)
    let response = try await channel.unary(
      method, request, options: CallOptions(timeout: .seconds(3600)))
    #expect(response.message.code == 5)
    #expect(response.message.message == "hi")
    #expect(response.unknownFieldCount == 0)
    #expect(response.attempts == 1)
    #expect(await server.frame(.data).payload == [0, 0, 0, 0, 2, 8, 3])
    await server.stop()
  }

  @Test func countsUnknownFields() async throws {
    let (channel, server) = try await channel(answering: [8, 5, 0xF8, 1, 1, 0xF8, 1, 2])
    let options = CallOptions(timeout: .seconds(3600))
    let response = try await channel.unary(method, RPCStatus(), options: options)
    #expect(response.unknownFieldCount == 2)
    await server.stop()
  }

  @Test func undecodableResponseIsInternal() async throws {
    let (channel, server) = try await channel(answering: [0x12, 200])
    let error = await #expect(throws: CallError.self) {
      try await channel.unary(method, RPCStatus(), options: CallOptions(timeout: .seconds(3600)))
    }
    #expect(error?.code == .internal)
    #expect(error?.message.contains("Status.message") == true)
    #expect(error?.path == "/test.Service/Echo")
    #expect(error?.attempts == 1)
    #expect(error?.peer == server.target)
    await server.stop()
  }

  @Test func timeoutOfTheMethodIsTheDefault() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let channel = try Channel(to: server)
    let error = await #expect(throws: CallError.self) {
      try await channel.unary(method, RPCStatus())
    }
    #expect(error?.code == .deadlineExceeded)
    await server.stop()
  }

  @Test func decodesDetails() async throws {
    let info = ErrorInfo(reason: "IAM")
    let retry = RetryInfo(retryDelay: WireDuration(seconds: 2))
    let status = RPCStatus(
      code: 8, message: "slow down",
      details: [
        any("google.rpc.ErrorInfo", info.serializedBytes()),
        any("google.rpc.RetryInfo", retry.serializedBytes()),
        any("google.rpc.ErrorInfo", [0xFF]), any("x.Unknown", [1]),
      ])
    let trailers = fields([
      ":status": "200", "content-type": "application/grpc", "grpc-status": "8",
      "grpc-status-details-bin": Base64.encode(status.serializedBytes()),
    ])
    let server = try await ScriptedServer.start(
      requestScript { _, stream in [.frames(.headers(stream, trailers, endStream: true))] })
    let channel = try Channel(to: server)
    let error = await channel.call().error
    #expect(error?.message == "slow down")
    #expect(
      error?.details == [
        .errorInfo(info), .retryInfo(retry), .other(status.details[2]), .other(status.details[3]),
      ])
    await server.stop()
  }

  private func any(_ name: String, _ value: [UInt8]) -> AnyMessage {
    AnyMessage(typeUrl: "type.googleapis.com/" + name, value: value)
  }
}
