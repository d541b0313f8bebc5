import Testing
import WireTLS

/// A client's second connection resumes its first.
@Suite struct SessionTests {
  private let client: TLSContext
  private let server: TLSContext

  init() throws {
    client = try Certificates.root.client()
    server = try TLSEngineTests.identity.server()
  }

  /// A handshake, and the server's tickets, which the client then reads.
  private func session(
    with server: TLSContext? = nil, as serverName: String = "localhost"
  ) throws -> TLSSession {
    let pair = try TLSPair(client: client, server: server ?? self.server, serverName: serverName)
    pair.shakeHands()
    #expect(pair.serverSession != nil)
    _ = try pair.server.write([1])
    #expect(try pair.carryDown() == [1])
    return try #require(pair.clientSession, "\(String(describing: pair.clientError))")
  }

  @Test func theSecondConnectionIsResumed() throws {
    let first = try session()
    #expect(!first.isResumed)
    let second = try session()
    #expect(second.isResumed)
    #expect(second.peerCertificate == first.peerCertificate)
    #expect(second.applicationProtocol == "h2")
    #expect(try session().isResumed)
  }

  @Test func aRejectedTicketFallsBackToAWholeHandshake() throws {
    _ = try session()
    let restarted = try TLSEngineTests.identity.server()
    #expect(try !session(with: restarted).isResumed)
    #expect(try session(with: restarted).isResumed)
  }

  /// The session of one name is not used for another.
  @Test func aSessionServesOneNameOnly() throws {
    _ = try session()
    #expect(try !session(as: "127.0.0.1").isResumed)
    #expect(try session(as: "127.0.0.1").isResumed)
    #expect(try session().isResumed)
  }

  @Test func otherContextsKnowNothingOfIt() throws {
    _ = try session()
    let other = try TLSPair(client: Certificates.root.client(), server: server)
    other.shakeHands()
    #expect(other.clientSession?.isResumed == false)
  }

  /// Each ticket is sent once: of two connections begun at the same time each has its own, and a
  /// server that gave two has none left for a third.
  @Test func ticketsAreUsedOnce() throws {
    _ = try session()
    let pairs = try (0..<3).map { _ in
      let pair = try TLSPair(client: client, server: server)
      _ = try pair.client.handshake()
      return pair
    }
    for pair in pairs { pair.shakeHands() }
    #expect(pairs.map { $0.clientSession?.isResumed } == [true, true, false])
  }

  /// A connection that is given up while connecting uses no ticket.
  @Test func aTicketIsTakenWhenTheHandshakeBegins() throws {
    _ = try session()
    for _ in 0..<3 { _ = try TLSPair(client: client, server: server) }
    #expect(try session().isResumed)
  }

  @Test func fewAreKept() throws {
    for resumed in [0, 8] {
      // Both begin at the same time, and each of them gets its own tickets.
      let pairs = try (0..<20).map { _ in
        let pair = try TLSPair(client: client, server: server)
        _ = try pair.client.handshake()
        return pair
      }
      for pair in pairs { pair.shakeHands() }
      #expect(pairs.filter { $0.clientSession?.isResumed == true }.count == resumed)
    }
  }

  @Test func aConnectionThatWasCutIsResumedToo() throws {
    let pair = try TLSPair(client: client, server: server)
    pair.shakeHands()
    pair.client.receiveEOF()
    #expect(throws: TLSError(.truncated)) { try pair.client.read() }
    #expect(try session().isResumed)
  }
}
