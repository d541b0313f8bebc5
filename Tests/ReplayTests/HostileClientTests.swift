import Testing
import WireGRPC
import WireHTTP2
import WireIO

@testable import Recording
@testable import Replay

/// Clients that mean harm, or are broken. Whatever they do, the next client is answered.
@Suite struct HostileClientTests {
  /// Bytes that look random and are the same in every run.
  struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
  }

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
      + [0, 0, 0, stream] + payload
  }

  static let settings = frame(4, 0, 0, [])
  static let ping = frame(6, 0, 0, [0, 1, 2, 3, 4, 5, 6, 7])

  static func request() throws -> [UInt8] {
    let client = try GRPCClient()
    _ = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
    return client.output()
  }

  @Test func survivesNoise() async throws {
    try await ReplayServerTests.serving { address in
      var noise = Noise(state: 1)
      for index in 0..<100 {
        let socket = try RawClient(address)
        if index % 2 == 0 { socket.write(Self.preface + Self.settings) }
        socket.write(noise.bytes(1 + Int(noise.next() % 4000)))
      }
      try ReplayServerTests.expectAnswer(from: address)
    }
  }

  @Test func survivesARequestWithAnyByteChanged() async throws {
    let request = try Self.request()
    try await ReplayServerTests.serving { address in
      for offset in request.indices {
        var changed = request
        changed[offset] ^= 0xff
        let socket = try RawClient(address)
        socket.write(changed)
        socket.finishWriting()
        _ = try socket.readToEnd()
      }
      try ReplayServerTests.expectAnswer(from: address)
    }
  }

  @Test func survivesARequestThatEndsAnywhere() async throws {
    let request = try Self.request()
    try await ReplayServerTests.serving { address in
      for count in request.indices {
        let socket = try RawClient(address)
        socket.write(Array(request.prefix(count)))
        socket.finishWriting()
        _ = try socket.readToEnd()
      }
      try ReplayServerTests.expectAnswer(from: address)
    }
  }

  @Test func turnsAwayHTTP1AndTLS() async throws {
    try await ReplayServerTests.serving { address in
      for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]] {
        let socket = try RawClient(address)
        socket.write(bytes)
        _ = try socket.readToEnd()
      }
    }
  }

  @Test func cutsOffAFloodOfPings() async throws {
    try await ReplayServerTests.serving { address in
      let socket = try RawClient(address)
      socket.write(Self.preface + Self.settings)
      let pings = Array(repeatElement(Self.ping, count: 1000).joined())
      for _ in 0..<20 { socket.write(pings) }
      _ = try socket.readToEnd()
      try ReplayServerTests.expectAnswer(from: address)
    }
  }

  @Test func cutsOffAFloodOfResets() async throws {
    try await ReplayServerTests.serving { address in
      let client = try GRPCClient()
      let socket = try RawClient(address)
      for _ in 0..<2000 {
        let stream = try client.send("/test.Echo/Say", [0], endStream: false)
        socket.write(client.output())
        client.session.reset(stream, errorCode: .cancel)
      }
      socket.write(client.output())
      _ = try socket.readToEnd()
      try ReplayServerTests.expectAnswer(from: address)
    }
  }

  @Test func refusesALargeHeaderList() async throws {
    try await ReplayServerTests.serving { address in
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

  @Test func letsOnlySoManyIn() async throws {
    var limits = ServerLimits()
    limits.connections = 2
    try await ReplayServerTests.serving(limits: limits) { address in
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
}
