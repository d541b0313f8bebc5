import TestSupport
import Testing
import WireHTTP2

/// The windows of both sides (RFC 9113 §5.2).
@Suite struct FlowControlTests {
  static let small = HTTP2Configuration {
    $0.streamWindow = 1000
    $0.connectionWindow = 65_535
  }

  // MARK: What we take

  @Test func aSlowReaderIsGivenNoMoreThanItsWindow() throws {
    var (client, peer) = try Samples.asked(Self.small)
    peer.consumes = false
    peer.say(.headers(1, Samples.answer), .data(1, Array(repeating: 7, count: 1000)))
    #expect(peer.heard(.windowUpdate, on: 1).isEmpty)
    client.consume(1, 1000)
    peer.listen()
    #expect(peer.heard(.windowUpdate, on: 1).map { $0.number() } == [1000])
  }

  @Test func theConnectionsWindowIsGivenBackWithoutTheStreams() throws {
    var (client, peer) = try Samples.asked(Self.small)
    peer.consumes = false
    for _ in 0..<66 {
      let stream = try client.submitRequest(Samples.request, endStream: true)
      peer.listen()
      peer.say(
        .headers(Int(stream), Samples.answer),
        .data(Int(stream), Array(repeating: 7, count: 1000)))
      client.consumeConnection(1000)
      peer.listen()
    }
    let given = peer.heard(.windowUpdate)
    #expect(given.allSatisfy { $0.stream == 0 })
    #expect(given.reduce(0) { $0 + Int($1.number()) } > 32_000)
    client.consumeStream(3, 1000)
    peer.listen()
    #expect(peer.heard(.windowUpdate, on: 3).map { $0.number() } == [1000])
    #expect(peer.heard(.windowUpdate).count == given.count + 1)
    #expect(peer.told.failures.isEmpty)
  }

  @Test func theStreamsWindowIsGivenBackAfterItsEnd() throws {
    var (client, peer) = try Samples.asked(Self.small)
    peer.consumes = false
    peer.say(
      .headers(1, Samples.answer), .data(1, Array(repeating: 7, count: 1000)),
      .headers(1, Samples.trailers, endStream: true))
    client.consumeStream(1, 1000)
    client.consumeStream(99, 1000)
    peer.listen()
    #expect(peer.heard(.windowUpdate).isEmpty)
    #expect(peer.told.failures.isEmpty)
  }

  /// The code with which the first stream or, as newer nghttp2 does, the connection ended.
  private func verdict(_ peer: ScriptedPeer) -> HTTP2ErrorCode? {
    if case .violation(let error) = peer.told.closures.first { return error.code }
    return peer.told.failures.first?.code
  }

  @Test func moreThanTheStreamsWindowEndsTheStream() throws {
    var (_, peer) = try Samples.asked(Self.small)
    peer.consumes = false
    peer.say(.headers(1, Samples.answer), .data(1, Array(repeating: 7, count: 1001)))
    #expect(verdict(peer) == .flowControlError)
    #expect(peer.told.closures.count + peer.told.failures.count == 1)
  }

  @Test func moreThanTheConnectionsWindowLosesTheConnection() throws {
    var (_, peer) = try Samples.asked(
      HTTP2Configuration {
        $0.streamWindow = 1_000_000
        $0.connectionWindow = 65_535
      })
    peer.consumes = false
    peer.say(.headers(1, Samples.answer))
    for _ in 0..<4 { peer.say(.data(1, Array(repeating: 7, count: 16_383))) }
    #expect(peer.told.failures.isEmpty)
    peer.say(.data(1, Array(repeating: 7, count: 4)))
    #expect(peer.told.failures.map(\.code) == [.flowControlError])
  }

  /// All DATA must be returned to the connection's window, whatever happens to it, or the
  /// connection would stall: the sum of updates stays within half a window of it.
  private func expectNoLeak(_ peer: ScriptedPeer, received: Int, window: Int = 65_535) {
    let given = peer.heard(.windowUpdate, on: 0).reduce(0) { $0 + Int($1.number()) }
    #expect(received > 10 * window)
    #expect(given > received - window / 2 - 1 && given <= received)
    #expect(peer.told.failures.isEmpty)
  }

  @Test func paddingComesBackByItself() throws {
    var (_, peer) = try Samples.asked(Self.small)
    peer.say(.headers(1, Samples.answer))
    let frame = RawFrame.data(1, [1, 2, 3, 4, 5], padding: 255)
    for _ in 0..<5000 { peer.say(frame) }
    expectNoLeak(peer, received: 5000 * frame.payload.count)
    #expect(peer.told.body.count == 25_000)
  }

  @Test func dataForStreamsThatWereResetComesBack() throws {
    var (client, peer) = try Samples.asked(Self.small)
    client.reset(1, errorCode: .cancel)
    for turn in 1...1000 {
      let stream = try client.submitRequest(Samples.request, endStream: true)
      #expect(stream == turn * 2 + 1)
      peer.listen()
      client.reset(stream, errorCode: .cancel)
      peer.say(
        .headers(Int(stream), Samples.answer), .data(Int(stream), Array(repeating: 7, count: 1000)))
    }
    expectNoLeak(peer, received: 1_000_000)
    #expect(peer.told.body.isEmpty)
  }

  @Test func dataOfAFrameCutOffByAResetComesBack() throws {
    var (client, peer) = try Samples.asked(Self.small)
    client.reset(1, errorCode: .cancel)
    for _ in 0..<1000 {
      let stream = Int(try client.submitRequest(Samples.request, endStream: true))
      let bytes = RawFrame.data(stream, Array(repeating: 7, count: 1000)).bytes
      peer.listen()
      peer.say(.headers(stream, Samples.answer))
      peer.say(bytes: Array(bytes.prefix(20)))
      client.reset(StreamID(stream), errorCode: .cancel)
      client.receive(Array(bytes.dropFirst(20)))
      peer.listen()
    }
    expectNoLeak(peer, received: 1_000_000)
  }

  @Test func dataConsumedAfterItsStreamClosedComesBack() throws {
    var (client, peer) = try Samples.asked(Self.small)
    peer.consumes = false
    client.reset(1, errorCode: .cancel)
    for _ in 0..<1000 {
      let stream = Int(try client.submitRequest(Samples.request, endStream: true))
      peer.listen()
      peer.say(
        .headers(stream, Samples.answer),
        .data(stream, Array(repeating: 7, count: 1000), endStream: true))
      #expect(client.activeStreams == 0)
      client.consume(StreamID(stream), 1000)
      peer.listen()
    }
    expectNoLeak(peer, received: 1_000_000)
  }

  // MARK: What we send

  @Test func aBodyWaitsForThePeersWindow() throws {
    let body = (0..<100).map { UInt8($0) }
    var (_, peer) = try Samples.asked(body: body, settings: (Setting.initialWindowSize, 10))
    #expect(peer.heard(.data).map(\.payload.count) == [10])
    peer.say(.windowUpdate(1, 1))
    #expect(peer.heard(.data).map(\.payload.count) == [10, 1])
    peer.say(.settings((Setting.initialWindowSize, 0)))
    peer.say(.windowUpdate(1, 5))
    #expect(peer.heard(.data).map(\.payload.count) == [10, 1])
    peer.say(.windowUpdate(1, 1000))
    #expect(peer.heard(.data).flatMap(\.payload) == body)
    #expect(peer.heard(.data).map { $0.has(.endStream) } == [false, false, true])
  }

  @Test func aBodyMayBeGivenInParts() throws {
    var (client, peer) = try Samples.asked(body: [], endStream: false)
    #expect(peer.heard(.data).isEmpty)
    client.sendData(1, [1], endStream: false)
    client.sendData(1, [2, 3], endStream: false)
    peer.listen()
    #expect(peer.heard(.data).map(\.payload) == [[1, 2, 3]])
    client.sendData(1, [4], endStream: false)
    peer.listen()
    client.sendData(1, [], endStream: true)
    client.sendData(1, [9], endStream: true)
    peer.listen()
    #expect(peer.heard(.data).map(\.payload) == [[1, 2, 3], [4], []])
    #expect(peer.heard(.data).map { $0.has(.endStream) } == [false, false, true])
  }

  @Test func reportsADrainedBodyOnce() throws {
    var (client, peer) = try Samples.asked(
      HTTP2Configuration { $0.bodyLowWater = 10 }, body: [], endStream: false,
      settings: (Setting.initialWindowSize, 20))
    #expect(client.unsentBytes(1) == 0)
    client.sendData(1, Array(repeating: 1, count: 9), endStream: false)
    peer.listen()
    #expect(peer.told.drained.isEmpty)
    client.sendData(1, Array(repeating: 1, count: 25), endStream: false)
    #expect(client.unsentBytes(1) == 25)
    peer.listen()
    #expect(client.unsentBytes(1) == 14)
    #expect(peer.told.drained.isEmpty)
    peer.say(.windowUpdate(1, 4))
    #expect(peer.told.drained.isEmpty)
    peer.say(.windowUpdate(1, 1))
    #expect(peer.told.drained == [1])
    peer.say(.windowUpdate(1, 9))
    #expect(client.unsentBytes(1) == 0)
    client.sendData(1, Array(repeating: 1, count: 10), endStream: false)
    peer.say(.windowUpdate(1, 10))
    #expect(peer.told.drained == [1, 1])
    client.reset(1, errorCode: .cancel)
    #expect(client.unsentBytes(1) == 0)
  }

  @Test func aBodyThatIsCompleteWantsNoMore() throws {
    var (client, peer) = try Samples.asked(
      HTTP2Configuration { $0.bodyLowWater = 10 }, body: Array(repeating: 1, count: 50_000),
      settings: (Setting.initialWindowSize, 100_000))
    #expect(client.unsentBytes(1) == 0)
    peer.say(.windowUpdate(1, 1))
    #expect(peer.told.drained.isEmpty)
  }

  @Test func aWindowAboveTheLargestEndsStreamOrConnection() throws {
    var (_, peer) = try Samples.asked(endStream: false)
    peer.say(.headers(1, Samples.answer), .windowUpdate(1, 0x7fff_ffff))
    #expect(verdict(peer) == .flowControlError)
    #expect(peer.told.closures.count + peer.told.failures.count == 1)

    (_, peer) = try Samples.asked()
    peer.say(.windowUpdate(0, 0x7fff_ffff))
    #expect(peer.told.failures.map(\.code) == [.flowControlError])
  }

  @Test func sendStopsAtItsLimit() throws {
    let client = try HTTP2ClientSession()
    let peer = ScriptedPeer(client)
    #expect(!client.wantsWrite)
    _ = try client.submitRequest(
      Samples.request, body: Array(repeating: 7, count: 60_000), endStream: true)
    var sizes: [Int] = []
    while true {
      var output: [UInt8] = []
      client.send(into: &output, limit: 1000)
      if output.isEmpty { break }
      sizes.append(output.count)
    }
    #expect(!client.wantsWrite)
    #expect(sizes.count == 4 && sizes.allSatisfy { $0 >= 1000 && $0 < 1000 + 16_393 })
    #expect(peer.told.failures.isEmpty)
  }
}
