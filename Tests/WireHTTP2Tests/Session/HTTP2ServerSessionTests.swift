import TestSupport
import Testing

@testable import WireHTTP2

@Suite struct HTTP2ServerSessionTests {
  static let call: [RawFrame] = [
    .headers(1, Samples.request), .data(1, [1, 2]), .data(1, [3], endStream: true),
  ]

  @Test func startsWithSettingsWithoutAPreface() throws {
    let server = try HTTP2ServerSession(
      configuration: HTTP2Configuration {
        $0.maxConcurrentStreams = 9
        $0.streamWindow = 70_000
        $0.connectionWindow = 65_535
        $0.maxHeaderListSize = 8192
      })
    let peer = ScriptedPeer(server)
    let expected: [UInt16: UInt32] = [
      Setting.maxConcurrentStreams: 9, Setting.initialWindowSize: 70_000,
      Setting.maxHeaderListSize: 8192,
    ]
    #expect(!peer.receivedPreface)
    #expect(peer.received.map(\.kind) == [.settings])
    #expect(peer.received.first?.settings == expected)
  }

  @Test func requestMayBeSplitAnywhere() throws {
    let bytes = RawFrame.clientPreface + RawFrame.settings().bytes + Self.call.flatMap(\.bytes)
    for cut in 0...bytes.count {
      var peer = ScriptedPeer(try HTTP2ServerSession())
      peer.send(bytes: Array(bytes.prefix(cut)))
      peer.send(bytes: Array(bytes.dropFirst(cut)))
      #expect(peer.events.headers == [Samples.request.map { HeaderField($0.name, $0.value) }])
      #expect(peer.events.body == [1, 2, 3])
      #expect(peer.events.ended == [1])
      #expect(peer.events.failures.isEmpty)
    }
  }

  @Test func sendsHeadersBodyAndTrailers() throws {
    var (server, peer) = try Samples.server()
    peer.send(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.response, endStream: false)
    server.sendData(1, [1, 2], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    let response = peer.receive()
    #expect(response.map(\.kind) == [.headers, .data, .headers])
    #expect(response.map { $0.has(.endStream) } == [false, false, true])
    #expect(response[1].payload == [1, 2])
    #expect(peer.events.closures == [.finished])
    #expect(server.activeStreams == 0)
  }

  @Test func responseMayBeSentInSteps() throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, Samples.request))
    server.submitResponse(1, Samples.response, endStream: false)
    #expect(peer.receive().map(\.kind) == [.headers])
    server.sendData(1, [1], endStream: false)
    #expect(peer.receive().map(\.kind) == [.data])
    peer.send(.data(1, [1], endStream: true))
    #expect(peer.receive().isEmpty)
    server.submitTrailers(1, Samples.trailers)
    #expect(peer.receive().map(\.kind) == [.headers])
    #expect(peer.events.closures == [.finished])
  }

  struct ClosedStreamRule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Frames after a finished call on stream 5.
    let frames: [RawFrame]
    /// The code of the GOAWAY; nil if the frames are ignored.
    let code: HTTP2ErrorCode?
  }

  static let closedStreamRules = [
    ClosedStreamRule(
      testDescription: "HEADERS on the finished stream",
      frames: [.headers(5, Samples.request, endStream: true)], code: .streamClosed),
    ClosedStreamRule(
      testDescription: "DATA on the finished stream", frames: [.data(5, [1])], code: .streamClosed),
    ClosedStreamRule(
      testDescription: "HEADERS on a skipped stream",
      frames: [.headers(3, Samples.request, endStream: true)], code: .protocolError),
    ClosedStreamRule(
      testDescription: "HEADERS on the first skipped stream",
      frames: [.headers(1, Samples.request)], code: .protocolError),
    ClosedStreamRule(
      testDescription: "HEADERS between two later streams",
      frames: [.headers(15, Samples.request), .headers(9, Samples.request)], code: .protocolError),
    ClosedStreamRule(
      testDescription: "frames that may be ignored",
      frames: [
        .windowUpdate(5, 1), .reset(5, .cancel), .data(3, [1]),
        RawFrame(.priority, stream: 3, [0, 0, 0, 0, 1]),
      ], code: nil),
  ]

  /// RFC 9113 §5.1 and §5.1.1.
  @Test(arguments: closedStreamRules)
  func frameOnAClosedStreamEndsTheConnection(rule: ClosedStreamRule) throws {
    for capacity in [1, 1 << 20] {
      var (server, peer) = try Samples.server()
      peer.send(.headers(5, Samples.request, endStream: true))
      server.submitResponse(5, Samples.response + Samples.trailers, endStream: true)
      peer.receive()
      #expect(peer.events.closures == [.finished])
      var rest = rule.frames.flatMap(\.bytes)[...]
      while !rest.isEmpty {
        peer.send(bytes: Array(rest.prefix(capacity)))
        rest = rest.dropFirst(capacity)
      }
      #expect(peer.events.failures.map(\.code) == (rule.code.map { [$0] } ?? []))
      #expect(peer.events.failures.allSatisfy { $0.kind == .protocolViolation })
      #expect(
        peer.received(.goAway).map { $0.number(at: 1) } == (rule.code.map { [$0.rawValue] } ?? []))
      #expect(server.wantsRead == (rule.code == nil))
    }
  }

  /// The client may have sent them before it received the reset (RFC 9113 §5.1).
  @Test func framesAfterOurResetAreIgnored() throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, Samples.request))
    server.reset(1, errorCode: .cancel)
    peer.receive()
    peer.send(.data(1, [1]), .headers(1, Samples.trailers, endStream: true))
    peer.send(.headers(3, Samples.request, endStream: true))
    #expect(peer.events.failures.isEmpty && peer.events.headers.count == 2)
  }

  @Test func trailersOnlyIsOneFrame() throws {
    var (server, peer) = try Samples.server()
    peer.send(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.response + Samples.trailers, endStream: true)
    let response = peer.receive()
    #expect(response.map(\.kind) == [.headers] && response.first?.has(.endStream) == true)
    #expect(peer.events.closures == [.finished])
  }

  @Test func responseWithoutBodyHasTwoHeaderFrames() throws {
    var (server, peer) = try Samples.server()
    peer.send(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.response, endStream: false)
    server.submitTrailers(1, Samples.trailers)
    let response = peer.receive()
    #expect(response.map(\.kind) == [.headers, .headers])
    #expect(response.map { $0.has(.endStream) } == [false, true])
  }

  @Test func trailersWaitForTheWindow() throws {
    var (server, peer) = try Samples.server()
    peer.send(.settings((Setting.initialWindowSize, 2)))
    peer.send(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.response, endStream: false)
    server.sendData(1, [1, 2, 3], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    #expect(peer.receive().map(\.kind) == [.headers, .data])
    peer.send(.windowUpdate(1, 10))
    #expect(peer.received.suffix(2).map(\.kind) == [.data, .headers])
    #expect(peer.received(.data).flatMap(\.payload) == [1, 2, 3])
  }

  /// Otherwise a client that stops sending would keep the stream open forever.
  @Test func earlyResponseResetsTheRequest() throws {
    var (server, peer) = try Samples.server(HTTP2Configuration { $0.connectionWindow = 65_535 })
    for stream in stride(from: 1, through: 1001, by: 2) {
      peer.send(.headers(stream, Samples.request), .data(stream, [1]))
      let id = StreamID(stream)
      if stream % 4 == 1 {
        server.submitResponse(id, Samples.response + Samples.trailers, endStream: true)
        #expect(peer.receive().map(\.kind) == [.headers, .resetStream])
      } else {
        server.submitResponse(id, Samples.response, endStream: false)
        server.sendData(id, [1], endStream: false)
        server.submitTrailers(id, Samples.trailers)
        #expect(peer.receive().map(\.kind) == [.headers, .data, .headers, .resetStream])
      }
      #expect(peer.received.last == .reset(stream, .noError))
      #expect(peer.events.closures.last == .finished)
      #expect(server.activeStreams == 0)
      peer.send(.data(stream, Array(repeating: 7, count: 1000)))
    }
    #expect(peer.events.body.count == 501)
    let returned = peer.received(.windowUpdate, on: 0).reduce(0) { $0 + Int($1.number()) }
    #expect(returned > 501 * 1001 - 65_535)
    #expect(peer.events.failures.isEmpty)
  }

  @Test func requestTrailersAreReported() throws {
    var (_, peer) = try Samples.server()
    peer.send(
      .headers(1, Samples.request), .data(1, [1]),
      .headers(1, [HeaderField("x-sum", "1")], endStream: true))
    #expect(peer.events.trailers == [[HeaderField("x-sum", "1")]])
    #expect(peer.events.ended == [1])
  }

  @Test func callsOnAClosedStreamAreIgnored() throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, Samples.request), .reset(1, .cancel))
    #expect(peer.events.closures == [.resetByPeer(.cancel)])
    server.submitResponse(1, Samples.response, endStream: false)
    server.sendData(1, [1], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    server.reset(1, errorCode: .internalError)
    #expect(peer.receive().isEmpty)
    #expect(peer.events.closures.count == 1)
  }

  @Test func streamCanBeResetDuringTheResponse() throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, Samples.request))
    server.submitResponse(1, Samples.response, endStream: false)
    server.sendData(1, [1], endStream: false)
    server.reset(1, errorCode: .refusedStream)
    #expect(peer.receive().last == .reset(1, .refusedStream))
    #expect(peer.events.closures == [.resetLocally(.refusedStream)])
  }

  @Test func oversizedResponseHeadersResetTheStream() throws {
    var (server, peer) = try Samples.server(
      HTTP2Configuration { $0.maxSendHeaderBlockLength = 4096 })
    let big = HeaderField("x-big", String(repeating: "a", count: 8000))
    peer.send(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.response + [big], endStream: true)
    #expect(peer.receive() == [.reset(1, .internalError)])
    guard case .notSent = peer.events.closures.first else {
      Issue.record("events: \(peer.events.closures)")
      return
    }
    #expect(peer.events.closures.count == 1)

    peer.send(.headers(3, Samples.request, endStream: true))
    server.submitResponse(3, Samples.response, endStream: false)
    server.submitTrailers(3, Samples.trailers + [big])
    #expect(peer.receive().map(\.kind) == [.headers, .resetStream])
    #expect(peer.events.closures.count == 2)
  }

  // MARK: Shutdown

  @Test func gracefulShutdownSendsTwoGoAways() throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, Samples.request, endStream: true))
    server.announceShutdown()
    #expect(peer.receive() == [.goAway(last: 0x7fff_ffff)])
    // The client sends this before it receives the GOAWAY.
    peer.send(.headers(3, Samples.request, endStream: true))
    #expect(peer.events.headers.count == 2)
    server.goAway()
    #expect(peer.receive() == [.goAway(last: 3)])
    peer.send(.headers(5, Samples.request, endStream: true))
    #expect(peer.events.headers.count == 2)
    #expect(server.wantsRead)
    for stream in [StreamID(1), 3] {
      server.submitResponse(stream, Samples.response, endStream: true)
    }
    peer.receive()
    #expect(peer.events.closures == [.finished, .finished])
    #expect(!server.wantsRead && !server.wantsWrite)
    #expect(peer.events.failures.isEmpty)
  }

  // MARK: Limits

  @Test func streamsAboveTheLimitAreRefused() throws {
    var (server, peer) = try Samples.server(HTTP2Configuration { $0.maxConcurrentStreams = 1 })
    // Before the acknowledgment the stream is refused. After it, the excess is a protocol error.
    let early = try HTTP2ServerSession(
      configuration: HTTP2Configuration { $0.maxConcurrentStreams = 1 })
    var unacknowledged = ScriptedPeer(early)
    unacknowledged.send(bytes: RawFrame.clientPreface + RawFrame.settings().bytes)
    unacknowledged.send(.headers(1, Samples.request), .headers(3, Samples.request))
    #expect(unacknowledged.received(.resetStream) == [.reset(3, .refusedStream)])
    #expect(unacknowledged.events.headers.count == 1 && unacknowledged.events.failures.isEmpty)

    peer.send(.headers(1, Samples.request), .headers(3, Samples.request))
    #expect(peer.events.failures.map(\.code) == [.protocolError])
    #expect(server.activeStreams == 1)
  }

  @Test func oversizedHeaderListHasNoEvent() throws {
    var (server, peer) = try Samples.server(HTTP2Configuration { $0.maxHeaderListSize = 2000 })
    let big = HeaderField("x-big", String(repeating: "a", count: 2000))
    peer.send(.headers(1, Samples.request + [big], endStream: true))
    #expect(peer.received(.resetStream) == [.reset(1, .enhanceYourCalm)])
    #expect(peer.events.headers.isEmpty && peer.events.closures.isEmpty)
    #expect(server.endings.violations.isEmpty)
    peer.send(.headers(3, Samples.request, endStream: true))
    #expect(peer.events.headers.count == 1)
    #expect(server.activeStreams == 1)
  }

  static let badRequests = [
    Named("empty", []), without(":path"), without(":method"), without(":scheme"),
    with(":path", "/"), with("te", "gzip"), with("connection", "close"),
    with("content-length", "x"),
  ]

  private static func without(_ name: String) -> Named<[HeaderField]> {
    Named("no \(name)", Samples.request.filter { $0.name != name })
  }

  private static func with(_ name: String, _ value: String) -> Named<[HeaderField]> {
    Named("\(name): \(value)", Samples.request + [HeaderField(name, value)])
  }

  @Test(arguments: badRequests)
  func malformedRequestHasNoEvent(_ fields: Named<[HeaderField]>) throws {
    var (server, peer) = try Samples.server()
    peer.send(.headers(1, fields.value, endStream: true))
    #expect(peer.received(.resetStream) == [.reset(1, .protocolError)])
    #expect(peer.events.headers.isEmpty && peer.events.closures.isEmpty)
    #expect(server.activeStreams == 0)
  }

  /// CVE-2023-44487.
  @Test func rapidResetsFailTheConnection() throws {
    let start = ContinuousClock.now
    var (_, peer) = try Samples.server(HTTP2Configuration { $0.now = { start } })
    var stream = 1
    while peer.events.failures.isEmpty, stream < 20_000 {
      peer.send(.headers(stream, Samples.request), .reset(stream, .cancel))
      stream += 2
    }
    #expect(peer.events.failures.count == 1)
    #expect(stream > 500 && stream < 5000)
  }

  /// CVE-2025-8671: the client makes the server reset.
  @Test func provokedResetsFailTheConnection() throws {
    let start = ContinuousClock.now
    var (_, peer) = try Samples.server(HTTP2Configuration { $0.now = { start } })
    var stream = 1
    while peer.events.failures.isEmpty, stream < 20_000 {
      peer.send(.headers(stream, Samples.request), .windowUpdate(stream, 0x7fff_ffff))
      stream += 2
    }
    #expect(peer.events.failures.count == 1)
    #expect(stream < 5000)
  }

  @Test func missingPrefaceIsNotHTTP2() throws {
    for text in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello"] {
      var peer = ScriptedPeer(try HTTP2ServerSession())
      peer.send(bytes: Array(text.utf8))
      guard case .notHTTP2 = peer.events.failures.first?.kind else {
        Issue.record("events: \(peer.events.failures)")
        return
      }
      #expect(peer.events.failures.count == 1)
    }
  }

  @Test(arguments: 0..<200)
  func mutatedFramesDoNotTrap(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let valid =
      Self.call.flatMap(\.bytes) + RawFrame.ping(1).bytes
      + RawFrame.headers(3, Samples.request).bytes + RawFrame.windowUpdate(3, 5).bytes
      + RawFrame.reset(3, .cancel).bytes
    let (server, initial) = try Samples.server()
    var peer = initial
    for _ in 0..<20 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      peer.send(bytes: bytes)
      server.submitResponse(1, Samples.response, endStream: false)
      server.submitTrailers(3, Samples.trailers)
      peer.receive()
    }
    #expect(peer.events.failures.count <= 1)
    #expect(peer.events.closures.count <= peer.events.headers.count)
  }
}
