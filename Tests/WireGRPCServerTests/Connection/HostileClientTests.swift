import TestSupport
import Testing
import WireHTTP2
import WireSystem

@testable import WireGRPCServer

/// Malicious or broken clients. The server must still serve the next client.
@Suite struct HostileClientTests {
  static let handshake = TestSupport.RawFrame.clientPreface + TestSupport.RawFrame.settings().bytes

  static func request() throws -> [UInt8] {
    let client = try GRPCClient()
    _ = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    return client.output()
  }

  @Test func randomBytesDoNotStopTheServer() async throws {
    try await TestServer.serving { address in
      var random = SplitMix(state: 1)
      for index in 0..<100 {
        let socket = try RawClient(address)
        if index % 2 == 0 { socket.write(Self.handshake) }
        let count = Int.random(in: 1...4000, using: &random)
        socket.write((0..<count).map { _ in .random(in: 0...255, using: &random) })
      }
      try TestServer.expectResponse(from: address)
    }
  }

  @Test func corruptRequestsDoNotStopTheServer() async throws {
    let request = try Self.request()
    try await TestServer.serving { address in
      for offset in request.indices {
        var changed = request
        changed[offset] ^= 0xff
        let socket = try RawClient(address)
        socket.write(changed)
        socket.finishWriting()
        _ = try socket.readToEnd()
      }
      try TestServer.expectResponse(from: address)
    }
  }

  @Test func truncatedRequestsDoNotStopTheServer() async throws {
    let request = try Self.request()
    try await TestServer.serving { address in
      for count in request.indices {
        let socket = try RawClient(address)
        socket.write(Array(request.prefix(count)))
        socket.finishWriting()
        _ = try socket.readToEnd()
      }
      try TestServer.expectResponse(from: address)
    }
  }

  @Test func http1AndTLSConnectionsAreClosed() async throws {
    try await TestServer.serving { address in
      for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]] {
        let socket = try RawClient(address)
        socket.write(bytes)
        _ = try socket.readToEnd()
      }
    }
  }

  @Test func pingFloodClosesTheConnection() async throws {
    try await TestServer.serving { address in
      let socket = try RawClient(address)
      socket.write(Self.handshake)
      let pings = Array(repeatElement(TestSupport.RawFrame.ping(7).bytes, count: 1000).joined())
      for _ in 0..<20 { socket.write(pings) }
      _ = try socket.readToEnd()
      try TestServer.expectResponse(from: address)
    }
  }

  @Test func resetFloodClosesTheConnection() async throws {
    try await TestServer.serving { address in
      let client = try GRPCClient()
      let socket = try RawClient(address)
      for _ in 0..<2000 {
        let stream = try client.send("/test.Echo/Say", [0], endStream: false)
        socket.write(client.output())
        client.session.reset(stream, errorCode: .cancel)
      }
      socket.write(client.output())
      _ = try socket.readToEnd()
      try TestServer.expectResponse(from: address)
    }
  }

  @Test func oversizedHeaderListIsReset() async throws {
    try await TestServer.serving { address in
      let client = try GRPCClient()
      let socket = try RawClient(address)
      let changes = Dictionary(
        uniqueKeysWithValues: (0..<20).map { ("x-\($0)", String(repeating: "a", count: 1000)) })
      let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]), changes: changes)
      let reply = try client.finish(stream, over: socket)
      #expect(reply.closure == .resetByPeer(.enhanceYourCalm))
      let next = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
      #expect(try client.finish(next, over: socket).status("grpc-status") == "0")
    }
  }

  @Test func connectionsAreLimited() async throws {
    var limits = ServerLimits.patient
    limits.connections = 2
    try await TestServer.serving(limits: limits) { address in
      var idle = try (0..<2).map { _ in try RawClient(address) }
      for socket in idle { _ = try socket.read() }
      let client = try GRPCClient()
      let waiting = try RawClient(address)
      let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
      waiting.write(client.output())
      idle.removeLast()
      #expect(try client.finish(stream, over: waiting).status("grpc-status") == "0")
    }
  }

  @Test func servesThousandsOfConnections() async throws {
    // This process has both ends of each connection, and runs other tests.
    let count = min(2000, ResourceLimits.raiseOpenFiles() / 4)
    try await TestServer.serving { address in
      var idle: [RawClient] = []
      for _ in 0..<count {
        let socket = try RawClient(address)
        socket.write(Self.handshake)
        idle.append(socket)
      }
      for socket in idle { #expect(try !socket.read().isEmpty) }
      for _ in 0..<10 { try TestServer.expectResponse(from: address) }
    }
  }
}
