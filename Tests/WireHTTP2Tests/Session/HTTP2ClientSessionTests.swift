import TestSupport
import Testing
import WireHTTP2

@Suite struct HTTP2ClientSessionTests {
  @Test func opensWithPrefaceSettingsAndWindow() throws {
    let client = try HTTP2ClientSession(
      configuration: HTTP2Configuration {
        $0.streamWindow = 200_000
        $0.connectionWindow = 1_000_000
        $0.maxHeaderListSize = 9_000
      })
    let peer = ScriptedPeer(client)
    #expect(peer.heardPreface)
    #expect(peer.heard.map(\.kind) == [.settings, .windowUpdate])
    let expected: [UInt16: UInt32] = [
      Setting.enablePush: 0, Setting.initialWindowSize: 200_000, Setting.maxHeaderListSize: 9_000,
    ]
    #expect(peer.heard(.settings).map(\.settings) == [expected])
    #expect(peer.heard(.windowUpdate, on: 0).map { $0.number() } == [1_000_000 - 65_535])
    #expect(client.remoteSettings == nil)
  }

  @Test func reportsAndAcknowledgesThePeersSettings() throws {
    let client = try HTTP2ClientSession()
    var peer = ScriptedPeer(client)
    peer.say(.settings((Setting.maxConcurrentStreams, 7), (Setting.maxHeaderListSize, 8192)))
    #expect(peer.told.settings.map(\.maxConcurrentStreams) == [7])
    #expect(peer.told.settings.map(\.maxHeaderListSize) == [8192])
    #expect(peer.told.settings.map(\.initialWindowSize) == [65_535])
    #expect(peer.heard.last == .settingsAcknowledgement)
    #expect(client.maxConcurrentStreams == 7)
  }

  @Test func sendsHeadersAndTheWholeBodyWithEndStreamOnTheLastFrame() throws {
    let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
    let (_, peer) = try Samples.asked(body: body)
    let headers = peer.heard(.headers)
    let data = peer.heard(.data, on: 1)
    #expect(headers.map(\.stream) == [1])
    #expect(headers.map { $0.has(.endStream) } == [false])
    #expect(data.flatMap(\.payload) == body)
    #expect(data.map { $0.has(.endStream) } == [false, false, true])
    #expect(data.allSatisfy { $0.payload.count <= 16_384 })
  }

  @Test func aRequestWithoutBodyEndsWithItsHeaders() throws {
    let (_, peer) = try Samples.asked(body: [])
    #expect(peer.heard(.headers).map { $0.has(.endStream) } == [true])
    #expect(peer.heard(.data).isEmpty)
  }

  /// A literal begins with 40 if the peer may index it, with 10 if no hop may.
  @Test(arguments: [(false, UInt8(0x40)), (true, 0x10)])
  func sensitiveValuesAreNeverIndexed(_ isSensitive: Bool, _ mark: UInt8) throws {
    let client = try HTTP2ClientSession()
    let field = HeaderField("q", "z", isSensitive: isSensitive)
    _ = try client.submitRequest(Samples.request + [field], endStream: true)
    let block = ScriptedPeer(client).heard(.headers).first?.payload ?? []
    #expect(block.suffix(5) == [mark, 1, UInt8(ascii: "q"), 1, UInt8(ascii: "z")])
  }

  @Test func opensNoMoreStreamsThanThePeerAllows() throws {
    let (client, peer) = try Samples.asked(settings: (Setting.maxConcurrentStreams, 1))
    var talk = peer
    #expect(!client.canSubmit)
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .streamLimit)
    talk.say(.headers(1, Samples.answer, endStream: true))
    #expect(client.canSubmit)
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
  }

  @Test func assumesAHundredStreamsBeforeSettings() throws {
    let client = try HTTP2ClientSession()
    for _ in 0..<100 { _ = try client.submitRequest(Samples.request, endStream: true) }
    #expect(!client.canSubmit)
    #expect(client.activeStreams == 100)
  }

  @Test func refusesAHeaderListAboveThePeersLimit() throws {
    let client = try HTTP2ClientSession()
    let size = Samples.request.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    var peer = ScriptedPeer(client, settings: (Setting.maxHeaderListSize, UInt32(size - 1)))
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request, endStream: true)
    }
    #expect(error?.kind == .headerListTooLarge)
    #expect(error.map { "\($0)" }?.contains("\(size) octets") == true)
    peer.say(.settings((Setting.maxHeaderListSize, UInt32(size))))
    #expect(try client.submitRequest(Samples.request, endStream: true) == 1)
  }

  @Test func refusesAHeaderListAboveItsOwnLimit() throws {
    let size = Samples.request.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    let client = try HTTP2ClientSession(
      configuration: HTTP2Configuration { $0.maxSendHeaderBlockLength = size })
    var peer = ScriptedPeer(client, settings: (Setting.maxConcurrentStreams, 10))
    let error = #expect(throws: HTTP2Error.self) {
      try client.submitRequest(Samples.request + [HeaderField("x", "")], endStream: true)
    }
    #expect(error?.kind == .headerListTooLarge)
    // nghttp2 accepts the longest accepted list, too.
    _ = try client.submitRequest(Samples.request, endStream: true)
    peer.listen()
    #expect(peer.heard(.headers).count == 1)
  }

  @Test func theIdsOfAConnectionRunOut() throws {
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
    peer.listen()
    peer.say(.headers(Int(Int32.max), Samples.answer, endStream: true))
    #expect(peer.told.closures == [.finished])
  }

  @Test func aSecondRequestReusesTheHeadersOfTheFirst() throws {
    let (client, peer) = try Samples.asked()
    var talk = peer
    _ = try client.submitRequest(Samples.request, endStream: true)
    talk.listen()
    let sizes = talk.heard(.headers).map(\.payload.count)
    #expect(sizes.count == 2 && sizes[1] < sizes[0] - 30)
  }
}
