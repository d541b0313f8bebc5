import Foundation
import TestSupport
import Testing
import WireIO
import WireTLS

/// The engine against the openssl command, over a real socket. The command is required.
@Suite(.timeLimit(.minutes(20))) struct OutsidePeerTests {
  /// `openssl s_server` on a free loopback port, with the good certificate. It returns each line
  /// reversed. Deinitialization kills the process.
  final class Server {
    let address: SocketAddress
    private let process = Process()
    private let directory: URL

    init(_ arguments: [String]) throws {
      directory = FileManager.default.temporaryDirectory.appending(
        path: "tripwire-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let files = [
        "certificate": Certificates.good.certificate, "key": Certificates.good.key,
        "chain": Certificates.intermediate.certificate,
      ]
      for (name, text) in files {
        try text.write(to: directory.appending(path: name), atomically: false, encoding: .utf8)
      }
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        [
          "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "certificate", "-key", "key",
          "-cert_chain", "chain", "-rev",
        ] + arguments
      process.currentDirectoryURL = directory
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      // Keeps the input open, because s_server ends at its end.
      process.standardInput = Pipe()
      try process.run()
      // It prints "ACCEPT 127.0.0.1:40123" when it listens.
      var text = ""
      while !text.contains(/ACCEPT [^\n]*\n/) {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += String(decoding: more, as: UTF8.self)
      }
      let digits = try #require(text.firstMatch(of: /ACCEPT [^\n]*:(\d+)\n/)?.1, "\(text)")
      let port = try #require(UInt16(digits))
      address = try #require(SocketAddress(numericHost: "127.0.0.1", port: port))
    }

    deinit {
      // Threads of a test block signals and the process inherits that: SIGTERM would not arrive.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try? FileManager.default.removeItem(at: directory)
    }
  }

  /// A blocking driver: one socket and one engine.
  final class Connection {
    let socket: Socket
    let engine: TLSEngine

    init(to address: SocketAddress, _ context: TLSContext) throws {
      socket = try Socket(connectingTo: address)
      engine = try TLSEngine(context: context, role: .client(serverName: "localhost"))
      while try !socket.finishConnecting() { wait(POLLOUT) }
    }

    private func wait(_ events: Int32) {
      var entry = pollfd(fd: socket.fileDescriptor, events: Int16(events), revents: 0)
      poll(&entry, 1, -1)
    }

    /// Sends the engine's output for the peer.
    func flush() throws {
      var rest = engine.drain()[...]
      while !rest.isEmpty {
        switch rest.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count): rest = rest.dropFirst(count)
        case .failed(let error): throw error
        case .wouldBlock, .endOfStream: wait(POLLOUT)
        }
      }
    }

    /// Waits for bytes from the peer and gives them to the engine.
    func receive() throws {
      wait(POLLIN)
      var buffer = [UInt8](repeating: 0, count: 4096)
      switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
      case .bytes(let count): try engine.receive(Array(buffer.prefix(count)))
      case .endOfStream: engine.receiveEOF()
      case .failed(let error): throw error
      case .wouldBlock: break
      }
    }

    func handshake() throws -> TLSSession {
      while true {
        let state = Result { try engine.handshake() }
        try flush()
        if case .done(let session) = try state.get() { return session }
        try receive()
      }
    }

    /// Reads plaintext up to the end of a line.
    func readLine() throws -> String {
      var line: [UInt8] = []
      while line.last != UInt8(ascii: "\n") {
        let more = try engine.read()
        if more.isEmpty { try receive() }
        line += more
      }
      return String(decoding: line, as: UTF8.self)
    }
  }

  @Test(arguments: [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
  func connectsToOpenSSL(option: String, version: String) throws {
    let server = try Server([option, "-alpn", "h2"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    let session = try connection.handshake()
    #expect(session.version == version)
    #expect(session.applicationProtocol == "h2")
    #expect(session.peerCertificate?.subject == "O=Flüsse,CN=localhost")
    #expect(try connection.engine.write(Array("straw\n".utf8)) == 6)
    try connection.flush()
    #expect(try connection.readLine() == "warts\n")
    connection.engine.close()
    try connection.flush()
    while !connection.engine.peerHasClosed {
      try connection.receive()
      _ = try connection.engine.read()
    }
  }

  @Test func peerWithoutALPNIsReported() throws {
    let server = try Server([])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.noALPN(offered: ["h2"]))) { try connection.handshake() }
  }

  @Test func peerWithoutACommonProtocolIsReported() throws {
    let server = try Server(["-alpn", "http/1.1"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.noALPN(offered: ["h2"]))) { try connection.handshake() }
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func secondConnectionIsResumed(option: String) throws {
    let server = try Server([option, "-alpn", "h2"])
    let context = try Certificates.root.client()
    for number in 0..<4 {
      let connection = try Connection(to: server.address, context)
      let session = try connection.handshake()
      #expect(session.isResumed == (number > 0))
      _ = try connection.engine.write(Array("straw\n".utf8))
      try connection.flush()
      #expect(try connection.readLine() == "warts\n")
    }
  }

  @Test func unknownTicketFallsBackToAFullHandshake() throws {
    let context = try Certificates.root.client()
    for option in ["-tls1_3", "-tls1_3", "-tls1_2", "-tls1_2", "-tls1_3"] {
      let server = try Server([option, "-alpn", "h2"])
      let connection = try Connection(to: server.address, context)
      #expect(try !connection.handshake().isResumed)
      _ = try connection.engine.write(Array("straw\n".utf8))
      try connection.flush()
      #expect(try connection.readLine() == "warts\n")
    }
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func requiredClientCertificateIsReported(option: String) throws {
    let server = try Server([option, "-alpn", "h2", "-Verify", "1"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    let alert = option == "-tls1_3" ? "certificate_required" : "handshake_failure"
    // In TLS 1.3 the client's handshake is done before the server verifies the certificate.
    #expect(throws: TLSError(.clientCertificateRequired(alert: alert))) {
      _ = try connection.handshake()
      _ = try connection.readLine()
    }
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func clientCertificateIsSentWithItsChain(option: String) throws {
    // The peer knows the root, and needs the intermediate in the chain.
    try withTemporaryFile(Certificates.root.certificate.utf8) { root in
      let server = try Server([
        option, "-alpn", "h2", "-Verify", "2", "-verify_return_error", "-CAfile", root,
      ])
      func connect(_ identity: PEMIdentity) throws {
        let context = try TLSContext(
          client: TLSConfiguration(
            trust: .pem(Array(Certificates.root.certificate.utf8)),
            identity: .init(
              certificate: .pem(Array(identity.certificate.utf8)),
              privateKey: .pem(Array(identity.key.utf8)))))
        let connection = try Connection(to: server.address, context)
        _ = try connection.handshake()
        _ = try connection.engine.write(Array("straw\n".utf8))
        try connection.flush()
        #expect(try connection.readLine() == "warts\n")
      }
      try connect(TLSEngineTests.identity)
      #expect(throws: TLSError(.clientCertificateRefused(alert: "unknown_ca"))) {
        try connect(Certificates.good)
      }
      #expect(throws: TLSError(.clientCertificateRefused(alert: "certificate_expired"))) {
        try connect(Certificates.expired)
      }
    }
  }

  @Test func keysAreWrittenToTheKeyLog() throws {
    try withTemporaryFile("# kept\n".utf8) { path in
      let server = try Server(["-tls1_3", "-alpn", "h2"])
      var configuration = TLSConfiguration(
        trust: .pem(Array(Certificates.root.certificate.utf8)))
      configuration.keyLogFile = path
      let connection = try Connection(to: server.address, TLSContext(client: configuration))
      _ = try connection.handshake()
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix("# kept\n"))
      for label in ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0"] {
        #expect(text.contains("\n\(label) "))
      }
    }
  }

  @Test func peerWithoutACommonCipherIsReported() throws {
    let server = try Server(["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.noCommonCipher(alert: "handshake_failure"))) {
      try connection.handshake()
    }
  }
}
