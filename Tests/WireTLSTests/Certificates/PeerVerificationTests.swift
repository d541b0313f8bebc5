import TestSupport
import Testing
import WireTLS

@Suite struct PeerVerificationTests {
  /// The result of a client that trusts `root`, and the alert that the server receives.
  func meet(
    _ server: PEMIdentity, as serverName: String = "localhost",
    trusting root: PEMIdentity = Certificates.root,
    verification: TLSConfiguration.Verification = .full
  ) throws -> (session: TLSSession?, client: TLSError.Kind?, server: TLSError.Kind?) {
    let pair = try TLSPair(
      client: root.client(verification: verification), server: server.server(),
      serverName: serverName)
    pair.shakeHands()
    return (pair.clientSession, pair.clientError?.kind, pair.serverError?.kind)
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "::1", "[::1]", "::1%lo",
    "eu.fleet.example",
  ])
  func acceptsTheNamesOfTheCertificate(serverName: String) throws {
    let outcome = try meet(TLSEngineTests.identity, as: serverName)
    #expect(outcome.client == nil)
    #expect(outcome.session != nil)
  }

  @Test(arguments: ["localhost", "fleet.example", "a.b.fleet.example", "127.0.0.1", "::2"])
  func refusesOtherNamesAndListsThoseThereAre(serverName: String) throws {
    let outcome = try meet(Certificates.otherHost, as: serverName)
    #expect(
      outcome.client
        == .hostnameMismatch(
          expected: serverName,
          names: ["other.example", "www.other.example", "192.0.2.7", "2001:db8:0:0:0:0:0:7"]))
    #expect(outcome.session == nil)
    #expect(outcome.server == .alert(name: "bad_certificate"))
  }

  @Test func aWildcardStandsForOneLabel() throws {
    for serverName in ["a.b.fleet.example", "fleet.example"] {
      let outcome = try meet(TLSEngineTests.identity, as: serverName)
      guard case .hostnameMismatch(serverName, _)? = outcome.client else {
        Issue.record("\(serverName): \(String(describing: outcome.client))")
        continue
      }
    }
  }

  /// RFC 9525 §2.
  @Test func theCommonNameDoesNotCount() throws {
    for name in ["localhost", "other.example"] {
      let outcome = try meet(Certificates.commonNameOnly, as: name)
      #expect(outcome.client == .hostnameMismatch(expected: name, names: []))
    }
  }

  @Test func namesTheUnknownIssuer() throws {
    let outcome = try meet(TLSEngineTests.identity, trusting: Certificates.strangeRoot)
    guard case .untrustedCertificate(let reason)? = outcome.client else {
      Issue.record("\(String(describing: outcome.client))")
      return
    }
    #expect(reason.contains("issuer"))
    #expect(reason.contains("CN=Test Root"))
    #expect(outcome.server == .alert(name: "unknown_ca"))
  }

  @Test func namesAMissingIntermediate() throws {
    guard case .untrustedCertificate(let reason)? = try meet(Certificates.good).client else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("issuer CN=Test Intermediate"))
  }

  @Test func namesASelfSignedCertificate() throws {
    guard case .untrustedCertificate(let reason)? = try meet(Certificates.selfSigned).client else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("self-signed"))
  }

  @Test func namesAnExpiredCertificate() throws {
    let outcome = try meet(Certificates.expired)
    #expect(
      outcome.client
        == .expiredCertificate(subject: "CN=localhost", notAfter: "2001-01-01T00:00:00Z"))
    #expect(outcome.server == .alert(name: "certificate_expired"))
  }

  @Test func namesACertificateOfTheFuture() throws {
    #expect(
      try meet(Certificates.notYetValid).client
        == .notYetValidCertificate(subject: "CN=localhost", notBefore: "2125-01-01T00:00:00Z"))
  }

  @Test func namesACertificateForAnotherUse() throws {
    guard case .untrustedCertificate(let reason)? = try meet(Certificates.clientOnly).client else {
      Issue.record("accepted")
      return
    }
    #expect(reason.contains("purpose"))
  }

  /// A listed certificate is trusted as such.
  @Test func anyCertificateCanBeTheEndOfTheChain() throws {
    #expect(
      try meet(TLSEngineTests.identity, trusting: Certificates.intermediate).client == nil)
    #expect(try meet(Certificates.good, trusting: Certificates.good).client == nil)
    #expect(try meet(Certificates.selfSigned, trusting: Certificates.selfSigned).client == nil)
  }

  @Test(arguments: [
    Named("self-signed", Certificates.selfSigned), Named("expired", Certificates.expired),
    Named("other host", Certificates.otherHost),
  ])
  func withoutVerificationAnyoneIsBelieved(server: Named<PEMIdentity>) throws {
    let outcome = try meet(server.value, verification: .none)
    #expect(outcome.client == nil)
    #expect(outcome.session?.peerCertificate != nil)
  }

  @Test(arguments: [
    Named("empty", ""), Named("dot", "."), Named("NUL", "a\0b"),
    Named("256 characters", String(repeating: "x", count: 256)),
  ])
  func refusesWhatIsNoServerName(_ name: Named<String>) throws {
    let serverName = name.value
    let context = try Certificates.root.client()
    #expect(throws: TLSError(.local("'\(serverName)' is not a valid TLS server name"))) {
      try TLSEngine(context: context, role: .client(serverName: serverName))
    }
  }
}

@Suite struct ALPNTests {
  func meet(client: [String], server: [String]) throws -> TLSPair {
    let pair = try TLSPair(
      client: Certificates.root.client(applicationProtocols: client),
      server: TLSEngineTests.identity.server(applicationProtocols: server))
    pair.shakeHands()
    return pair
  }

  @Test func theServersFirstChoiceIsTaken() throws {
    let pair = try meet(client: ["h2", "http/1.1"], server: ["http/1.1", "h2"])
    #expect(pair.clientSession?.applicationProtocol == "http/1.1")
    #expect(pair.serverSession?.applicationProtocol == "http/1.1")
  }

  @Test func aServerThatKnowsNoALPNIsNamed() throws {
    let pair = try meet(client: ["h2"], server: [])
    #expect(pair.clientError == TLSError(.noALPN(offered: ["h2"])))
  }

  @Test func aServerThatRefusesTheProtocolIsNamed() throws {
    let pair = try meet(client: ["h2"], server: ["http/1.1"])
    #expect(pair.clientError == TLSError(.noALPN(offered: ["h2"])))
    #expect(pair.serverError == TLSError(.noALPN(offered: ["http/1.1"])))
  }

  @Test func aClientMayDoWithout() throws {
    let pair = try meet(client: [], server: ["h2"])
    #expect(pair.clientSession != nil)
    #expect(pair.clientSession?.applicationProtocol == nil)
  }
}
