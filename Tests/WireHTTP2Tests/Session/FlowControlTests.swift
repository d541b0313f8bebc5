import TestSupport
import Testing
import WireHTTP2

/// The windows of both sides (RFC 9113 §5.2).
@Suite struct FlowControlTests {
  static let small = HTTP2Configuration {
    $0.streamWindow = 1000
    $0.connectionWindow = 65_535
  }

  // MARK: Receiving

  @Test func unreadDataIsLimitedByTheWindow() throws {
    var (client, peer) = try Samples.client(Self.small)
    peer.consumes = false
    peer.send(.headers(1, Samples.response), .data(1, Array(repeating: 7, count: 1000)))
    #expect(peer.received(.windowUpdate, on: 1).isEmpty)
    client.consume(1, 1000)
    peer.receive()
    #expect(peer.received(.windowUpdate, on: 1).map { $0.number() } == [1000])
  }

  @Test func connectionWindowIsReturnedWithoutTheStreams() throws {
    var (client, peer) = try Samples.client(Self.small)
    peer.consumes = false
    for _ in 0..<66 {
      let stream = try client.submitRequest(Samples.request, endStream: true)
      peer.receive()
      peer.send(
        .headers(Int(stream), Samples.response),
        .data(Int(stream), Array(repeating: 7, count: 1000)))
      client.consumeConnection(1000)
      peer.receive()
    }
    let returned = peer.received(.windowUpdate)
    #expect(returned.allSatisfy { $0.stream == 0 })
    #expect(returned.reduce(0) { $0 + Int($1.number()) } > 32_000)
    client.consumeStream(3, 1000)
    peer.receive()
    #expect(peer.received(.windowUpdate, on: 3).map { $0.number() } == [1000])
    #expect(peer.received(.windowUpdate).count == returned.count + 1)
    #expect(peer.events.failures.isEmpty)
  }

  @Test func closedStreamReturnsNoWindow() throws {
    var (client, peer) = try Samples.client(Self.small)
    peer.consumes = false
    peer.send(
      .headers(1, Samples.response), .data(1, Array(repeating: 7, count: 1000)),
      .headers(1, Samples.trailers, endStream: true))
    client.consumeStream(1, 1000)
    client.consumeStream(99, 1000)
    peer.receive()
    #expect(peer.received(.windowUpdate).isEmpty)
    #expect(peer.events.failures.isEmpty)
  }

  /// The error code of the first stream, or of the connection with newer versions of nghttp2.
  private func errorCode(_ peer: ScriptedPeer) -> HTTP2ErrorCode? {
    if case .violation(let error) = peer.events.closures.first { return error.code }
    return peer.events.failures.first?.code
  }

  @Test func dataAboveTheStreamWindowEndsTheStream() throws {
    var (_, peer) = try Samples.client(Self.small)
    peer.consumes = false
    peer.send(.headers(1, Samples.response), .data(1, Array(repeating: 7, count: 1001)))
    #expect(errorCode(peer) == .flowControlError)
    #expect(peer.events.closures.count + peer.events.failures.count == 1)
  }

  @Test func dataAboveTheConnectionWindowFailsTheConnection() throws {
    var (_, peer) = try Samples.client(
      HTTP2Configuration {
        $0.streamWindow = 1_000_000
        $0.connectionWindow = 65_535
      })
    peer.consumes = false
    peer.send(.headers(1, Samples.response))
    for _ in 0..<4 { peer.send(.data(1, Array(repeating: 7, count: 16_383))) }
    #expect(peer.events.failures.isEmpty)
    peer.send(.data(1, Array(repeating: 7, count: 4)))
    #expect(peer.events.failures.map(\.code) == [.flowControlError])
  }

  /// All DATA must be returned to the connection's window, or the connection stalls. The sum of the
  /// updates stays within half a window of the received bytes.
  private func expectNoLeak(_ peer: ScriptedPeer, received: Int, window: Int = 65_535) {
    let returned = peer.received(.windowUpdate, on: 0).reduce(0) { $0 + Int($1.number()) }
    #expect(received > 10 * window)
    #expect(returned > received - window / 2 - 1 && returned <= received)
    #expect(peer.events.failures.isEmpty)
  }

  @Test func paddingIsReturnedToTheWindows() throws {
    var (_, peer) = try Samples.client(Self.small)
    peer.send(.headers(1, Samples.response))
    let frame = RawFrame.data(1, [1, 2, 3, 4, 5], padding: 255)
    for _ in 0..<5000 { peer.send(frame) }
    expectNoLeak(peer, received: 5000 * frame.payload.count)
    #expect(peer.events.body.count == 25_000)
  }

  @Test func dataForResetStreamsIsReturned() throws {
    var (client, peer) = try Samples.client(Self.small)
    client.reset(1, errorCode: .cancel)
    for turn in 1...1000 {
      let stream = try client.submitRequest(Samples.request, endStream: true)
      #expect(stream == turn * 2 + 1)
      peer.receive()
      client.reset(stream, errorCode: .cancel)
      peer.send(
        .headers(Int(stream), Samples.response),
        .data(Int(stream), Array(repeating: 7, count: 1000)))
    }
    expectNoLeak(peer, received: 1_000_000)
    #expect(peer.events.body.isEmpty)
  }

  @Test func dataOfAFrameDuringAResetIsReturned() throws {
    var (client, peer) = try Samples.client(Self.small)
    client.reset(1, errorCode: .cancel)
    for _ in 0..<1000 {
      let stream = Int(try client.submitRequest(Samples.request, endStream: true))
      let bytes = RawFrame.data(stream, Array(repeating: 7, count: 1000)).bytes
      peer.receive()
      peer.send(.headers(stream, Samples.response))
      peer.send(bytes: Array(bytes.prefix(20)))
      client.reset(StreamID(stream), errorCode: .cancel)
      client.receive(Array(bytes.dropFirst(20)))
      peer.receive()
    }
    expectNoLeak(peer, received: 1_000_000)
  }

  @Test func dataConsumedAfterTheCloseIsReturned() throws {
    var (client, peer) = try Samples.client(Self.small)
    peer.consumes = false
    client.reset(1, errorCode: .cancel)
    for _ in 0..<1000 {
      let stream = Int(try client.submitRequest(Samples.request, endStream: true))
      peer.receive()
      peer.send(
        .headers(stream, Samples.response),
        .data(stream, Array(repeating: 7, count: 1000), endStream: true))
      #expect(client.activeStreams == 0)
      client.consume(StreamID(stream), 1000)
      peer.receive()
    }
    expectNoLeak(peer, received: 1_000_000)
  }

  // MARK: Sending

  @Test func bodyWaitsForThePeersWindow() throws {
    let body = (0..<100).map { UInt8($0) }
    var (_, peer) = try Samples.client(body: body, settings: (Setting.initialWindowSize, 10))
    #expect(peer.received(.data).map(\.payload.count) == [10])
    peer.send(.windowUpdate(1, 1))
    #expect(peer.received(.data).map(\.payload.count) == [10, 1])
    peer.send(.settings((Setting.initialWindowSize, 0)))
    peer.send(.windowUpdate(1, 5))
    #expect(peer.received(.data).map(\.payload.count) == [10, 1])
    peer.send(.windowUpdate(1, 1000))
    #expect(peer.received(.data).flatMap(\.payload) == body)
    #expect(peer.received(.data).map { $0.has(.endStream) } == [false, false, true])
  }

  @Test func bodyMayBeAppendedInParts() throws {
    var (client, peer) = try Samples.client(body: [], endStream: false)
    #expect(peer.received(.data).isEmpty)
    client.sendData(1, [1], endStream: false)
    client.sendData(1, [2, 3], endStream: false)
    peer.receive()
    #expect(peer.received(.data).map(\.payload) == [[1, 2, 3]])
    client.sendData(1, [4], endStream: false)
    peer.receive()
    client.sendData(1, [], endStream: true)
    client.sendData(1, [9], endStream: true)
    peer.receive()
    #expect(peer.received(.data).map(\.payload) == [[1, 2, 3], [4], []])
    #expect(peer.received(.data).map { $0.has(.endStream) } == [false, false, true])
  }

  @Test func drainedBodyIsReportedOnce() throws {
    var (client, peer) = try Samples.client(
      HTTP2Configuration { $0.bodyLowWater = 10 }, body: [], endStream: false,
      settings: (Setting.initialWindowSize, 20))
    #expect(client.unsentBytes(1) == 0)
    client.sendData(1, Array(repeating: 1, count: 9), endStream: false)
    peer.receive()
    #expect(peer.events.drained.isEmpty)
    client.sendData(1, Array(repeating: 1, count: 25), endStream: false)
    #expect(client.unsentBytes(1) == 25)
    peer.receive()
    #expect(client.unsentBytes(1) == 14)
    #expect(peer.events.drained.isEmpty)
    peer.send(.windowUpdate(1, 4))
    #expect(peer.events.drained.isEmpty)
    peer.send(.windowUpdate(1, 1))
    #expect(peer.events.drained == [1])
    peer.send(.windowUpdate(1, 9))
    #expect(client.unsentBytes(1) == 0)
    client.sendData(1, Array(repeating: 1, count: 10), endStream: false)
    peer.send(.windowUpdate(1, 10))
    #expect(peer.events.drained == [1, 1])
    client.reset(1, errorCode: .cancel)
    #expect(client.unsentBytes(1) == 0)
  }

  @Test func completeBodyIsNotReportedAsDrained() throws {
    var (client, peer) = try Samples.client(
      HTTP2Configuration { $0.bodyLowWater = 10 }, body: Array(repeating: 1, count: 50_000),
      settings: (Setting.initialWindowSize, 100_000))
    #expect(client.unsentBytes(1) == 0)
    peer.send(.windowUpdate(1, 1))
    #expect(peer.events.drained.isEmpty)
  }

  @Test func windowOverflowEndsTheStreamOrTheConnection() throws {
    var (_, peer) = try Samples.client(endStream: false)
    peer.send(.headers(1, Samples.response), .windowUpdate(1, 0x7fff_ffff))
    #expect(errorCode(peer) == .flowControlError)
    #expect(peer.events.closures.count + peer.events.failures.count == 1)

    (_, peer) = try Samples.client()
    peer.send(.windowUpdate(0, 0x7fff_ffff))
    #expect(peer.events.failures.map(\.code) == [.flowControlError])
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
    #expect(peer.events.failures.isEmpty)
  }
}
