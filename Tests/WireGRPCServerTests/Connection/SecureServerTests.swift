import TestSupport
import Testing
import WireGRPCClient
import WireHTTP2
import WireIO
import WireTLS

@testable import WireGRPCServer

/// The server behind TLS, for clients over loopback sockets.
@Suite(.timeLimit(.minutes(20))) struct SecureServerTests {
  static func serving(
    _ steps: [FixedHandler.Step] = FixedHandler.message([7]), limits: ServerLimits = .patient,
    _ body: (SocketAddress) async throws -> Void
  ) async throws {
    let tls = try TLSContext(
      serverCertificate: TestCertificate.pem, privateKey: TestCertificate.key)
    try await TestServer.serving(steps, limits: limits, tls: tls, body)
  }

  static func channel(_ address: SocketAddress) throws -> Channel {
    try Channel(
      target: "\(address)",
      configuration: ChannelConfiguration(
        security: .tls(TLSConfiguration(trust: .pem(TestCertificate.pem))), authority: "localhost",
        connectTimeout: .seconds(3600)))
  }

  static func call(_ channel: Channel) async throws -> [UInt8]? {
    let call = channel.open(path: "/test.Echo/Say", kind: .unary, options: CallOptions())
    try await call.send([1])
    call.finish()
    return try await call.next()
  }

  @Test func servesCallsOverTLS() async throws {
    try await Self.serving { address in
      let channel = try Self.channel(address)
      for _ in 0..<3 { #expect(try await Self.call(channel) == [7]) }
      await channel.close()
    }
  }

  /// While clients wait, a connection that stalls in its handshake is closed.
  @Test func stalledHandshakesDoNotBlockOthers() async throws {
    var limits = ServerLimits.patient
    limits.handshakes = 2
    limits.handshakeTime = .seconds(3600)
    limits.crowdedHandshakeTime = .milliseconds(100)
    try await Self.serving(limits: limits) { address in
      let idle = try (0..<4).map { _ in try RawClient(address) }
      let channel = try Self.channel(address)
      #expect(try await Self.call(channel) == [7])
      await channel.close()
      for client in idle { #expect(try client.readToEnd().isEmpty) }
    }
  }

  @Test func acceptsMoreClientsThanConcurrentHandshakes() async throws {
    var limits = ServerLimits.patient
    limits.handshakes = 1
    limits.crowdedHandshakeTime = .seconds(3600)
    try await Self.serving(limits: limits) { address in
      try await withThrowingTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            let channel = try Self.channel(address)
            #expect(try await Self.call(channel) == [7])
            await channel.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func sendsALargeResponse() async throws {
    let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try await Self.serving(FixedHandler.message(large)) { address in
      let channel = try Self.channel(address)
      #expect(try await Self.call(channel) == large)
      await channel.close()
    }
  }

  @Test func plaintextConnectionIsClosed() async throws {
    try await Self.serving { address in
      let socket = try RawClient(address)
      socket.write(HostileClientTests.handshake)
      _ = try socket.readToEnd()
      let channel = try Self.channel(address)
      #expect(try await Self.call(channel) == [7])
      await channel.close()
    }
  }

  @Test func invalidHandshakesDoNotStopTheServer() async throws {
    try await Self.serving { address in
      var random = SplitMix(state: 3)
      for count in [1, 5, 6, 40, 400] {
        let socket = try RawClient(address)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        socket.write([22, 3, 1, UInt8(count >> 8), UInt8(count & 255)] + noise)
        socket.finishWriting()
        _ = try socket.readToEnd()
      }
      let channel = try Self.channel(address)
      #expect(try await Self.call(channel) == [7])
      await channel.close()
    }
  }

  /// The last message is close_notify.
  @Test func sendsCloseNotify() async throws {
    let context = try TLSContext(
      client: TLSConfiguration(trust: .pem(TestCertificate.pem)))
    let engine = try TLSEngine(context: context, role: .client(serverName: "localhost"))
    var limits = ServerLimits.patient
    limits.drainTime = .milliseconds(1)
    limits.roundTripTime = .zero
    let client = try GRPCClient()
    try await Self.serving(limits: limits) { address in
      let socket = try RawClient(address)
      try socket.handshake(engine)
      let stream = try client.send("/test.Echo/Say", GRPCClient.framed([1]))
      try client.finish(stream, over: socket, engine)
      #expect(client.replies[stream]?.status("grpc-status") == "0")
      client.session.goAway()
      try client.flush(over: socket, engine)
      while !engine.peerHasClosed { client.receive(try socket.read(engine)) }
    }
  }
}

extension RawClient {
  fileprivate func handshake(_ engine: TLSEngine) throws {
    while true {
      if case .done = try engine.handshake() { break }
      write(drained(engine))
      try read().withUnsafeBytes { try engine.receive($0) }
    }
    write(drained(engine))
  }

  fileprivate func read(_ engine: TLSEngine) throws -> [UInt8] {
    let bytes = try read()
    guard !bytes.isEmpty else { throw GRPCClient.ConnectionClosed() }
    try bytes.withUnsafeBytes { try engine.receive($0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    let count = try buffer.withUnsafeMutableBytes { try engine.read(into: $0) }
    return Array(buffer.prefix(count))
  }

  fileprivate func drained(_ engine: TLSEngine) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    let count = buffer.withUnsafeMutableBytes { engine.drain(into: $0) }
    return Array(buffer.prefix(count))
  }
}

extension GRPCClient {
  fileprivate func finish(
    _ stream: StreamID, over socket: RawClient, _ engine: TLSEngine
  ) throws {
    while replies[stream]?.closure == nil {
      try flush(over: socket, engine)
      receive(try socket.read(engine))
    }
  }

  fileprivate func flush(over socket: RawClient, _ engine: TLSEngine) throws {
    _ = try output().withUnsafeBytes { try engine.write($0) }
    socket.write(socket.drained(engine))
  }
}
