import Testing

@testable import WireTLS

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system's roots, from directories and variables of the test's own.
@Suite struct TrustStoreTests {
  /// A directory with files, gone with it.
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

  /// Whether a client with these places of the system trusts our server.
  func isTrusted(
    environment: [String: String] = [:], directories: [String] = [], bundles: [String] = []
  ) throws -> Bool {
    let context = try Certificates.strangeRoot.client()
    try TrustStore.loadSystem(
      into: context.pointer, environment: { environment[$0] }, directories: directories,
      bundles: bundles)
    let pair = try TLSPair(client: context, server: TLSEngineTests.identity.server())
    pair.shakeHands()
    return pair.clientSession != nil
  }

  @Test func aHashedDirectoryIsEnough() throws {
    let directory = Directory()
    _ = try directory.add(Certificates.hashedRootName, Certificates.root.certificate)
    #expect(try isTrusted(directories: ["/nowhere", directory.path]))
    #expect(try isTrusted(environment: ["SSL_CERT_DIR": directory.path]))
  }

  @Test func aDirectoryWithoutHashedNamesIsPassedOver() throws {
    let directory = Directory()
    let bundle = try directory.add("ca-certificates.crt", Certificates.root.certificate)
    #expect(try isTrusted(directories: [directory.path], bundles: ["/nowhere", bundle]))
  }

  @Test func theVariablesComeBeforeTheSystem() throws {
    let directory = Directory()
    let root = try directory.add("root.pem", Certificates.root.certificate)
    let stranger = try directory.add("stranger.pem", Certificates.strangeRoot.certificate)
    #expect(try isTrusted(environment: ["SSL_CERT_FILE": root], bundles: [stranger]))
    #expect(try !isTrusted(environment: ["SSL_CERT_FILE": stranger], bundles: [root]))
  }

  @Test func aVariableThatNamesNoFileIsAnError() throws {
    let expected = TLSError(
      .local("cannot read SSL_CERT_FILE /nowhere/ca.pem: No such file or directory"))
    #expect(throws: expected) {
      try isTrusted(environment: ["SSL_CERT_FILE": "/nowhere/ca.pem"])
    }
  }

  @Test func aSystemWithoutRootsIsNamed() throws {
    let expected = TLSError(
      .local(
        "found no root certificates of the system: looked in /nowhere/certs, /nowhere/ca.pem; "
          + "install them (ca-certificates) or name them in SSL_CERT_FILE"))
    #expect(throws: expected) {
      try isTrusted(directories: ["/nowhere/certs"], bundles: ["/nowhere/ca.pem"])
    }
  }

  @Test func thisSystemHasRoots() throws {
    _ = try TLSContext(client: TLSConfiguration())
  }
}
