import Foundation
import Testing
import WireIO
import WireTLS

/// Our engine against the openssl command, over a real socket. The command must be there.
@Suite(.timeLimit(.minutes(1))) struct OutsidePeerTests {
  /// `openssl s_server` on a free loopback port, with the good certificate; it sends each line back
  /// reversed. Ended with it.
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
      // Keeps its input open: s_server ends with it.
      process.standardInput = Pipe()
      try process.run()
      // "ACCEPT 127.0.0.1:40123" when it listens.
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

    /// Sends what the engine has for the peer.
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

    func shakeHands() throws -> TLSSession {
      while true {
        let state = Result { try engine.handshake() }
        try flush()
        if case .done(let session) = try state.get() { return session }
        try receive()
      }
    }

    /// Plaintext up to the end of a line.
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
  func talksToOpenSSL(option: String, version: String) throws {
    let server = try Server([option, "-alpn", "h2"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    let session = try connection.shakeHands()
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

  @Test func aPeerWithoutALPNIsNamed() throws {
    let server = try Server([])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.noALPN(offered: ["h2"]))) { try connection.shakeHands() }
  }

  @Test func aPeerThatRefusesOurProtocolIsNamed() throws {
    let server = try Server(["-alpn", "http/1.1"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.noALPN(offered: ["h2"]))) { try connection.shakeHands() }
  }

  @Test func aPeerThatWantsACertificateOfOursIsNamed() throws {
    let server = try Server(["-tls1_3", "-alpn", "h2", "-Verify", "1"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    // In TLS 1.3 our part of the handshake is done before the server looks for the certificate.
    _ = try connection.shakeHands()
    #expect(throws: TLSError(.alert(name: "certificate_required"))) {
      _ = try connection.readLine()
    }
  }

  @Test func aPeerWithoutACommonCipherIsNamed() throws {
    let server = try Server(["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"])
    let connection = try Connection(to: server.address, Certificates.root.client())
    #expect(throws: TLSError(.alert(name: "handshake_failure"))) { try connection.shakeHands() }
  }
}
