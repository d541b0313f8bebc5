import Testing
import WireTLS

/// Session resumption of clients.
@Suite struct SessionTests {
  private let client: TLSContext
  private let server: TLSContext

  init() throws {
    client = try Certificates.root.client()
    server = try TLSEngineTests.identity.server()
  }

  /// Performs a handshake and lets the client read the server's tickets.
  private func session(
    with server: TLSContext? = nil, as serverName: String = "localhost"
  ) throws -> TLSSession {
    let pair = try TLSPair(client: client, server: server ?? self.server, serverName: serverName)
    pair.handshake()
    #expect(pair.serverSession != nil)
    _ = try pair.server.write([1])
    #expect(try pair.transferToClient() == [1])
    return try #require(pair.clientSession, "\(String(describing: pair.clientError))")
  }

  @Test func secondConnectionIsResumed() throws {
    let first = try session()
    #expect(!first.isResumed)
    let second = try session()
    #expect(second.isResumed)
    #expect(second.peerCertificate == first.peerCertificate)
    #expect(second.applicationProtocol == "h2")
    #expect(try session().isResumed)
  }

  @Test func rejectedTicketFallsBackToAFullHandshake() throws {
    _ = try session()
    let restarted = try TLSEngineTests.identity.server()
    #expect(try !session(with: restarted).isResumed)
    #expect(try session(with: restarted).isResumed)
  }

  /// The session of one name is not used for another.
  @Test func sessionIsBoundToTheServerName() throws {
    _ = try session()
    #expect(try !session(as: "127.0.0.1").isResumed)
    #expect(try session(as: "127.0.0.1").isResumed)
    #expect(try session().isResumed)
  }

  @Test func sessionsAreNotSharedBetweenContexts() throws {
    _ = try session()
    let other = try TLSPair(client: Certificates.root.client(), server: server)
    other.handshake()
    #expect(other.clientSession?.isResumed == false)
  }

  /// Each ticket is used once. A server sends two tickets, so two of three simultaneous connections
  /// are resumed.
  @Test func ticketsAreUsedOnce() throws {
    _ = try session()
    let pairs = try (0..<3).map { _ in
      let pair = try TLSPair(client: client, server: server)
      _ = try pair.client.handshake()
      return pair
    }
    for pair in pairs { pair.handshake() }
    #expect(pairs.map { $0.clientSession?.isResumed } == [true, true, false])
  }

  /// A connection that is abandoned before its handshake uses no ticket.
  @Test func ticketIsTakenAtTheStartOfTheHandshake() throws {
    _ = try session()
    for _ in 0..<3 { _ = try TLSPair(client: client, server: server) }
    #expect(try session().isResumed)
  }

  @Test func storedSessionsAreLimited() throws {
    for resumed in [0, 8] {
      // All connections start before any of them receives new tickets.
      let pairs = try (0..<20).map { _ in
        let pair = try TLSPair(client: client, server: server)
        _ = try pair.client.handshake()
        return pair
      }
      for pair in pairs { pair.handshake() }
      #expect(pairs.filter { $0.clientSession?.isResumed == true }.count == resumed)
    }
  }

  @Test func truncatedConnectionIsResumed() throws {
    let pair = try TLSPair(client: client, server: server)
    pair.handshake()
    pair.client.receiveEOF()
    #expect(throws: TLSError(.truncated)) { try pair.client.read() }
    #expect(try session().isResumed)
  }
}
