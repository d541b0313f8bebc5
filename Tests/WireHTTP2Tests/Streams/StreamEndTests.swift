import TestSupport
import Testing
import WireHTTP2

/// How streams end by RST_STREAM and GOAWAY, from either side.
@Suite struct StreamEndTests {
  static let codes = (0...0xd).map { HTTP2ErrorCode(rawValue: $0) } + [.init(rawValue: 0xffff_ffff)]

  // MARK: RST_STREAM

  @Test(arguments: codes)
  func aResetKeepsThePeersCode(_ code: HTTP2ErrorCode) throws {
    var (_, peer) = try Samples.asked()
    peer.say(.reset(1, code))
    #expect(peer.told.closures == [.resetByPeer(code)])
    #expect(peer.heard(.resetStream).isEmpty)
  }

  @Test func aResetMayComeAtEveryStage() throws {
    let stages: [[RawFrame]] = [
      [], [.headers(1, [HeaderField(":status", "100")])], [.headers(1, Samples.answer)],
      [.headers(1, Samples.answer), .data(1, [1])],
      [.headers(1, Samples.answer), .headers(1, Samples.trailers, endStream: true)],
    ]
    for stage in stages {
      var (client, peer) = try Samples.asked(endStream: false)
      peer.say(bytes: stage.flatMap(\.bytes))
      #expect(peer.told.closures.isEmpty)
      peer.say(.reset(1, .noError))
      #expect(peer.told.closures == [.resetByPeer(.noError)])
      client.sendData(1, [1, 2], endStream: true)
      #expect(peer.listen().isEmpty)
      #expect(client.activeStreams == 0)
    }
  }

  @Test func weResetWithTheCodeGivenAndSayItOnce() throws {
    var (client, peer) = try Samples.asked()
    client.reset(1, errorCode: .cancel)
    client.reset(1, errorCode: .cancel)
    peer.listen()
    #expect(peer.heard(.resetStream) == [.reset(1, .cancel)])
    #expect(peer.told.closures == [.resetLocally(.cancel)])
    // Bytes in transit are ignored.
    peer.say(.headers(1, Samples.answer), .data(1, [1]), .reset(1, .internalError))
    #expect(peer.told.headers.isEmpty && peer.told.body.isEmpty)
    #expect(peer.told.closures == [.resetLocally(.cancel)])
    #expect(peer.told.failures.isEmpty)
  }

  @Test func aStreamIsResetBeforeItsHeadersHaveLeft() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client, settings: (Setting.maxConcurrentStreams, 10))
    let stream = try client.submitRequest(Samples.request, endStream: true)
    client.reset(stream, errorCode: .cancel)
    peer.listen()
    #expect(peer.told.closures == [.resetLocally(.cancel)])
    #expect(peer.heard(.headers).isEmpty && peer.heard(.resetStream).isEmpty)
    #expect(client.activeStreams == 0)
  }

  /// nghttp2 would not report a request that waits for a free stream.
  @Test func aStreamIsResetWhileALoweredLimitHoldsItBack() throws {
    var (client, peer) = try Samples.asked(settings: (Setting.maxConcurrentStreams, 10))
    let held = try client.submitRequest(Samples.request, endStream: true)
    peer.shout(.settings((Setting.maxConcurrentStreams, 1)))
    peer.listen()
    #expect(peer.heard(.headers).map(\.stream) == [1])
    client.reset(held, errorCode: .cancel)
    peer.listen()
    #expect(peer.told.closures == [.resetLocally(.cancel)])
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.resetLocally(.cancel), .finished])
    #expect(peer.heard(.headers).map(\.stream) == [1])
  }

  /// nghttp2 continues to report the frame that it is reading.
  @Test func aResetEndsAFrameInTheMiddle() throws {
    var (client, peer) = try Samples.asked()
    let bytes = RawFrame.data(1, [1, 2, 3, 4], endStream: true).bytes
    peer.say(.headers(1, Samples.answer))
    peer.say(bytes: Array(bytes.dropLast(2)))
    client.reset(1, errorCode: .cancel)
    peer.say(bytes: Array(bytes.suffix(2)))
    #expect(peer.told.body == [1, 2] && peer.told.ended.isEmpty)
    #expect(peer.told.closures == [.resetLocally(.cancel)])

    (client, peer) = try Samples.asked()
    let block = literalHeaderBlock(Samples.answer)
    peer.say(RawFrame(.headers, stream: 1, Array(block.dropLast())))
    client.reset(1, errorCode: .cancel)
    peer.say(RawFrame(.continuation, flags: .endHeaders, stream: 1, Array(block.suffix(1))))
    #expect(peer.told.headers.isEmpty && peer.told.closures == [.resetLocally(.cancel)])
    #expect(peer.told.failures.isEmpty)
  }

  @Test func aResetOfAnIdleStreamLosesTheConnection() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.reset(99, .cancel))
    #expect(peer.told.failures.map(\.code) == [.protocolError])
  }

  // MARK: GOAWAY

  @Test func streamsAboveTheLastAreUnprocessed() throws {
    var (client, peer) = try Samples.asked()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    peer.say(.goAway(last: 1, .enhanceYourCalm, debug: "too_many_pings"))
    #expect(peer.told.goAways.map(\.last) == [1])
    #expect(peer.told.goAways.map(\.code) == [.enhanceYourCalm])
    #expect(peer.told.goAways.map(\.debug) == ["too_many_pings"])
    #expect(peer.told.closures == [.unprocessed])
    #expect(!client.canSubmit)
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .goingAway)
    #expect(client.wantsRead)
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.unprocessed, .finished])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  @Test func reportsBothGoAwaysOfAGracefulEnd() throws {
    var (client, peer) = try Samples.asked()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    peer.say(.goAway(last: 0x7fff_ffff))
    #expect(peer.told.closures.isEmpty && !client.canSubmit)
    peer.say(.goAway(last: 1))
    #expect(peer.told.goAways.map(\.last) == [.max, 1])
    #expect(peer.told.closures == [.unprocessed])
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.unprocessed, .finished])
  }

  @Test func aGoAwayOfNothingLeavesEveryStreamUnprocessed() throws {
    var (client, peer) = try Samples.asked()
    peer.say(.goAway(last: 0))
    #expect(peer.told.closures == [.unprocessed])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  /// nghttp2 does not report these until the streams before them end.
  @Test func requestsThatHaveNotLeftAreUnprocessedAtOnce() throws {
    var (client, peer) = try Samples.asked()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.shout(.goAway(last: 0x7fff_ffff))
    #expect(peer.told.closures == [.unprocessed])
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.unprocessed, .finished])
    #expect(peer.heard(.headers).map(\.stream) == [1])
    #expect(client.activeStreams == 0)
  }

  @Test func reportsAResetAboveAGoAwayOnce() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.goAway(last: 0), .reset(1, .refusedStream))
    #expect(peer.told.closures == [.unprocessed])
  }

  @Test func aSecondGoAwayMayNotRaiseTheLastStream() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.goAway(last: 1), .goAway(last: 3))
    #expect(peer.told.failures.map(\.code) == [.protocolError])
  }

  @Test func weGoAwayAndFinishWhatIsOpen() throws {
    var (client, peer) = try Samples.asked()
    client.goAway(errorCode: .noError, debugData: Array("bye".utf8))
    peer.listen()
    #expect(peer.heard(.goAway) == [.goAway(last: 0, .noError, debug: "bye")])
    #expect(!client.canSubmit && client.wantsRead)
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.finished])
    #expect(!client.wantsRead && !client.wantsWrite)
    #expect(peer.told.failures.isEmpty)
  }

  /// Without another open stream, nghttp2 as a server ignores frames after a client's GOAWAY.
  @Test func requestsThatHaveNotLeftAreUnprocessedWhenWeGoAway() throws {
    var (client, peer) = try Samples.asked()
    _ = try client.submitRequest(Samples.request, endStream: true)
    client.goAway()
    peer.listen()
    #expect(peer.told.closures == [.unprocessed])
    #expect(peer.heard(.headers).map(\.stream) == [1])
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.unprocessed, .finished])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  @Test func goingAwayWithAnErrorOfOursIsNoFailure() throws {
    var (client, peer) = try Samples.asked()
    client.goAway(errorCode: .internalError)
    peer.listen()
    #expect(peer.told.failures.isEmpty)
    peer.say(.data(0, [1]))
    #expect(peer.told.failures.map(\.code) == [.protocolError])
  }

  // MARK: PING

  @Test func acknowledgesPingsAndReportsItsOwn() throws {
    var (client, peer) = try Samples.asked()
    client.ping(0x0102_0304_0506_0708)
    peer.listen()
    #expect(peer.heard(.ping).map(\.payload) == [[1, 2, 3, 4, 5, 6, 7, 8]])
    peer.say(.ping(0x0102_0304_0506_0708, acknowledge: true), .ping(42))
    #expect(peer.told.pings == [0x0102_0304_0506_0708])
    #expect(peer.heard.last == .ping(42, acknowledge: true))
  }
}
