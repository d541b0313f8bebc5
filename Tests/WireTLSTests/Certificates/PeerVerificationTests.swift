import TestSupport
import Testing
import WireTLS

@Suite struct PeerVerificationTests {
  /// Performs a handshake and returns the client's session or error, and the server's error.
  func connect(
    _ server: PEMIdentity, as serverName: String = "localhost",
    trusting root: PEMIdentity = Certificates.root,
    verification: TLSConfiguration.Verification = .full
  ) throws -> (session: TLSSession?, client: TLSError.Kind?, server: TLSError.Kind?) {
    let pair = try TLSPair(
      client: root.client(verification: verification), server: server.server(),
      serverName: serverName)
    pair.handshake()
    return (pair.clientSession, pair.clientError?.kind, pair.serverError?.kind)
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "::1", "[::1]", "::1%lo",
    "eu.fleet.example",
  ])
  func namesOfTheCertificateAreAccepted(serverName: String) throws {
    let outcome = try connect(TLSEngineTests.identity, as: serverName)
    #expect(outcome.client == nil)
    #expect(outcome.session != nil)
  }

  @Test(arguments: ["localhost", "fleet.example", "a.b.fleet.example", "127.0.0.1", "::2"])
  func mismatchListsTheNamesOfTheCertificate(serverName: String) throws {
    let outcome = try connect(Certificates.otherHost, as: serverName)
    #expect(
      outcome.client
        == .hostnameMismatch(
          expected: serverName,
          names: ["other.example", "www.other.example", "192.0.2.7", "2001:db8:0:0:0:0:0:7"]))
    #expect(outcome.session == nil)
    #expect(outcome.server == .alert(name: "bad_certificate"))
  }

  @Test func wildcardMatchesOneLabel() throws {
    for serverName in ["a.b.fleet.example", "fleet.example"] {
      let outcome = try connect(TLSEngineTests.identity, as: serverName)
      guard case .hostnameMismatch(serverName, _)? = outcome.client else {
        Issue.record("\(serverName): \(String(describing: outcome.client))")
        continue
      }
    }
  }

  /// RFC 9525 §2.
  @Test func commonNameIsIgnored() throws {
    for name in ["localhost", "other.example"] {
      let outcome = try connect(Certificates.commonNameOnly, as: name)
      #expect(outcome.client == .hostnameMismatch(expected: name, names: []))
    }
  }

  @Test func unknownIssuerIsNamed() throws {
    let outcome = try connect(TLSEngineTests.identity, trusting: Certificates.strangeRoot)
    guard case .untrustedCertificate(let reason)? = outcome.client else {
      Issue.record("\(String(describing: outcome.client))")
      return
    }
    #expect(reason.contains("issuer"))
    #expect(reason.contains("CN=Test Root"))
    #expect(outcome.server == .alert(name: "unknown_ca"))
  }

  @Test func missingIntermediateIsNamed() throws {
    guard case .untrustedCertificate(let reason)? = try connect(Certificates.good).client else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("issuer CN=Test Intermediate"))
  }

  @Test func selfSignedCertificateIsReported() throws {
    guard case .untrustedCertificate(let reason)? = try connect(Certificates.selfSigned).client
    else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("self-signed"))
  }

  @Test func expiredCertificateIsReported() throws {
    let outcome = try connect(Certificates.expired)
    #expect(
      outcome.client
        == .expiredCertificate(subject: "CN=localhost", notAfter: "2001-01-01T00:00:00Z"))
    #expect(outcome.server == .alert(name: "certificate_expired"))
  }

  @Test func notYetValidCertificateIsReported() throws {
    #expect(
      try connect(Certificates.notYetValid).client
        == .notYetValidCertificate(subject: "CN=localhost", notBefore: "2125-01-01T00:00:00Z"))
  }

  @Test func certificateForAnotherPurposeIsReported() throws {
    guard case .untrustedCertificate(let reason)? = try connect(Certificates.clientOnly).client
    else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("purpose"))
  }

  /// A listed certificate is trusted even if it is not a root.
  @Test func anyTrustedCertificateEndsTheChain() throws {
    #expect(
      try connect(TLSEngineTests.identity, trusting: Certificates.intermediate).client == nil)
    #expect(try connect(Certificates.good, trusting: Certificates.good).client == nil)
    #expect(try connect(Certificates.selfSigned, trusting: Certificates.selfSigned).client == nil)
  }

  @Test(arguments: [
    Named("self-signed", Certificates.selfSigned), Named("expired", Certificates.expired),
    Named("other host", Certificates.otherHost),
  ])
  func anyCertificateIsAcceptedWithoutVerification(server: Named<PEMIdentity>) throws {
    let outcome = try connect(server.value, verification: .none)
    #expect(outcome.client == nil)
    #expect(outcome.session?.peerCertificate != nil)
  }

  @Test(arguments: [
    Named("empty", ""), Named("dot", "."), Named("NUL", "a\0b"),
    Named("256 characters", String(repeating: "x", count: 256)),
  ])
  func invalidServerNamesAreRejected(_ name: Named<String>) throws {
    let serverName = name.value
    let context = try Certificates.root.client()
    #expect(throws: TLSError(.local("'\(serverName)' is not a valid TLS server name"))) {
      try TLSEngine(context: context, role: .client(serverName: serverName))
    }
  }
}

@Suite struct ALPNTests {
  func connect(client: [String], server: [String]) throws -> TLSPair {
    let pair = try TLSPair(
      client: Certificates.root.client(applicationProtocols: client),
      server: TLSEngineTests.identity.server(applicationProtocols: server))
    pair.handshake()
    return pair
  }

  @Test func serverPreferenceWins() throws {
    let pair = try connect(client: ["h2", "http/1.1"], server: ["http/1.1", "h2"])
    #expect(pair.clientSession?.applicationProtocol == "http/1.1")
    #expect(pair.serverSession?.applicationProtocol == "http/1.1")
  }

  @Test func serverWithoutALPNIsReported() throws {
    let pair = try connect(client: ["h2"], server: [])
    #expect(pair.clientError == TLSError(.noALPN(offered: ["h2"])))
  }

  @Test func serverWithoutACommonProtocolIsReported() throws {
    let pair = try connect(client: ["h2"], server: ["http/1.1"])
    #expect(pair.clientError == TLSError(.noALPN(offered: ["h2"])))
    #expect(pair.serverError == TLSError(.noALPN(offered: ["http/1.1"])))
  }

  @Test func clientMayOmitALPN() throws {
    let pair = try connect(client: [], server: ["h2"])
    #expect(pair.clientSession != nil)
    #expect(pair.clientSession?.applicationProtocol == nil)
  }
}
