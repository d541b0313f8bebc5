import COpenSSL
import Foundation
import TestSupport
import Testing

@testable import WireTLS

@Suite struct TLSContextTests {
  /// Returns the reason of a `local` error.
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

  @Test func privateKeyIsNotPrinted() {
    var configuration = TLSConfiguration()
    configuration.identity = TLSConfiguration.Identity(
      certificate: .file("c.pem"), privateKey: .pem([104, 105, 100]))
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(text.contains("c.pem"))
      #expect(!text.contains("105"), "\(text)")
      #expect(text.contains("3 bytes of PEM"))
    }
  }

  /// OpenSSL's exit handler would free memory that threads of event loops still use.
  @Test func openSSLHasNoExitHandler() async {
    await #expect(processExitsWith: .success) {
      let root = Array(Certificates.root.certificate.utf8)
      _ = try TLSContext(client: TLSConfiguration(trust: .pem(root)))
      #expect(OPENSSL_atexit({ _exit(3) }) == 1)
      exit(0)
    }
  }

  @Test func missingFileIsNamed() {
    let reason = reason { try client(.file("/nowhere/ca.pem")) }
    #expect(
      reason == "the file of root certificates /nowhere/ca.pem: No such file or directory")
  }

  @Test func oversizedFileIsNamedWithTheLimit() {
    #expect(
      reason { try client(.file("/dev/zero")) }
        == "the file of root certificates /dev/zero: larger than 8 MiB")
    var configuration = TLSConfiguration(
      trust: .pem(Array(Certificates.root.certificate.utf8)))
    configuration.revocationLists = .file("/dev/zero")
    #expect(
      reason { _ = try TLSContext(client: configuration) }
        == "the file of revocation lists /dev/zero: larger than 64 MiB")
    configuration.revocationLists = nil
    configuration.identity = TLSConfiguration.Identity(
      certificate: .file("/dev/zero"), privateKey: .pem([]))
    #expect(
      reason { _ = try TLSContext(client: configuration) }
        == "the file of the certificate /dev/zero: larger than 1 MiB")
  }

  @Test func incompletePipeFailsAtTheDeadline() throws {
    let path = "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    #expect(
      reason {
        _ = try TLSContext(
          client: TLSConfiguration(trust: .file(path)), until: .now + .milliseconds(10))
      } == "the file of root certificates \(path): not read before the deadline")
  }

  /// A pipe can be read once.
  @Test func pipeWithCertificateAndKeyIsReadOnce() throws {
    let path = "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let text = Certificates.good.key + "\n" + Certificates.good.certificate
    Foundation.Thread {
      let file = fopen(path, "w")
      fputs(text, file)
      fclose(file)
    }.start()
    _ = try TLSContext(
      client: TLSConfiguration(
        verification: .none, identity: .init(certificate: .file(path), privateKey: .file(path))))
  }

  @Test func rootsAreReadFromAFile() throws {
    try withTemporaryFile(Certificates.root.certificate.utf8) { path in
      let pair = try TLSPair(
        client: TLSContext(client: TLSConfiguration(trust: .file(path))),
        server: TLSEngineTests.identity.server())
      pair.handshake()
      #expect(pair.clientSession != nil)
    }
  }

  @Test func invalidRootsAreRejected() {
    let missing = "the file of root certificates has no PEM certificate (BEGIN CERTIFICATE)"
    #expect(reason { try client(.pem([])) } == missing)
    #expect(reason { try client(.pem(Array(Certificates.root.key.utf8))) } == missing)
    let broken = Certificates.root.certificate.replacing("MII", with: "MIX")
    #expect(
      reason { try client(.pem(Array(broken.utf8))) }.hasPrefix(
        "the file of root certificates cannot be decoded: "))
    // A valid one before an invalid one does not hide it.
    let both = Certificates.root.certificate + "\n" + broken
    #expect(
      reason { try client(.pem(Array(both.utf8))) }.hasPrefix(
        "the file of root certificates cannot be decoded: "))
  }

  @Test func textAroundCertificatesIsIgnored() throws {
    let text = "# my root\n\(Certificates.root.certificate)\n# the end\n"
    try client(.pem(Array(text.utf8)))
  }

  @Test func serverRequiresTheKeyOfItsCertificate() {
    func server(_ certificate: String, _ key: String) -> String {
      reason {
        _ = try TLSContext(
          serverCertificate: Array(certificate.utf8), privateKey: Array(key.utf8))
      }
    }
    let good = Certificates.good
    #expect(server(good.certificate, good.key) == "no error")
    #expect(server(good.certificate, "").hasPrefix("the file of the private key has no PEM"))
    #expect(server("", good.key).hasPrefix("the file of the certificate has no PEM certificate"))
    #expect(
      server(good.certificate, Certificates.root.key)
        .hasPrefix("the file of the private key does not match the first certificate of"))
  }

  @Test func clientRequiresTheKeyOfItsCertificate() {
    typealias Source = TLSConfiguration.PEMSource
    func client(_ certificate: Source, _ key: Source) -> String {
      let configuration = TLSConfiguration(
        verification: .none, identity: .init(certificate: certificate, privateKey: key))
      return reason { _ = try TLSContext(client: configuration) }
    }
    let certificate = Source.pem(Array(TLSEngineTests.identity.certificate.utf8))
    let key = Source.pem(Array(Certificates.good.key.utf8))
    #expect(client(certificate, key) == "no error")
    let both = Source.pem(key.bytes + [UInt8(ascii: "\n")] + certificate.bytes)
    #expect(client(both, both) == "no error")
    #expect(
      client(.file("/nowhere.pem"), key)
        == "the file of the certificate /nowhere.pem: No such file or directory")
    #expect(
      client(certificate, .file("/nowhere.key"))
        == "the file of the private key /nowhere.key: No such file or directory")
    #expect(client(key, key).hasPrefix("the file of the certificate has no PEM certificate"))
    // The key is expected in the same file.
    #expect(client(certificate, certificate).hasPrefix("the file of the certificate has no PEM p"))
    #expect(
      client(certificate, .pem(Array(Certificates.root.key.utf8)))
        .hasPrefix("the file of the private key does not match the first certificate of"))
    let broken = Array(Certificates.good.key.replacing("M", with: "N").utf8)
    #expect(
      client(certificate, .pem(broken)).hasPrefix(
        "the file of the private key cannot be decoded: not a usable private key: "))
    for text in [Self.encryptedKey, Self.oldEncryptedKey] {
      #expect(
        client(certificate, .pem(Array(text.utf8)))
          .hasPrefix("the file of the private key is encrypted: decrypt it first"))
    }
  }

  @Test func invalidRevocationListsAreRejected() {
    func client(_ text: String) -> String {
      var configuration = TLSConfiguration(
        trust: .pem(Array(Certificates.root.certificate.utf8)))
      configuration.revocationLists = .pem(Array(text.utf8))
      return reason { _ = try TLSContext(client: configuration) }
    }
    let missing = "the file of revocation lists has no PEM revocation list (BEGIN X509 CRL)"
    #expect(client("") == missing)
    #expect(client(Certificates.root.certificate) == missing)
    #expect(
      client("-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n")
        .hasPrefix("the file of revocation lists cannot be decoded: "))
  }

  @Test func unwritableKeyLogIsReported() {
    var configuration = TLSConfiguration(verification: .none)
    configuration.keyLogFile = "/nowhere/keys"
    #expect(
      reason { _ = try TLSContext(client: configuration) }
        == "the key log /nowhere/keys: No such file or directory")
  }

  @Test(arguments: ["", String(repeating: "x", count: 256)])
  func protocolNamesOfInvalidLengthAreRejected(name: String) {
    let configuration = TLSConfiguration(
      trust: .pem(Array(Certificates.root.certificate.utf8)), applicationProtocols: [name])
    #expect(
      reason { _ = try TLSContext(client: configuration) }
        == "'\(name)' is not an ALPN protocol name")
  }

  /// The first lines of `openssl pkey -aes128` and `openssl ec -aes128`.
  private static let encryptedKey = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhLmVbmVCx6XgICCAAw
    -----END ENCRYPTED PRIVATE KEY-----
    """
  private static let oldEncryptedKey = """
    -----BEGIN EC PRIVATE KEY-----
    Proc-Type: 4,ENCRYPTED
    DEK-Info: AES-128-CBC,0B9C2AAE9B8C1F9B0B9C2AAE9B8C1F9B

    MHcCAQEEIOIJ
    -----END EC PRIVATE KEY-----
    """
}

extension TLSConfiguration.PEMSource {
  fileprivate var bytes: [UInt8] {
    if case .pem(let bytes) = self { bytes } else { [] }
  }
}
