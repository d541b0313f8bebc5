import Testing

@testable import WireTLS

@Suite struct FirstBytesTests {
  static let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]

  @Test(arguments: [
    (settings, "HTTP/2 without TLS"),
    (Array("HTTP/1.1 400 Bad Request\r\n".utf8), "an HTTP/1.1 response"),
    (Array("<!DOCTYPE HTML>\n<html lang=\"en\">".utf8), "an HTML page"),
    (Array("\r\n<HTML><head>".utf8), "an HTML page"),
    ([0, 0, 8, 7, 0, 0, 0, 0, 0], "HTTP/2 without TLS"),
    (Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), "an HTTP/2 client without TLS"),
    (Array("GET / HTTP/1.1\r\nHost: localhost\r\n".utf8), "the text 'GET / HTTP/1.1'"),
    (Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), "the text 'SSH-2.0-OpenSSH_9.2'"),
    ([0xFF, 0xFE, 0x00, 0x01], "the bytes ff fe 00 01"),
    ([22, 9, 0, 0], "the bytes 16 09 00 00"),
  ])
  func detectsAnotherProtocol(bytes: [UInt8], looksLike: String) throws {
    let firstBytes = try #require(FirstBytes(bytes))
    #expect(firstBytes.description == looksLike)
    for role in [TLSEngine.Role.client(serverName: "localhost"), .server] {
      let context =
        role == .server ? try TLSEngineTests.identity.server() : try Certificates.root.client()
      let engine = try TLSEngine(context: context, role: role)
      _ = try engine.handshake()
      let expected = TLSError(.peerIsNotTLS(looksLike: firstBytes))
      #expect(throws: expected) { try engine.receive(bytes) }
      #expect(throws: expected) { try engine.handshake() }
      #expect(throws: expected) { try engine.receive(bytes) }
    }
  }

  @Test(arguments: [settings, Array("HTTP/1.1".utf8)])
  func otherProtocolIsDetectedFromTheFirstByte(bytes: [UInt8]) throws {
    let engine = try TLSEngine(
      context: Certificates.root.client(), role: .client(serverName: "localhost"))
    let error = #expect(throws: TLSError.self) { try engine.receive([bytes[0]]) }
    guard case .peerIsNotTLS? = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func partialRecordsAreAccepted() {
    for bytes: [UInt8] in [[], [22], [22, 3], [21, 3, 1, 0, 2]] {
      #expect(FirstBytes(bytes) == nil)
    }
  }
}
