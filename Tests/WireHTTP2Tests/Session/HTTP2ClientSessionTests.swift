import TestSupport
import Testing
import WireHTTP2

@Suite struct HTTP2ClientSessionTests {
  @Test func startsWithPrefaceSettingsAndWindow() throws {
    let client = try HTTP2ClientSession(
      configuration: HTTP2Configuration {
        $0.streamWindow = 200_000
        $0.connectionWindow = 1_000_000
        $0.maxHeaderListSize = 9_000
      })
    let peer = ScriptedPeer(client)
    #expect(peer.receivedPreface)
    #expect(peer.received.map(\.kind) == [.settings, .windowUpdate])
    let expected: [UInt16: UInt32] = [
      Setting.enablePush: 0, Setting.initialWindowSize: 200_000, Setting.maxHeaderListSize: 9_000,
    ]
    #expect(peer.received(.settings).map(\.settings) == [expected])
    #expect(peer.received(.windowUpdate, on: 0).map { $0.number() } == [1_000_000 - 65_535])
    #expect(client.remoteSettings == nil)
  }

  @Test func peersSettingsAreReportedAndAcknowledged() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client)
    peer.send(.settings((Setting.maxConcurrentStreams, 7), (Setting.maxHeaderListSize, 8192)))
    #expect(peer.events.settings.map(\.maxConcurrentStreams) == [7])
    #expect(peer.events.settings.map(\.maxHeaderListSize) == [8192])
    #expect(peer.events.settings.map(\.initialWindowSize) == [65_535])
    #expect(peer.received.last == .settingsAcknowledgement)
    #expect(client.maxConcurrentStreams == 7)
  }

  @Test func lastDataFrameHasEndStream() throws {
    let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
    let (_, peer) = try Samples.client(body: body)
    let headers = peer.received(.headers)
    let data = peer.received(.data, on: 1)
    #expect(headers.map(\.stream) == [1])
    #expect(headers.map { $0.has(.endStream) } == [false])
    #expect(data.flatMap(\.payload) == body)
    #expect(data.map { $0.has(.endStream) } == [false, false, true])
    #expect(data.allSatisfy { $0.payload.count <= 16_384 })
  }

  @Test func requestWithoutBodyEndsWithItsHeaders() throws {
    let (_, peer) = try Samples.client(body: [])
    #expect(peer.received(.headers).map { $0.has(.endStream) } == [true])
    #expect(peer.received(.data).isEmpty)
  }

  /// A literal starts with 0x40 if the peer may index it, and with 0x10 if it must never be
  /// indexed.
  @Test(arguments: [(false, UInt8(0x40)), (true, 0x10)])
  func sensitiveValuesAreNeverIndexed(_ isSensitive: Bool, _ prefix: UInt8) throws {
    let client = try HTTP2ClientSession()
    let field = HeaderField("q", "z", isSensitive: isSensitive)
    _ = try client.submitRequest(Samples.request + [field], endStream: true)
    let block = ScriptedPeer(client).received(.headers).first?.payload ?? []
    #expect(block.suffix(5) == [prefix, 1, UInt8(ascii: "q"), 1, UInt8(ascii: "z")])
  }

  @Test func concurrentStreamsAreLimitedByThePeer() throws {
    let (client, peer) = try Samples.client(settings: (Setting.maxConcurrentStreams, 1))
    var server = peer
    #expect(!client.canSubmit)
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .streamLimit)
    server.send(.headers(1, Samples.response, endStream: true))
    #expect(client.canSubmit)
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
  }

  @Test func streamLimitBeforeSettingsIs100() throws {
    let client = try HTTP2ClientSession()
    for _ in 0..<100 { _ = try client.submitRequest(Samples.request, endStream: true) }
    #expect(!client.canSubmit)
    #expect(client.activeStreams == 100)
  }

  @Test func headerListAboveThePeersLimitIsRejected() throws {
    let client = try HTTP2ClientSession()
    let size = Samples.request.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    var peer = ScriptedPeer(client, settings: (Setting.maxHeaderListSize, UInt32(size - 1)))
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .headerListTooLarge)
    #expect(error.map { "\($0)" }?.contains("\(size) octets") == true)
    peer.send(.settings((Setting.maxHeaderListSize, UInt32(size))))
    #expect(try client.submitRequest(Samples.request, endStream: true) == 1)
  }

  @Test func headerListAboveTheOwnLimitIsRejected() throws {
    let size = Samples.request.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    let client = try HTTP2ClientSession(
      configuration: HTTP2Configuration { $0.maxSendHeaderBlockLength = size })
    var peer = ScriptedPeer(client, settings: (Setting.maxConcurrentStreams, 10))
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request + [HeaderField("x", "")], endStream: true)
    }
    #expect(error?.kind == .headerListTooLarge)
    // nghttp2 accepts the longest list that the session accepts.
    _ = try client.submitRequest(Samples.request, endStream: true)
    peer.receive()
    #expect(peer.received(.headers).count == 1)
  }

  @Test func streamIDsAreExhausted() throws {
    let client = try HTTP2ClientSession(
      configuration: HTTP2Configuration { $0.firstStreamID = .max - 2 })
    var peer = ScriptedPeer(client, settings: (Setting.maxConcurrentStreams, 10))
    #expect(try client.submitRequest(Samples.request, endStream: true) == .max - 2)
    #expect(try client.submitRequest(Samples.request, endStream: true) == .max)
    #expect(!client.canSubmit)
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .streamIDsExhausted)
    peer.receive()
    peer.send(.headers(Int(Int32.max), Samples.response, endStream: true))
    #expect(peer.events.closures == [.finished])
  }

  @Test func secondRequestUsesTheDynamicTable() throws {
    let (client, peer) = try Samples.client()
    var server = peer
    _ = try client.submitRequest(Samples.request, endStream: true)
    server.receive()
    let sizes = server.received(.headers).map(\.payload.count)
    #expect(sizes.count == 2 && sizes[1] < sizes[0] - 30)
  }
}
