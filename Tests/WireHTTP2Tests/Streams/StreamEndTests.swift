import TestSupport
import Testing
import WireHTTP2

/// How streams end by RST_STREAM and GOAWAY, from either side.
@Suite struct StreamEndTests {
  static let codes = (0...0xd).map { HTTP2ErrorCode(rawValue: $0) } + [.init(rawValue: 0xffff_ffff)]

  // MARK: RST_STREAM

  @Test(arguments: codes)
  func resetHasThePeersCode(_ code: HTTP2ErrorCode) throws {
    var (_, peer) = try Samples.client()
    peer.send(.reset(1, code))
    #expect(peer.events.closures == [.resetByPeer(code)])
    #expect(peer.received(.resetStream).isEmpty)
  }

  @Test func resetMayArriveAtAnyStage() throws {
    let stages: [[RawFrame]] = [
      [], [.headers(1, [HeaderField(":status", "100")])], [.headers(1, Samples.response)],
      [.headers(1, Samples.response), .data(1, [1])],
      [.headers(1, Samples.response), .headers(1, Samples.trailers, endStream: true)],
    ]
    for stage in stages {
      var (client, peer) = try Samples.client(endStream: false)
      peer.send(bytes: stage.flatMap(\.bytes))
      #expect(peer.events.closures.isEmpty)
      peer.send(.reset(1, .noError))
      #expect(peer.events.closures == [.resetByPeer(.noError)])
      client.sendData(1, [1, 2], endStream: true)
      #expect(peer.receive().isEmpty)
      #expect(client.activeStreams == 0)
    }
  }

  @Test func localResetIsSentOnce() throws {
    var (client, peer) = try Samples.client()
    client.reset(1, errorCode: .cancel)
    client.reset(1, errorCode: .cancel)
    peer.receive()
    #expect(peer.received(.resetStream) == [.reset(1, .cancel)])
    #expect(peer.events.closures == [.resetLocally(.cancel)])
    // Bytes in transit are ignored.
    peer.send(.headers(1, Samples.response), .data(1, [1]), .reset(1, .internalError))
    #expect(peer.events.headers.isEmpty && peer.events.body.isEmpty)
    #expect(peer.events.closures == [.resetLocally(.cancel)])
    #expect(peer.events.failures.isEmpty)
  }

  @Test func unsentRequestIsResetSilently() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client, settings: (Setting.maxConcurrentStreams, 10))
    let stream = try client.submitRequest(Samples.request, endStream: true)
    client.reset(stream, errorCode: .cancel)
    peer.receive()
    #expect(peer.events.closures == [.resetLocally(.cancel)])
    #expect(peer.received(.headers).isEmpty && peer.received(.resetStream).isEmpty)
    #expect(client.activeStreams == 0)
  }

  /// nghttp2 would not report a request that waits for a free stream.
  @Test func requestBlockedByALoweredLimitIsReset() throws {
    var (client, peer) = try Samples.client(settings: (Setting.maxConcurrentStreams, 10))
    let held = try client.submitRequest(Samples.request, endStream: true)
    peer.sendWithoutReading(.settings((Setting.maxConcurrentStreams, 1)))
    peer.receive()
    #expect(peer.received(.headers).map(\.stream) == [1])
    client.reset(held, errorCode: .cancel)
    peer.receive()
    #expect(peer.events.closures == [.resetLocally(.cancel)])
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.resetLocally(.cancel), .finished])
    #expect(peer.received(.headers).map(\.stream) == [1])
  }

  /// nghttp2 continues to report the frame that it is reading.
  @Test func resetDropsTheRestOfAFrame() throws {
    var (client, peer) = try Samples.client()
    let bytes = RawFrame.data(1, [1, 2, 3, 4], endStream: true).bytes
    peer.send(.headers(1, Samples.response))
    peer.send(bytes: Array(bytes.dropLast(2)))
    client.reset(1, errorCode: .cancel)
    peer.send(bytes: Array(bytes.suffix(2)))
    #expect(peer.events.body == [1, 2] && peer.events.ended.isEmpty)
    #expect(peer.events.closures == [.resetLocally(.cancel)])

    (client, peer) = try Samples.client()
    let block = literalHeaderBlock(Samples.response)
    peer.send(RawFrame(.headers, stream: 1, Array(block.dropLast())))
    client.reset(1, errorCode: .cancel)
    peer.send(RawFrame(.continuation, flags: .endHeaders, stream: 1, Array(block.suffix(1))))
    #expect(peer.events.headers.isEmpty && peer.events.closures == [.resetLocally(.cancel)])
    #expect(peer.events.failures.isEmpty)
  }

  @Test func resetOfAnIdleStreamFailsTheConnection() throws {
    var (_, peer) = try Samples.client()
    peer.send(.reset(99, .cancel))
    #expect(peer.events.failures.map(\.code) == [.protocolError])
  }

  // MARK: GOAWAY

  @Test func streamsAboveTheLastStreamIDAreUnprocessed() throws {
    var (client, peer) = try Samples.client()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    peer.send(.goAway(last: 1, .enhanceYourCalm, debug: "too_many_pings"))
    #expect(peer.events.goAways.map(\.last) == [1])
    #expect(peer.events.goAways.map(\.code) == [.enhanceYourCalm])
    #expect(peer.events.goAways.map(\.debug) == ["too_many_pings"])
    #expect(peer.events.closures == [.unprocessed])
    #expect(!client.canSubmit)
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .goingAway)
    #expect(client.wantsRead)
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.unprocessed, .finished])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  @Test func bothGoAwaysOfAGracefulShutdownAreReported() throws {
    var (client, peer) = try Samples.client()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    peer.send(.goAway(last: 0x7fff_ffff))
    #expect(peer.events.closures.isEmpty && !client.canSubmit)
    peer.send(.goAway(last: 1))
    #expect(peer.events.goAways.map(\.last) == [.max, 1])
    #expect(peer.events.closures == [.unprocessed])
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.unprocessed, .finished])
  }

  @Test func goAwayWithStreamZeroLeavesAllStreamsUnprocessed() throws {
    var (client, peer) = try Samples.client()
    peer.send(.goAway(last: 0))
    #expect(peer.events.closures == [.unprocessed])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  /// nghttp2 reports these only after the earlier streams end.
  @Test func unsentRequestsAreUnprocessedAtOnce() throws {
    var (client, peer) = try Samples.client()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.sendWithoutReading(.goAway(last: 0x7fff_ffff))
    #expect(peer.events.closures == [.unprocessed])
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.unprocessed, .finished])
    #expect(peer.received(.headers).map(\.stream) == [1])
    #expect(client.activeStreams == 0)
  }

  @Test func resetAfterAGoAwayIsNotReportedAgain() throws {
    var (_, peer) = try Samples.client()
    peer.send(.goAway(last: 0), .reset(1, .refusedStream))
    #expect(peer.events.closures == [.unprocessed])
  }

  @Test func secondGoAwayMustNotRaiseTheLastStreamID() throws {
    var (_, peer) = try Samples.client()
    peer.send(.goAway(last: 1), .goAway(last: 3))
    #expect(peer.events.failures.map(\.code) == [.protocolError])
  }

  @Test func openStreamsFinishAfterALocalGoAway() throws {
    var (client, peer) = try Samples.client()
    client.goAway(errorCode: .noError, debugData: Array("bye".utf8))
    peer.receive()
    #expect(peer.received(.goAway) == [.goAway(last: 0, .noError, debug: "bye")])
    #expect(!client.canSubmit && client.wantsRead)
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.finished])
    #expect(!client.wantsRead && !client.wantsWrite)
    #expect(peer.events.failures.isEmpty)
  }

  /// Without another open stream, nghttp2 as a server ignores frames after a client's GOAWAY.
  @Test func localGoAwayLeavesUnsentRequestsUnprocessed() throws {
    var (client, peer) = try Samples.client()
    _ = try client.submitRequest(Samples.request, endStream: true)
    client.goAway()
    peer.receive()
    #expect(peer.events.closures == [.unprocessed])
    #expect(peer.received(.headers).map(\.stream) == [1])
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.unprocessed, .finished])
    #expect(!client.wantsRead && !client.wantsWrite)
  }

  @Test func localGoAwayWithAnErrorIsNotAFailure() throws {
    var (client, peer) = try Samples.client()
    client.goAway(errorCode: .internalError)
    peer.receive()
    #expect(peer.events.failures.isEmpty)
    peer.send(.data(0, [1]))
    #expect(peer.events.failures.map(\.code) == [.protocolError])
  }

  // MARK: PING

  @Test func pingsAreAcknowledgedAndReported() throws {
    var (client, peer) = try Samples.client()
    client.ping(0x0102_0304_0506_0708)
    peer.receive()
    #expect(peer.received(.ping).map(\.payload) == [[1, 2, 3, 4, 5, 6, 7, 8]])
    peer.send(.ping(0x0102_0304_0506_0708, acknowledge: true), .ping(42))
    #expect(peer.events.pings == [0x0102_0304_0506_0708])
    #expect(peer.received.last == .ping(42, acknowledge: true))
  }
}
