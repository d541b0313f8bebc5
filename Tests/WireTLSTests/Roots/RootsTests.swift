import Testing
import WireSystem

@testable import WireTLS

/// The system's root certificates, with directories and variables of the test.
@Suite struct RootsTests {
  /// A temporary directory, removed at deinitialization.
  final class Directory {
    let path = "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    private var files: [String] = []

    init() {
      mkdir(path, 0o700)
    }

    func add(_ name: String, _ text: String) throws -> String {
      let file = try #require(fopen("\(path)/\(name)", "w"))
      fputs(text, file)
      fclose(file)
      files.append("\(path)/\(name)")
      return "\(path)/\(name)"
    }

    deinit {
      for file in files { unlink(file) }
      rmdir(path)
    }
  }

  /// Returns whether a client with these system locations trusts the server.
  func isTrusted(
    file: String? = nil, directory: String? = nil, directories: [String] = [],
    bundles: [String] = [], server: PEMIdentity = TLSEngineTests.identity
  ) throws -> Bool {
    let context = try TLSContext(
      client: TLSConfiguration(),
      system: SystemRoots(
        file: file, directory: directory, directories: directories, bundles: bundles))
    // The second connection finds the root in the store, where the first one added it from the
    // bundle.
    return try Set(
      (0..<2).map { _ in
        let pair = try TLSPair(client: context, server: server.server())
        pair.handshake()
        return pair.clientSession != nil
      }) == [true]
  }

  @Test func hashedDirectoryIsUsed() throws {
    let directory = Directory()
    _ = try directory.add(Certificates.hashedRootName, Certificates.root.certificate)
    #expect(try isTrusted(directories: ["/nowhere", directory.path]))
    #expect(try isTrusted(directory: directory.path))
  }

  @Test func variableMayNameSeveralDirectories() throws {
    let (empty, directory) = (Directory(), Directory())
    _ = try directory.add(Certificates.hashedRootName, Certificates.root.certificate)
    #expect(try isTrusted(directory: "\(empty.path):\(directory.path)"))
    #expect(try !isTrusted(directory: empty.path))
  }

  /// A pipe or device with the hashed name must neither block nor hide the next file.
  @Test func otherEntriesOfADirectoryAreSkipped() throws {
    let directory = Directory()
    let base = Certificates.hashedRootName.dropLast()
    #expect(mkfifo(directory.path + "/\(base)0", 0o600) == 0)
    #expect(symlink("/dev/zero", directory.path + "/\(base)1") == 0)
    defer { for number in 0...1 { unlink("\(directory.path)/\(base)\(number)") } }
    _ = try directory.add("\(base)2", Certificates.root.certificate)
    #expect(try isTrusted(directory: directory.path))
  }

  @Test func directoryWithoutHashedNamesIsSkipped() throws {
    let directory = Directory()
    let bundle = try directory.add("ca-certificates.crt", Certificates.root.certificate)
    #expect(try isTrusted(directories: [directory.path], bundles: ["/nowhere", bundle]))
  }

  @Test func variablesTakePrecedenceOverTheSystem() throws {
    let directory = Directory()
    let root = try directory.add("root.pem", Certificates.root.certificate)
    let stranger = try directory.add("stranger.pem", Certificates.strangeRoot.certificate)
    #expect(try isTrusted(file: root, bundles: [stranger]))
    #expect(try !isTrusted(file: stranger, bundles: [root]))
  }

  @Test func missingFileOfAVariableIsAnError() throws {
    #expect(
      reason { try isTrusted(file: "/nowhere/ca.pem") }
        == "SSL_CERT_FILE /nowhere/ca.pem: No such file or directory")
  }

  @Test func oversizedFileOfAVariableIsAnError() {
    #expect(
      reason { try isTrusted(file: "/dev/zero") }
        == "SSL_CERT_FILE /dev/zero: larger than 8 MiB")
  }

  private func reason(_ body: () throws -> Bool) -> String? {
    let error = #expect(throws: TLSError.self) { _ = try body() }
    guard case .local(let reason) = error?.kind else { return nil }
    return reason
  }

  @Test func variableWithoutCertificatesIsAnError() throws {
    let directory = Directory()
    let file = try directory.add("key.pem", Certificates.root.key)
    #expect(
      reason { try isTrusted(file: file) }
        == "SSL_CERT_FILE \(file) has no PEM certificate (BEGIN CERTIFICATE)")
  }

  @Test func rootIsFoundInALargeBundle() throws {
    let directory = Directory()
    let others = [Certificates.strangeRoot, Certificates.selfSigned, Certificates.otherHost]
    let text = (others + [Certificates.root] + others).map(\.certificate)
      .joined(separator: "\n# a comment\n")
    #expect(try isTrusted(file: directory.add("unix.pem", text)))
    #expect(
      try isTrusted(file: directory.add("dos.pem", text.replacing("\n", with: "\r\n"))))
  }

  @Test func intermediateOfABundleCompletesTheChain() throws {
    let directory = Directory()
    let both = Certificates.root.certificate + "\n" + Certificates.intermediate.certificate
    #expect(try isTrusted(file: directory.add("both.pem", both), server: Certificates.good))
    // Without its root it is not the end of a chain.
    let one = try directory.add("one.pem", Certificates.intermediate.certificate)
    #expect(try !isTrusted(file: one, server: Certificates.good))
  }

  @Test func invalidCertificatesOfABundleAreSkipped() throws {
    let directory = Directory()
    let broken = Certificates.root.certificate.replacing("MII", with: "MIX")
    let begin = "-----BEGIN CERTIFICATE-----"
    let text = [broken, begin, Certificates.root.certificate, begin, "MII"]
    #expect(try isTrusted(file: directory.add("bundle.pem", text.joined(separator: "\n"))))
  }

  @Test func missingSystemRootsAreReported() throws {
    let expected = TLSError(
      .local(
        "no system root certificates found in /nowhere/certs, /nowhere/ca.pem: "
          + "install ca-certificates or set SSL_CERT_FILE"))
    #expect(throws: expected) {
      try isTrusted(directories: ["/nowhere/certs"], bundles: ["/nowhere/ca.pem"])
    }
  }

  @Test func systemRootsAreFound() throws {
    _ = try TLSContext(client: TLSConfiguration())
  }
}
