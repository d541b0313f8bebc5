import TestSupport
import Testing
import WireHTTP2
import WireIO

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// The server over loopback sockets.
@Suite struct ReplayServerTests {
  static func server(
    _ calls: [RecordedCall] = [Recordings.call()], listen: String = "127.0.0.1:0",
    limits: ServerLimits = .patient
  ) throws -> ReplayServer {
    var configuration = ReplayConfiguration()
    configuration.listen = listen
    configuration.server.limits = limits
    return try ReplayServer(.recording(RecordedCalls(calls: calls, warnings: [])), configuration)
  }

  /// Runs `body` against a server and stops it.
  static func serving(
    _ calls: [RecordedCall] = [Recordings.call()], limits: ServerLimits = .patient,
    _ body: (SocketAddress) throws -> Void
  ) async throws {
    let server = try server(calls, limits: limits)
    let address = try await server.start()
    let result = Result { try body(address) }
    await server.stop()
    try result.get()
  }

  static func expectResponse(from address: SocketAddress) throws {
    let client = try GRPCClient()
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    let reply = try client.finish(stream, over: RawClient(address))
    #expect(reply.body == GRPCClient.framed([7]))
    #expect(reply.status("grpc-status") == "0")
  }

  @Test func portZeroSelectsAFreePort() async throws {
    try await Self.serving { address in
      #expect(address.port != 0)
      try Self.expectResponse(from: address)
    }
  }

  @Test func connectionServesSuccessiveCalls() async throws {
    let calls = (1...3).map { Recordings.call($0, responses: [[UInt8($0)]]) }
    try await Self.serving(calls) { address in
      let client = try GRPCClient()
      let socket = try RawClient(address)
      let bodies = try (1...4).map { _ in
        let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
        return try client.finish(stream, over: socket).body.last
      }
      #expect(bodies == [1, 2, 3, 3])
    }
  }

  @Test func responseMayExceedTheSocketBuffer() async throws {
    let large = [UInt8](repeating: 5, count: 20 << 20)
    try await Self.serving([Recordings.call(responses: [large])]) { address in
      let client = try GRPCClient()
      let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
      #expect(try client.finish(stream, over: RawClient(address)).body.count == large.count + 5)
    }
  }

  @Test func addressInUseIsReported() async throws {
    let first = try Self.server()
    let address = try await first.start()
    let second = try Self.server(listen: "\(address)")
    await #expect {
      _ = try await second.start()
    } throws: { "\($0)".contains("\(address)") }
    await second.stop()
    await first.stop()
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "example.org:1", ":80000",
  ])
  func invalidAddressesAreRejected(listen: String) {
    #expect {
      _ = try Self.server(listen: listen)
    } throws: { "\($0)".contains("\"\(listen)\"") }
  }

  @Test func parsesAddresses() throws {
    #expect("\(try StandaloneServer.address("127.0.0.1:5"))" == "127.0.0.1:5")
    #expect("\(try StandaloneServer.address("[::1]:6"))" == "[::1]:6")
    #expect("\(try StandaloneServer.address("localhost:7"))" == "127.0.0.1:7")
    #expect("\(try StandaloneServer.address(":8"))" == "[::]:8")
  }

  @Test func listensOnAllAddresses() async throws {
    let recorder = ServedCallTests.EventRecorder()
    var configuration = ReplayConfiguration()
    configuration.listen = ":0"
    configuration.server.observers = [recorder.observer]
    let server = try ReplayServer(
      .recording(RecordedCalls(calls: [Recordings.call()], warnings: [])), configuration)
    let address = try await server.start()
    #expect(address.host == "::" || address.host == "0.0.0.0")
    let client = try GRPCClient()
    let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    let ipv4 = try #require(SocketAddress(numericHost: "127.0.0.1", port: address.port ?? 0))
    #expect(try client.finish(stream, over: RawClient(ipv4)).status("grpc-status") == "0")
    await server.stop()
    // An IPv4 address, not ::ffff:127.0.0.1.
    #expect(recorder.lines.first?.hasPrefix("127.0.0.1:") == true, "\(recorder.lines)")
  }

  @Test func recordingWithoutReplayableCallsIsRejected() throws {
    var call = Recordings.call(9)
    call.responseIsTruncated = true
    let error = try #require(throws: ReplayError.self) { try Self.server([call]) }
    #expect(error.description.contains("call 9"))
    #expect(error.description.contains("payload_truncated"))
    #expect(throws: ReplayError.self) { try Self.server([]) }
  }

  // MARK: Stopping

  @Test func stopWaitsForOpenCalls() async throws {
    var limits = ServerLimits.patient
    limits.lingerTime = .zero
    limits.drainTime = .seconds(3600)
    // The servers of other tests listen on 127.0.0.1: none of them can get this port.
    let server = try Self.server(listen: "[::1]:0", limits: limits)
    let address = try await server.start()
    let client = try GRPCClient()
    let socket = try RawClient(address)
    let stream = try client.send("/test.Echo/Say", [0, 0], endStream: false)
    socket.write(client.output())
    client.receive(try socket.read())

    async let stopped: Void = server.stop()
    try client.exchange(over: socket) { !client.goAways.isEmpty }
    #expect(client.goAways.first == .max)
    client.session.sendData(stream, [0, 0, 1, 1], endStream: true)
    // The frame's length is now 1, and its one byte 1.
    let reply = try client.finish(stream, over: socket)
    #expect(reply.status("grpc-status") == "0")
    #expect(client.goAways.last == stream)
    _ = try socket.readToEnd()
    await stopped
    #expect(throws: RawClient.Refused.self) { try RawClient(address) }
  }

  @Test func stopClosesConnectionsAfterTheDrainTime() async throws {
    var limits = ServerLimits.patient
    limits.drainTime = .milliseconds(100)
    let server = try Self.server(limits: limits)
    let address = try await server.start()
    let client = try GRPCClient()
    let socket = try RawClient(address)
    _ = try client.send("/test.Echo/Say", [0, 0], endStream: false)
    socket.write(client.output())
    _ = try socket.read()
    await server.stop()
    _ = try socket.readToEnd()
  }

  @Test func stopIsIdempotent() async throws {
    let server = try Self.server()
    await server.stop()
    _ = try await server.start()
    await server.stop()
    await server.stop()
  }

  @Test func serverCanBeRestarted() async throws {
    let server = try Self.server()
    _ = try await server.start()
    await #expect(throws: ReplayError.self) { try await server.start() }
    await server.stop()
    try Self.expectResponse(from: await server.start())
    await server.stop()
  }

  #if os(Linux)
    @Test func stoppedServersReleaseTheirResources() async throws {
      await #expect(processExitsWith: .success) {
        let descriptors = try Process.count("fd")
        let threads = try Process.count("task")
        for _ in 0..<20 {
          try await ReplayServerTests.serving { try ReplayServerTests.expectResponse(from: $0) }
        }
        // Swift's own pool may have grown.
        #expect(try await Process.waitForCount(of: "fd", below: descriptors + 10))
        #expect(try await Process.waitForCount(of: "task", below: threads + 10))
      }
    }
  #endif
}
