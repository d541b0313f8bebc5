import TestSupport
import Testing
import WireTLS

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO
@testable import WireTransport

/// Each kind of failure has its reason and text.
@Suite(.timeLimit(.minutes(20))) struct ConnectionFailureTests {
  private func failure(
    at target: String, _ security: ChannelConfiguration.Security = .plaintext,
    authority: String? = nil
  ) async throws -> ConnectionFailure {
    let channel = try Channel(
      target: target,
      configuration: ChannelConfiguration(
        security: security, proxy: .none, authority: authority, failFast: true))
    let outcome = await channel.call()
    let error = try #require(outcome.error)
    #expect(error.code == .unavailable)
    #expect(error.kind == .serverOrNetwork)
    #expect(outcome.attempts == 0)
    let failure = try #require(error.connectionFailure)
    #expect(error.message.contains(failure.detail))
    #expect(failure.peer.contains(try Target(target).description))
    await channel.close()
    return failure
  }

  /// Returns the failure of a plaintext client whose server sends these bytes and closes.
  private func failure(answeredBy bytes: [UInt8]) async throws -> ConnectionFailure {
    let server = try await ScriptedServer.start { _, event in
      if case .accepted = event { return [.send(bytes)] }
      return [.close]
    }
    let failure = try await failure(at: server.target)
    await server.stop()
    return failure
  }

  @Test func reportsRefusedConnections() async throws {
    let failure = try await failure(at: SocketAddress.closed.description)
    #expect(failure.reason == .refused)
  }

  @Test func reportsUnresolvableNames() async throws {
    let failure = try await failure(at: "no-such-host.invalid:1")
    #expect(failure.reason == .nameNotResolved)
    #expect(failure.detail.contains("no-such-host.invalid"))
  }

  @Test func reportsMissingUnixSockets() async throws {
    let failure = try await failure(at: "unix:/no/such.sock")
    #expect(failure.reason == .refused)
    #expect(failure.description == "unix:/no/such.sock: the unix socket does not exist")
  }

  @Test func reportsPeersThatCloseWithoutAByte() async throws {
    let failure = try await failure(answeredBy: [])
    #expect(failure.reason == .closedUnanswered)
    #expect(failure.detail.contains("TLS servers often do this"))
  }

  @Test func reportsTLSAlertsInPlaintext() async throws {
    let failure = try await failure(answeredBy: [0x15, 3, 1, 0, 2, 2, 70])
    #expect(failure.reason == .tlsPeer)
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.0 505 No\r\n\r\n"])
  func reportsHTTP1Peers(_ answer: String) async throws {
    let failure = try await failure(answeredBy: Array(answer.utf8))
    #expect(failure.reason == .http1Peer)
  }

  @Test func reportsHTMLPages() async throws {
    let failure = try await failure(answeredBy: Array("<!DOCTYPE HTML>\n<html lang=\"en\">".utf8))
    #expect(failure.reason == .http1Peer)
    #expect(failure.detail == "the peer does not speak HTTP/2: it sent an HTML page")
  }

  @Test(
    arguments: [
      ("HTTP/1.1 400 Bad Request\r\n\r\n", .http1Peer), ("<html><body>no", .http1Peer),
      ("SSH-2.0-OpenSSH_9.2\r\n", .notHTTP2),
    ] as [(String, ConnectionFailure.Reason)])
  func reportsOtherProtocolsInsteadOfTLS(
    _ answer: String, _ reason: ConnectionFailure.Reason
  ) async throws {
    let server = try await ScriptedServer.start { _, event in
      if case .accepted = event { return [.send(Array(answer.utf8))] }
      return [.close]
    }
    let failure = try await failure(at: server.target, tls(.pem(TestCertificate.pem)))
    #expect(failure.reason == reason)
    await server.stop()
  }

  /// The failure of the address whose peer answered is the most specific.
  @Test func reportsTheAddressThatAnswered() async throws {
    let server = try await ScriptedServer.start { _, event in
      if case .accepted = event { return [.send(Array("HTTP/1.1 400 No\r\n\r\n".utf8))] }
      return [.close]
    }
    let closed = SocketAddress.closed
    let failure = try await failure(at: "ipv4:\(closed),\(server.target)")
    #expect(failure.reason == .http1Peer)
    #expect(failure.detail.contains("\(closed): connection refused"), "\(failure)")
    await server.stop()
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example ESMTP\r\n", "\0\0\0\0\0\0\0\0\0\0",
  ])
  func reportsOtherProtocols(_ answer: String) async throws {
    let failure = try await failure(answeredBy: Array(answer.utf8))
    #expect(failure.reason == .notHTTP2)
  }

  @Test func reportsAllAddressesThatFailed() async throws {
    let (one, other) = (SocketAddress.closed, SocketAddress.otherClosed)
    let failure = try await failure(at: "ipv4:\(one),\(other)")
    #expect(failure.reason == .refused)
    #expect(failure.detail.contains("\(other): same failure"), "\(failure)")
  }

  // MARK: TLS

  private func tls(_ trust: TLSConfiguration.Trust) -> ChannelConfiguration.Security {
    .tls(TLSConfiguration(trust: trust))
  }

  @Test func connectsToATLSServer() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(), requestScript { _, stream in [okResponse(stream)] })
    let channel = try Channel(
      target: server.target,
      configuration: ChannelConfiguration(
        security: tls(.pem(TestCertificate.pem)), authority: "localhost"))
    #expect(await channel.call().message == [7, 8])
    await channel.close()
    await server.stop()
  }

  @Test func reportsPlaintextServers() async throws {
    let server = try await ScriptedServer.start(requestScript { _, _ in [] })
    let failure = try await failure(at: server.target, tls(.pem(TestCertificate.pem)))
    #expect(failure.reason == .plaintextPeer)
    await server.stop()
  }

  @Test func reportsUntrustedCertificates() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(), requestScript { _, _ in [] })
    let failure = try await failure(
      at: server.target, tls(.pem(TestCertificate.other)), authority: "localhost")
    guard case .untrustedCertificate = failure.reason else {
      Issue.record("\(failure.reason)")
      return
    }
    await server.stop()
  }

  @Test func reportsCertificatesForOtherNames() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(), requestScript { _, _ in [] })
    let failure = try await failure(
      at: server.target, tls(.pem(TestCertificate.pem)), authority: "fleet.example")
    #expect(
      failure.reason == .hostnameMismatch(expected: "fleet.example", names: ["localhost"]))
    await server.stop()
  }

  @Test func reportsMissingALPN() async throws {
    let server = try await ScriptedServer.start(
      tls: TestCertificate.context(applicationProtocols: ["http/1.1"]), requestScript { _, _ in [] }
    )
    let failure = try await failure(
      at: server.target, tls(.pem(TestCertificate.pem)), authority: "localhost")
    #expect(failure.reason == .noALPN)
    await server.stop()
  }

  // MARK: Configuration

  @Test func refusesInvalidTargets() throws {
    let error = try #require(throws: CallError.self) { try Channel(target: "https://host") }
    #expect(error.connectionFailure?.reason == .configuration)
    #expect(error.origin == .local)
    #expect(error.kind == .client)
  }

  @Test func reportsUnreadableRoots() throws {
    let error = try #require(throws: CallError.self) {
      try Channel(
        target: "host",
        configuration: ChannelConfiguration(security: tls(.file("/no/such/file.pem"))))
    }
    #expect(error.connectionFailure?.reason == .configuration)
    #expect(error.message.contains("/no/such/file.pem"))
  }
}
