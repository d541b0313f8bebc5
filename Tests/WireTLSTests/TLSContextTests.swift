import TestSupport
import Testing

@testable import WireTLS

@Suite struct TLSContextTests {
  /// The reason of a `local` error.
  func reason(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as TLSError {
      guard case .local(let reason) = error.kind else { return "\(error.kind)" }
      #expect(error.description == reason)
      return reason
    } catch {
      return "\(error)"
    }
  }

  func client(_ trust: TLSConfiguration.Trust) throws {
    _ = try TLSContext(client: TLSConfiguration(trust: trust))
  }

  @Test func aFileThatIsNotThereIsNamed() {
    let reason = reason { try client(.file("/nowhere/ca.pem")) }
    #expect(
      reason == "cannot read certificates from /nowhere/ca.pem: No such file or directory")
  }

  @Test func aFileIsRead() throws {
    try withTemporaryFile(Certificates.root.certificate.utf8) { path in
      let pair = try TLSPair(
        client: TLSContext(client: TLSConfiguration(trust: .file(path))),
        server: TLSEngineTests.identity.server())
      pair.shakeHands()
      #expect(pair.clientSession != nil)
    }
  }

  @Test func rootsThatAreNoneAreRefused() {
    #expect(reason { try client(.pem([])) } == "the root certificates has no PEM certificate")
    #expect(
      reason { try client(.pem(Array(Certificates.root.key.utf8))) }
        == "the root certificates has no PEM certificate")
    let broken = Certificates.root.certificate.replacing("MII", with: "MIX")
    #expect(reason { try client(.pem(Array(broken.utf8))) }.hasPrefix("the root certificates: "))
    // A good one before a broken one does not hide it.
    let both = Certificates.root.certificate + "\n" + broken
    #expect(reason { try client(.pem(Array(both.utf8))) }.hasPrefix("the root certificates: "))
  }

  @Test func certificatesWithTextAroundThemAreRead() throws {
    let text = "# my root\n\(Certificates.root.certificate)\n# the end\n"
    try client(.pem(Array(text.utf8)))
  }

  @Test func aServerNeedsAKeyOfItsCertificate() {
    func server(_ certificate: String, _ key: String) -> String {
      reason {
        _ = try TLSContext(
          serverCertificate: Array(certificate.utf8), privateKey: Array(key.utf8))
      }
    }
    let good = Certificates.good
    #expect(server(good.certificate, good.key) == "no error")
    #expect(server(good.certificate, "").hasPrefix("the server key has no usable PEM private key"))
    #expect(server("", good.key) == "the server certificate has no PEM certificate")
    #expect(
      server(good.certificate, Certificates.root.key).hasPrefix("cannot use the server certificate")
    )
  }

  @Test(arguments: ["", String(repeating: "x", count: 256)])
  func protocolNamesHaveALength(name: String) {
    let configuration = TLSConfiguration(
      trust: .pem(Array(Certificates.root.certificate.utf8)), applicationProtocols: [name])
    #expect(
      reason { _ = try TLSContext(client: configuration) } == "'\(name)' is no ALPN protocol name")
  }
}
