import Testing
import WireTLS

@Suite struct TLSEngineTests {
  static let identity = Certificates.good.followed(by: Certificates.intermediate)

  func pair(
    cut: @escaping ([UInt8]) -> [ArraySlice<UInt8>] = { [$0[...]] }
  ) throws -> TLSPair {
    try TLSPair(client: Certificates.root.client(), server: Self.identity.server(), cut: cut)
  }

  @Test func sessionDescribesTheHandshake() throws {
    let pair = try pair()
    pair.handshake()
    let session = try #require(pair.clientSession)
    #expect(session.version == "TLSv1.3")
    #expect(session.cipher.hasPrefix("TLS_"))
    #expect(session.applicationProtocol == "h2")
    let certificate = try #require(session.peerCertificate)
    #expect(certificate.subject == "O=Flüsse,CN=localhost")
    #expect(certificate.issuer == "CN=Test Intermediate")
    #expect(certificate.names == ["localhost", "*.fleet.example", "127.0.0.1", "0:0:0:0:0:0:0:1"])
    #expect(certificate.notBefore == "2024-01-01T00:00:00Z")
    #expect(certificate.notAfter == "2126-01-01T00:00:00Z")
    #expect(pair.serverSession?.peerCertificate == nil)
    #expect(try pair.client.handshake() == .done(session))
  }

  @Test func plaintextIsTransferredBothWays() throws {
    let pair = try pair()
    pair.handshake()
    #expect(try pair.client.write(Array("ping".utf8)) == 4)
    #expect(try pair.transferToServer() == Array("ping".utf8))
    #expect(try pair.server.write(Array("pong".utf8)) == 4)
    #expect(try pair.transferToClient() == Array("pong".utf8))
    #expect(try pair.client.read() == [])
    #expect(pair.client.pendingCiphertext == 0)
  }

  @Test func bytesMayArriveOneByOne() throws {
    let pair = try pair { bytes in bytes.indices.map { bytes[$0...$0] } }
    pair.handshake()
    #expect(pair.clientSession != nil)
    _ = try pair.client.write(Array("ping".utf8))
    #expect(try pair.transferToServer() == Array("ping".utf8))
  }

  /// Splits each flight of the handshake, and then a record, at every offset.
  @Test func flightsMayBeSplitAtAnyOffset() throws {
    let client = try Certificates.root.client()
    let server = try Self.identity.server()
    var longest = 1
    var offset = 0
    while offset < longest {
      let pair = try TLSPair(client: client, server: server) { bytes in
        longest = max(longest, bytes.count)
        return [bytes.prefix(offset), bytes.dropFirst(offset)]
      }
      pair.handshake()
      #expect(pair.clientSession != nil && pair.serverSession != nil, "cut at \(offset)")
      _ = try pair.server.write(Array("pong".utf8))
      #expect(try pair.transferToClient() == Array("pong".utf8), "cut at \(offset)")
      offset += 1
    }
    #expect(longest > 1000)
  }

  @Test func bufferedCiphertextIsLimited() throws {
    let pair = try pair()
    pair.handshake()
    let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
    var received: [UInt8] = []
    var position = 0
    while position < sent.count {
      position += try pair.client.write(Array(sent[position...]))
      #expect(pair.client.pendingCiphertext < 200_000)
      received += try pair.transferToServer()
    }
    #expect(received == sent)
  }

  @Test func plaintextIsNotAcceptedBeforeTheHandshake() throws {
    let pair = try pair()
    #expect(try pair.client.write([1]) == 0)
    #expect(try pair.client.read() == [])
    #expect(pair.client.pendingCiphertext == 0)
  }

  @Test func serverNameIsSentUnlessItIsAnAddress() throws {
    func hello(_ name: String) throws -> String {
      let engine = try TLSEngine(
        context: Certificates.root.client(), role: .client(serverName: name))
      #expect(try engine.handshake() == .inProgress)
      return String(decoding: engine.drain(), as: UTF8.self)
    }
    #expect(try hello("fleet.example").contains("fleet.example"))
    #expect(try hello("fleet.example.").contains("fleet.example"))
    #expect(try !hello("fleet.example.").contains("fleet.example."))
    #expect(try !hello("127.0.0.1").contains("127.0.0.1"))
    #expect(try !hello("[::1]").contains("::1"))
  }

  // MARK: Closing

  @Test func closeNotifyFollowsThePlaintext() throws {
    let pair = try pair()
    pair.handshake()
    _ = try pair.server.write(Array("bye".utf8))
    pair.server.close()
    #expect(try pair.transferToClient() == Array("bye".utf8))
    #expect(pair.client.peerHasClosed)
    #expect(!pair.server.peerHasClosed)
    pair.client.receiveEOF()
    #expect(try pair.client.read() == [])
    // The other direction is still open.
    #expect(try pair.client.write(Array("still here".utf8)) == 10)
    #expect(try pair.transferToServer() == Array("still here".utf8))
  }

  @Test func detectsAnEndWithoutCloseNotifyAfterThePlaintext() throws {
    let pair = try pair()
    pair.handshake()
    _ = try pair.server.write(Array("half an ans".utf8))
    try pair.client.receive(pair.server.drain())
    pair.client.receiveEOF()
    #expect(try pair.client.read(into: 11) == Array("half an ans".utf8))
    #expect(throws: TLSError(.truncated)) { try pair.client.read() }
    #expect(throws: TLSError(.truncated)) { try pair.client.write([1]) }
  }

  @Test func detectsAnEndWithinARecord() throws {
    let pair = try pair()
    pair.handshake()
    _ = try pair.server.write(Array("answer".utf8))
    try pair.client.receive(pair.server.drain().dropLast())
    #expect(try pair.client.read() == [])
    pair.client.receiveEOF()
    #expect(throws: TLSError(.truncated)) { try pair.client.read() }
  }

  /// The server closes the connection after a part of its flight.
  @Test func detectsAnEndDuringTheHandshake() throws {
    let client = try Certificates.root.client()
    let server = try Self.identity.server()
    var length = 1
    for count in sequence(first: 0, next: { $0 + 7 < length ? $0 + 7 : nil }) {
      let pair = try TLSPair(client: client, server: server)
      _ = try pair.client.handshake()
      try pair.server.receive(pair.client.drain())
      _ = try pair.server.handshake()
      let flight = pair.server.drain()
      length = flight.count
      try pair.client.receive(Array(flight.prefix(count)))
      #expect(try pair.client.handshake() == .inProgress)
      pair.client.receiveEOF()
      for _ in 0..<2 {
        #expect(throws: TLSError(.closedDuringHandshake)) { try pair.client.handshake() }
      }
    }
    #expect(length > 1000)
  }

  // MARK: Invalid bytes

  @Test func detectsAChangedByteAndSendsAnAlert() throws {
    let pair = try pair()
    pair.handshake()
    _ = try pair.server.write(Array("answer".utf8))
    var record = pair.server.drain()
    record[record.count - 1] ^= 1
    try pair.client.receive(record)
    let error = #expect(throws: TLSError.self) { try pair.client.read() }
    guard case .protocolViolation(let reason)? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("bad record mac"))
    #expect(throws: TLSError(.alert(name: "bad_record_mac"))) { try pair.transferToServer() }
  }

  @Test func plaintextBeforeAnErrorIsNotLost() throws {
    let pair = try pair()
    pair.handshake()
    _ = try pair.server.write(Array("good".utf8))
    let good = pair.server.drain()
    try pair.client.receive(good + [23, 3, 3, 0, 20] + [UInt8](repeating: 0, count: 20))
    #expect(try pair.client.read(into: 100) == Array("good".utf8))
    #expect(throws: TLSError.self) { try pair.client.read() }
  }

  @Test func invalidRecordIsAProtocolViolation() throws {
    let engine = try TLSEngine(
      context: Certificates.root.client(), role: .client(serverName: "localhost"))
    _ = try engine.handshake()
    _ = engine.drain()
    try engine.receive([22, 3, 3, 0, 4, 99, 0, 0, 0])
    let error = #expect(throws: TLSError.self) { try engine.handshake() }
    guard case .protocolViolation? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    // The peer gets an alert.
    #expect(engine.drain().first == 21)
  }

  /// Random bytes from a generator with a fixed seed must fail, not trap.
  @Test func randomRecordsFail() throws {
    var seed: UInt64 = 7
    func random() -> UInt8 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: seed >> 33)
    }
    let client = try Certificates.root.client()
    for _ in 0..<500 {
      let engine = try TLSEngine(context: client, role: .client(serverName: "localhost"))
      _ = try engine.handshake()
      let record = [22, 3, 3, 0, random()] + (0..<600).map { _ in random() }
      #expect(throws: TLSError.self) {
        try engine.receive(record)
        _ = try engine.handshake()
        engine.receiveEOF()
        _ = try engine.handshake()
      }
    }
  }

  // MARK: Versions

  /// A ServerHello with version TLS 1.1.
  @Test func unsupportedVersionIsReported() throws {
    let engine = try TLSEngine(
      context: Certificates.root.client(), role: .client(serverName: "localhost"))
    _ = try engine.handshake()
    let hello: [UInt8] =
      [2, 0, 0, 38, 3, 2] + [UInt8](repeating: 7, count: 32) + [0, 0xC0, 0x13, 0]
    try engine.receive([22, 3, 2, 0, UInt8(hello.count)] + hello)
    #expect(throws: TLSError(.unsupportedVersion)) { try engine.handshake() }
  }

  @Test(
    arguments: [
      (70, TLSError.Kind.unsupportedVersion),
      (120, .noALPN(offered: ["h2"])),
      (40, .noCommonCipher(alert: "handshake_failure")),
      (71, .noCommonCipher(alert: "insufficient_security")),
      (112, .alert(name: "unrecognized_name")),
      (116, .alert(name: "certificate_required")),
      (199, .alert(name: "number 199")),
    ] as [(UInt8, TLSError.Kind)])
  func alertsMapToErrors(number: UInt8, kind: TLSError.Kind) throws {
    let engine = try TLSEngine(
      context: Certificates.root.client(), role: .client(serverName: "localhost"))
    _ = try engine.handshake()
    try engine.receive([21, 3, 3, 0, 2, 2, number])
    #expect(throws: TLSError(kind)) { try engine.handshake() }
  }
}

extension TLSEngine {
  /// Calls `read` once with a buffer of `capacity` bytes.
  fileprivate func read(into capacity: Int) throws(TLSError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: capacity)
    var result = Result<Int, TLSError>.success(0)
    buffer.withUnsafeMutableBytes { buffer in
      do throws(TLSError) { result = .success(try read(into: buffer)) } catch {
        result = .failure(error)
      }
    }
    return Array(buffer.prefix(try result.get()))
  }
}
