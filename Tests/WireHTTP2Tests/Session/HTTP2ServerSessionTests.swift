import TestSupport
import Testing

@testable import WireHTTP2

@Suite struct HTTP2ServerSessionTests {
  static let call: [RawFrame] = [
    .headers(1, Samples.request), .data(1, [1, 2]), .data(1, [3], endStream: true),
  ]

  @Test func opensWithSettingsAndNoPreface() throws {
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
    #expect(!peer.heardPreface)
    #expect(peer.heard.map(\.kind) == [.settings])
    #expect(peer.heard.first?.settings == expected)
  }

  @Test func aCallMayBeCutAnywhere() throws {
    let bytes = RawFrame.clientPreface + RawFrame.settings().bytes + Self.call.flatMap(\.bytes)
    for cut in 0...bytes.count {
      var peer = ScriptedPeer(try HTTP2ServerSession())
      peer.say(bytes: Array(bytes.prefix(cut)))
      peer.say(bytes: Array(bytes.dropFirst(cut)))
      #expect(peer.told.headers == [Samples.request.map { HeaderField($0.name, $0.value) }])
      #expect(peer.told.body == [1, 2, 3])
      #expect(peer.told.ended == [1])
      #expect(peer.told.failures.isEmpty)
    }
  }

  @Test func answersWithHeadersBodyAndTrailers() throws {
    var (server, peer) = try Samples.serving()
    peer.say(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.answer, endStream: false)
    server.sendData(1, [1, 2], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    let answer = peer.listen()
    #expect(answer.map(\.kind) == [.headers, .data, .headers])
    #expect(answer.map { $0.has(.endStream) } == [false, false, true])
    #expect(answer[1].payload == [1, 2])
    #expect(peer.told.closures == [.finished])
    #expect(server.activeStreams == 0)
  }

  @Test func anAnswerMayGrowStepByStep() throws {
    var (server, peer) = try Samples.serving()
    peer.say(.headers(1, Samples.request))
    server.submitResponse(1, Samples.answer, endStream: false)
    #expect(peer.listen().map(\.kind) == [.headers])
    server.sendData(1, [1], endStream: false)
    #expect(peer.listen().map(\.kind) == [.data])
    peer.say(.data(1, [1], endStream: true))
    #expect(peer.listen().isEmpty)
    server.submitTrailers(1, Samples.trailers)
    #expect(peer.listen().map(\.kind) == [.headers])
    #expect(peer.told.closures == [.finished])
  }

  @Test func trailersOnlyIsOneFrame() throws {
    var (server, peer) = try Samples.serving()
    peer.say(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.answer + Samples.trailers, endStream: true)
    let answer = peer.listen()
    #expect(answer.map(\.kind) == [.headers] && answer.first?.has(.endStream) == true)
    #expect(peer.told.closures == [.finished])
  }

  @Test func anAnswerWithoutBodyHasTwoHeaderFrames() throws {
    var (server, peer) = try Samples.serving()
    peer.say(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.answer, endStream: false)
    server.submitTrailers(1, Samples.trailers)
    let answer = peer.listen()
    #expect(answer.map(\.kind) == [.headers, .headers])
    #expect(answer.map { $0.has(.endStream) } == [false, true])
  }

  @Test func trailersWaitForTheWindow() throws {
    var (server, peer) = try Samples.serving()
    peer.say(.settings((Setting.initialWindowSize, 2)))
    peer.say(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.answer, endStream: false)
    server.sendData(1, [1, 2, 3], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    #expect(peer.listen().map(\.kind) == [.headers, .data])
    peer.say(.windowUpdate(1, 10))
    #expect(peer.heard.suffix(2).map(\.kind) == [.data, .headers])
    #expect(peer.heard(.data).flatMap(\.payload) == [1, 2, 3])
  }

  /// Otherwise a client that stops sending would hold the stream open for ever.
  @Test func anAnswerBeforeTheEndOfTheRequestStopsTheClient() throws {
    var (server, peer) = try Samples.serving(HTTP2Configuration { $0.connectionWindow = 65_535 })
    for stream in stride(from: 1, through: 1001, by: 2) {
      peer.say(.headers(stream, Samples.request), .data(stream, [1]))
      let id = StreamID(stream)
      if stream % 4 == 1 {
        server.submitResponse(id, Samples.answer + Samples.trailers, endStream: true)
        #expect(peer.listen().map(\.kind) == [.headers, .resetStream])
      } else {
        server.submitResponse(id, Samples.answer, endStream: false)
        server.sendData(id, [1], endStream: false)
        server.submitTrailers(id, Samples.trailers)
        #expect(peer.listen().map(\.kind) == [.headers, .data, .headers, .resetStream])
      }
      #expect(peer.heard.last == .reset(stream, .noError))
      #expect(peer.told.closures.last == .finished)
      #expect(server.activeStreams == 0)
      peer.say(.data(stream, Array(repeating: 7, count: 1000)))
    }
    #expect(peer.told.body.count == 501)
    let given = peer.heard(.windowUpdate, on: 0).reduce(0) { $0 + Int($1.number()) }
    #expect(given > 501 * 1001 - 65_535)
    #expect(peer.told.failures.isEmpty)
  }

  @Test func requestTrailersAreTold() throws {
    var (_, peer) = try Samples.serving()
    peer.say(
      .headers(1, Samples.request), .data(1, [1]),
      .headers(1, [HeaderField("x-sum", "1")], endStream: true))
    #expect(peer.told.trailers == [[HeaderField("x-sum", "1")]])
    #expect(peer.told.ended == [1])
  }

  @Test func callsOnAClosedStreamAreIgnored() throws {
    var (server, peer) = try Samples.serving()
    peer.say(.headers(1, Samples.request), .reset(1, .cancel))
    #expect(peer.told.closures == [.resetByPeer(.cancel)])
    server.submitResponse(1, Samples.answer, endStream: false)
    server.sendData(1, [1], endStream: false)
    server.submitTrailers(1, Samples.trailers)
    server.reset(1, errorCode: .internalError)
    #expect(peer.listen().isEmpty)
    #expect(peer.told.closures.count == 1)
  }

  @Test func aStreamCanBeResetAtAnyTime() throws {
    var (server, peer) = try Samples.serving()
    peer.say(.headers(1, Samples.request))
    server.submitResponse(1, Samples.answer, endStream: false)
    server.sendData(1, [1], endStream: false)
    server.reset(1, errorCode: .refusedStream)
    #expect(peer.listen().last == .reset(1, .refusedStream))
    #expect(peer.told.closures == [.resetLocally(.refusedStream)])
  }

  @Test func anAnswerThatCannotBeSentResetsItsStream() throws {
    var (server, peer) = try Samples.serving(
      HTTP2Configuration { $0.maxSendHeaderBlockLength = 4096 })
    let big = HeaderField("x-big", String(repeating: "a", count: 8000))
    peer.say(bytes: Self.call.flatMap(\.bytes))
    server.submitResponse(1, Samples.answer + [big], endStream: true)
    #expect(peer.listen() == [.reset(1, .internalError)])
    guard case .notSent = peer.told.closures.first else {
      Issue.record("told \(peer.told.closures)")
      return
    }
    #expect(peer.told.closures.count == 1)

    peer.say(.headers(3, Samples.request, endStream: true))
    server.submitResponse(3, Samples.answer, endStream: false)
    server.submitTrailers(3, Samples.trailers + [big])
    #expect(peer.listen().map(\.kind) == [.headers, .resetStream])
    #expect(peer.told.closures.count == 2)
  }

  // MARK: Shutdown

  @Test func aGracefulEndTakesTwoSteps() throws {
    var (server, peer) = try Samples.serving()
    peer.say(.headers(1, Samples.request, endStream: true))
    server.announceShutdown()
    #expect(peer.listen() == [.goAway(last: 0x7fff_ffff)])
    // Sent before the client received it:
    peer.say(.headers(3, Samples.request, endStream: true))
    #expect(peer.told.headers.count == 2)
    server.goAway()
    #expect(peer.listen() == [.goAway(last: 3)])
    peer.say(.headers(5, Samples.request, endStream: true))
    #expect(peer.told.headers.count == 2)
    #expect(server.wantsRead)
    for stream in [StreamID(1), 3] {
      server.submitResponse(stream, Samples.answer, endStream: true)
    }
    peer.listen()
    #expect(peer.told.closures == [.finished, .finished])
    #expect(!server.wantsRead && !server.wantsWrite)
    #expect(peer.told.failures.isEmpty)
  }

  // MARK: Limits

  @Test func streamsAboveTheLimitAreRefused() throws {
    var (server, peer) = try Samples.serving(HTTP2Configuration { $0.maxConcurrentStreams = 1 })
    // Before the acknowledgment the stream is refused; after it the client breaks the protocol.
    let early = try HTTP2ServerSession(
      configuration: HTTP2Configuration { $0.maxConcurrentStreams = 1 })
    var hasty = ScriptedPeer(early)
    hasty.say(bytes: RawFrame.clientPreface + RawFrame.settings().bytes)
    hasty.say(.headers(1, Samples.request), .headers(3, Samples.request))
    #expect(hasty.heard(.resetStream) == [.reset(3, .refusedStream)])
    #expect(hasty.told.headers.count == 1 && hasty.told.failures.isEmpty)

    peer.say(.headers(1, Samples.request), .headers(3, Samples.request))
    #expect(peer.told.failures.map(\.code) == [.protocolError])
    #expect(server.activeStreams == 1)
  }

  @Test func rejectsAHeaderListAboveTheLimitWithoutAnEvent() throws {
    var (server, peer) = try Samples.serving(HTTP2Configuration { $0.maxHeaderListSize = 2000 })
    let big = HeaderField("x-big", String(repeating: "a", count: 2000))
    peer.say(.headers(1, Samples.request + [big], endStream: true))
    #expect(peer.heard(.resetStream) == [.reset(1, .enhanceYourCalm)])
    #expect(peer.told.headers.isEmpty && peer.told.closures.isEmpty)
    #expect(server.endings.violations.isEmpty)
    peer.say(.headers(3, Samples.request, endStream: true))
    #expect(peer.told.headers.count == 1)
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
  func doesNotReportAMalformedRequest(_ fields: Named<[HeaderField]>) throws {
    var (server, peer) = try Samples.serving()
    peer.say(.headers(1, fields.value, endStream: true))
    #expect(peer.heard(.resetStream) == [.reset(1, .protocolError)])
    #expect(peer.told.headers.isEmpty && peer.told.closures.isEmpty)
    #expect(server.activeStreams == 0)
  }

  /// CVE-2023-44487.
  @Test func rapidResetsAreCutOff() throws {
    let start = ContinuousClock.now
    var (_, peer) = try Samples.serving(HTTP2Configuration { $0.now = { start } })
    var stream = 1
    while peer.told.failures.isEmpty, stream < 20_000 {
      peer.say(.headers(stream, Samples.request), .reset(stream, .cancel))
      stream += 2
    }
    #expect(peer.told.failures.count == 1)
    #expect(stream > 500 && stream < 5000)
  }

  /// CVE-2025-8671: the client makes the server reset.
  @Test func resetsThatThePeerProvokesAreCutOff() throws {
    let start = ContinuousClock.now
    var (_, peer) = try Samples.serving(HTTP2Configuration { $0.now = { start } })
    var stream = 1
    while peer.told.failures.isEmpty, stream < 20_000 {
      peer.say(.headers(stream, Samples.request), .windowUpdate(stream, 0x7fff_ffff))
      stream += 2
    }
    #expect(peer.told.failures.count == 1)
    #expect(stream < 5000)
  }

  @Test func aPeerWithoutPrefaceIsNoHTTP2() throws {
    for text in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello"] {
      var peer = ScriptedPeer(try HTTP2ServerSession())
      peer.say(bytes: Array(text.utf8))
      guard case .notHTTP2 = peer.told.failures.first?.kind else {
        Issue.record("told \(peer.told.failures)")
        return
      }
      #expect(peer.told.failures.count == 1)
    }
  }

  @Test(arguments: 0..<200)
  func mutatedTalkIsSurvived(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let talk =
      Self.call.flatMap(\.bytes) + RawFrame.ping(1).bytes
      + RawFrame.headers(3, Samples.request).bytes + RawFrame.windowUpdate(3, 5).bytes
      + RawFrame.reset(3, .cancel).bytes
    let (server, serving) = try Samples.serving()
    var peer = serving
    for _ in 0..<20 {
      var bytes = talk
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      peer.say(bytes: bytes)
      server.submitResponse(1, Samples.answer, endStream: false)
      server.submitTrailers(3, Samples.trailers)
      peer.listen()
    }
    #expect(peer.told.failures.count <= 1)
    #expect(peer.told.closures.count <= peer.told.headers.count)
  }
}
