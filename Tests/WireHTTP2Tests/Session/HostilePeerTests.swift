import TestSupport
import Testing
import WireHTTP2

/// Bytes that no correct peer sends. The session must report them without a trap or unbounded
/// memory.
@Suite struct HostilePeerTests {
  // MARK: Other protocols

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r\n\r\n", HTTP2Error.PeerProtocol.http1),
    ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{46}", .tls),
    ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}", .tls),
    ("<!DOCTYPE HTML>\n<html lang=\"en\">", .html),
    ("\n<HTML><head></head>", .html),
    ("SSH-2.0-OpenSSH_9.2\r\n", .unknown),
    ("+OK dovecot ready.\r\n", .unknown),
  ])
  func detectsAnotherProtocol(
    _ text: String, _ peerProtocol: HTTP2Error.PeerProtocol
  ) throws {
    for capacity in [1, 1000] {
      let client = try HTTP2ClientSession()
      var peer = ScriptedPeer(client)
      _ = try client.submitRequest(Samples.request, endStream: true)
      var rest = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }[...]
      while !rest.isEmpty {
        peer.send(bytes: Array(rest.prefix(capacity)))
        rest = rest.dropFirst(capacity)
      }
      #expect(peer.events.failures.map(\.kind) == [.notHTTP2(peerProtocol)])
      #expect(!client.canSubmit && !client.wantsRead && !client.wantsWrite)
    }
  }

  @Test func firstFrameMustBeSettings() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client)
    peer.send(.ping(1))
    #expect(peer.events.failures.map(\.kind) == [.notHTTP2(.unknown)])
    #expect(peer.events.failures.first.map { "\($0)" }?.contains("00 00 08 06") == true)
  }

  @Test func invalidFirstSettingsAreAViolation() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client)
    peer.send(.settings((Setting.enablePush, 7)))
    #expect(peer.events.failures.map(\.kind) == [.protocolViolation])
  }

  // MARK: Connection errors

  struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: HTTP2ErrorCode
    let bytes: [UInt8]

    init(_ name: String, _ code: HTTP2ErrorCode, _ frames: RawFrame...) {
      testDescription = name
      self.code = code
      bytes = frames.flatMap(\.bytes)
    }
  }

  static let attacks = [
    Attack("DATA on stream 0", .protocolError, .data(0, [1])),
    Attack("HEADERS on stream 0", .protocolError, .headers(0, Samples.response)),
    Attack("RST_STREAM on stream 0", .protocolError, .reset(0, .cancel)),
    Attack("SETTINGS on a stream", .protocolError, RawFrame(.settings, stream: 1)),
    Attack("PING on a stream", .protocolError, RawFrame(.ping, stream: 1, bigEndian(UInt64(1)))),
    Attack(
      "GOAWAY on a stream", .protocolError, RawFrame(.goAway, stream: 1, bigEndian(UInt64(1)))),
    Attack("DATA before HEADERS", .protocolError, .data(1, [1])),
    Attack("DATA on an idle stream", .protocolError, .data(99, [1])),
    Attack("HEADERS on an idle stream", .protocolError, .headers(99, Samples.response)),
    Attack("HEADERS on an even stream", .protocolError, .headers(2, Samples.response)),
    Attack("WINDOW_UPDATE of 0", .protocolError, .windowUpdate(0, 0)),
    Attack("WINDOW_UPDATE of 0 on a stream", .protocolError, .windowUpdate(1, 0)),
    Attack(
      "PUSH_PROMISE", .protocolError,
      RawFrame(
        .pushPromise, flags: .endHeaders, stream: 1,
        bigEndian(UInt32(2)) + literalHeaderBlock(Samples.request))),
    Attack("SETTINGS of 5 octets", .frameSizeError, RawFrame(.settings, [0, 1, 0, 0, 0])),
    Attack("PING of 7 octets", .frameSizeError, RawFrame(.ping, Array(repeating: 0, count: 7))),
    Attack(
      "RST_STREAM of 3 octets", .frameSizeError, RawFrame(.resetStream, stream: 1, [0, 0, 0])),
    Attack("WINDOW_UPDATE of 5 octets", .frameSizeError, RawFrame(.windowUpdate, [0, 0, 0, 0, 1])),
    Attack("GOAWAY of 4 octets", .frameSizeError, RawFrame(.goAway, [0, 0, 0, 1])),
    Attack("GOAWAY of an even stream", .protocolError, .goAway(last: 2)),
    Attack(
      "a frame of 16,385 octets", .frameSizeError, .data(1, Array(repeating: 0, count: 16_385))),
    Attack("ENABLE_PUSH=1", .protocolError, .settings((Setting.enablePush, 1))),
    Attack(
      "INITIAL_WINDOW_SIZE=2^31", .flowControlError, .settings((Setting.initialWindowSize, 1 << 31))
    ),
    Attack("MAX_FRAME_SIZE=1", .protocolError, .settings((Setting.maxFrameSize, 1))),
    Attack("CONTINUATION alone", .protocolError, RawFrame(.continuation, stream: 1, [0])),
    Attack(
      "DATA within a header block", .protocolError, RawFrame(.headers, stream: 1), .data(1, [1])),
    Attack(
      "CONTINUATION of another stream", .protocolError, RawFrame(.headers, stream: 1),
      RawFrame(.continuation, stream: 3)),
    Attack(
      "padding above the frame", .protocolError,
      RawFrame(.data, flags: .padded, stream: 1, [200, 1, 2])),
    Attack(
      "HPACK: index 0", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0x80])),
    Attack(
      "HPACK: index above the table", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0xff, 0xff, 0x03])),
    Attack(
      "HPACK: integer without end", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0x7f] + Array(repeating: 0xff, count: 20))),
    Attack(
      "HPACK: literal cut short", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0x00, 5, 1])),
    Attack(
      "HPACK: table above our setting", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0x3f, 0xff, 0xff, 0x03])),
    Attack(
      "HPACK: bad Huffman code", .compressionError,
      RawFrame(.headers, flags: .endHeaders, stream: 1, [0x00, 0x84, 0xff, 0xff, 0xff, 0xff])),
  ]

  @Test(arguments: attacks)
  func violationIsReportedOnceAndSentInAGoAway(_ attack: Attack) throws {
    for capacity in [1, 1 << 20] {
      let (client, initial) = try Samples.client()
      var peer = initial
      var rest = attack.bytes[...]
      while !rest.isEmpty {
        peer.send(bytes: Array(rest.prefix(capacity)))
        rest = rest.dropFirst(capacity)
      }
      #expect(peer.events.failures.count == 1)
      #expect(peer.events.failures.first?.kind == .protocolViolation)
      #expect(peer.events.failures.first?.code == attack.code)
      #expect(peer.received(.goAway).map { $0.number(at: 1) } == [attack.code.rawValue])
      #expect(!client.canSubmit && !client.wantsRead)
      peer.send(.headers(1, Samples.response, endStream: true))
      #expect(peer.events.headers.isEmpty && peer.events.failures.count == 1)
    }
  }

  @Test(arguments: [
    ("PING of 7 octets", "invalid frame size (FRAME_SIZE_ERROR)"),
    ("HPACK: index 0", "invalid header block (COMPRESSION_ERROR)"),
    ("DATA on an idle stream", "DATA: stream in idle (PROTOCOL_ERROR)"),
  ])
  func errorNamesTheViolation(_ name: String, _ text: String) throws {
    let attack = try #require(Self.attacks.first { $0.testDescription == name })
    var (_, peer) = try Samples.client()
    peer.send(bytes: attack.bytes)
    #expect(peer.events.failures.map { "\($0)" } == [text])
  }

  // MARK: Floods

  static let floods: [(String, RawFrame)] = [
    ("PING", .ping(1)), ("PING ACK", .ping(1, acknowledge: true)), ("SETTINGS", .settings()),
    ("empty DATA", .data(1, [])), ("padding", .data(1, [], padding: 9)),
    ("WINDOW_UPDATE", .windowUpdate(0, 1)),
    ("PRIORITY", RawFrame(.priority, stream: 1, [0, 0, 0, 0, 1])),
    ("unknown frames", RawFrame(type: 0xee)), ("RST_STREAM", .reset(1, .cancel)),
    ("1xx", .headers(1, [HeaderField(":status", "100")])),
    ("GOAWAY", .goAway(last: 1)), ("DATA after the end", .data(3, [1])),
  ]

  @Test(arguments: floods)
  func floodFailsTheConnection(_ name: String, _ frame: RawFrame) throws {
    let start = ContinuousClock.now
    let (client, initial) = try Samples.client(HTTP2Configuration { $0.now = { start } })
    var peer = initial
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    peer.send(.headers(1, Samples.response), .headers(3, Samples.response, endStream: true))
    var sent = 0
    while peer.events.failures.isEmpty, sent < 20_000 {
      peer.send(frame)
      sent += 1
    }
    #expect(peer.events.failures.map(\.kind) == [.flood])
    #expect(peer.events.failures.first?.code == .enhanceYourCalm)
    #expect(peer.received.last?.kind == .goAway)
    #expect(sent > 90)
  }

  @Test func floodInOneReadIsBounded() throws {
    let start = ContinuousClock.now
    var (_, peer) = try Samples.client(HTTP2Configuration { $0.now = { start } })
    let frame = RawFrame.headers(1, [HeaderField(":status", "100")])
    peer.send(bytes: Array(repeatElement(frame.bytes, count: 5000).joined()))
    #expect(peer.events.failures.map(\.kind) == [.flood])
    #expect(peer.events.informational.count <= 101)
  }

  @Test func creditRecoversWithTime() throws {
    let clock = ManualClock()
    let (_, initial) = try Samples.client(HTTP2Configuration { $0.now = { clock.now } })
    var peer = initial
    for _ in 0..<100_000 {
      peer.send(.ping(1))
      clock.advance(by: .milliseconds(50))
    }
    #expect(peer.events.failures.isEmpty)
  }

  @Test func heavyRegularTrafficIsNoFlood() throws {
    let start = ContinuousClock.now
    let (client, initial) = try Samples.client(HTTP2Configuration { $0.now = { start } })
    var peer = initial
    peer.send(.headers(1, Samples.response, endStream: true))
    for _ in 0..<20_000 {
      let stream = Int(try client.submitRequest(Samples.request, body: [1], endStream: true))
      peer.receive()
      peer.send(
        .windowUpdate(0, 1), .windowUpdate(stream, 1), .ping(1), .headers(stream, Samples.response),
        .data(stream, [1]), .headers(stream, Samples.trailers, endStream: true))
    }
    #expect(peer.events.failures.isEmpty)
    #expect(peer.events.closures.count == 20_001)
  }

  @Test func peerThatDoesNotReadIsDisconnected() throws {
    let (client, initial) = try Samples.client()
    var peer = initial
    for _ in 0..<2000 { peer.sendWithoutReading(.ping(1)) }
    #expect(peer.events.failures.map(\.kind) == [.flood])
    peer.receive()
    #expect(peer.received.last == .goAway(last: 0, .enhanceYourCalm))
    #expect(!client.wantsWrite)
  }

  @Test func endlessHeaderBlockFailsTheConnection() throws {
    var (_, peer) = try Samples.client()
    peer.send(RawFrame(.headers, stream: 1, literalHeaderBlock(Samples.response)))
    var sent = 0
    while peer.events.failures.isEmpty, sent < 20_000 {
      peer.send(RawFrame(.continuation, stream: 1))
      sent += 1
    }
    #expect(peer.events.failures.map(\.kind) == [.flood])
    #expect(peer.received.last == .goAway(last: 0, .enhanceYourCalm))
  }

  /// nghttp2 counts the pieces in which it receives the header of a CONTINUATION frame.
  @Test(arguments: [1, 5, 9, 10, 100])
  func headerBlockMaySpanManyFramesAndPieces(_ capacity: Int) throws {
    var (_, peer) = try Samples.client()
    let block = literalHeaderBlock(Samples.response)
    var frames = [RawFrame(.headers, stream: 1)]
    for octet in block { frames.append(RawFrame(.continuation, stream: 1, [octet])) }
    frames[frames.count - 1].flags = RawFrame.Flags.endHeaders.rawValue
    var rest = (frames.flatMap(\.bytes) + RawFrame.data(1, [7]).bytes)[...]
    while !rest.isEmpty {
      peer.send(bytes: Array(rest.prefix(capacity)))
      rest = rest.dropFirst(capacity)
    }
    #expect(peer.events.headers == [Samples.response] && peer.events.body == [7])
    #expect(peer.events.failures.isEmpty)
  }

  // MARK: Random bytes

  /// Valid frames with octets changed, removed or inserted. The session may accept or reject them,
  /// but reports each closure once and at most one failure.
  @Test(arguments: 0..<200)
  func mutatedFramesAreReportedConsistently(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var (client, peer) = try Samples.client(endStream: false)
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    let valid =
      ClientResponseTests.bytes + RawFrame.headers(3, Samples.response).bytes
      + RawFrame.goAway(last: 3).bytes + RawFrame.data(3, [1, 2], endStream: true).bytes
    for _ in 0..<20 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(.random(in: 0...255, using: &random), at: index)
        }
      }
      peer.send(bytes: bytes)
    }
    #expect(peer.events.failures.count <= 1)
    #expect(peer.events.closures.count <= 2)
  }

  @Test(arguments: 0..<100)
  func randomBytesDoNotTrap(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
    var client = ScriptedPeer(try HTTP2ClientSession(), settings: (Setting.maxFrameSize, 16_384))
    client.send(bytes: noise)
    var (_, server) = try Samples.server()
    server.send(bytes: noise)
    #expect(client.events.failures.count <= 1 && server.events.failures.count <= 1)
  }
}
