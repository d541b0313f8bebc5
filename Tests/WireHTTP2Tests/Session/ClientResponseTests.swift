import TestSupport
import Testing

@testable import WireHTTP2

/// How a client session handles valid and invalid responses, encoded frame by frame.
@Suite struct ClientResponseTests {
  static let bytes =
    RawFrame.headers(1, [HeaderField(":status", "103"), HeaderField("link", "</x>")]).bytes
    + RawFrame.headers(1, Samples.response).bytes
    + RawFrame.data(1, [1, 2, 3], padding: 5).bytes
    + RawFrame.ping(7).bytes
    + RawFrame.data(1, [], padding: 255).bytes
    + RawFrame.data(1, [4, 5]).bytes
    + RawFrame.headers(1, Samples.trailers, endStream: true).bytes

  private func check(_ peer: ScriptedPeer) {
    #expect(
      peer.events.informational == [[HeaderField(":status", "103"), HeaderField("link", "</x>")]])
    #expect(peer.events.headers == [Samples.response])
    #expect(peer.events.body == [1, 2, 3, 4, 5])
    #expect(peer.events.trailers == [Samples.trailers])
    #expect(peer.events.ended == [1])
    #expect(peer.events.closures == [.finished])
    #expect(peer.events.failures.isEmpty)
    #expect(peer.received(.ping) == [.ping(7, acknowledge: true)])
  }

  @Test func responseMayBeSplitAnywhere() throws {
    for cut in 0...Self.bytes.count {
      var (_, peer) = try Samples.client()
      peer.send(bytes: Array(Self.bytes.prefix(cut)))
      peer.send(bytes: Array(Self.bytes.dropFirst(cut)))
      check(peer)
    }
  }

  @Test func responseMayArriveByteByByte() throws {
    var (_, peer) = try Samples.client()
    for octet in Self.bytes { peer.send(bytes: [octet]) }
    check(peer)
  }

  @Test func trailersOnlyResponseEndsWithItsHeaders() throws {
    var (_, peer) = try Samples.client()
    peer.send(.headers(1, Samples.response + Samples.trailers, endStream: true))
    #expect(peer.events.headers == [Samples.response + Samples.trailers])
    #expect(peer.events.ended == [1])
    #expect(peer.events.trailers.isEmpty)
    #expect(peer.events.closures == [.finished])
  }

  @Test func endStreamMayBeOnDataOrAnEmptyFrame() throws {
    var (_, peer) = try Samples.client()
    peer.send(.headers(1, Samples.response), .data(1, [9], endStream: true))
    #expect(peer.events.body == [9] && peer.events.ended == [1])
    #expect(peer.events.closures == [.finished])

    (_, peer) = try Samples.client()
    peer.send(.headers(1, Samples.response), .data(1, [9]))
    peer.send(.data(1, [], endStream: true))
    #expect(peer.events.body == [9] && peer.events.ended == [1])
  }

  @Test(arguments: [1, 8, 1000])
  func headersMaySpanSeveralFrames(_ capacity: Int) throws {
    let (client, initial) = try Samples.client()
    var peer = initial
    let block = literalHeaderBlock(Samples.response + Samples.trailers)
    let third = block.count / 3
    for stream in stride(from: 1, through: 41, by: 2) {
      let frames = [
        RawFrame(.headers, flags: .endStream, stream: stream, Array(block[..<third])),
        RawFrame(.continuation, stream: stream, Array(block[third..<(2 * third)])),
        RawFrame(.continuation, flags: .endHeaders, stream: stream, Array(block[(2 * third)...])),
      ]
      var bytes = frames.flatMap(\.bytes)[...]
      while !bytes.isEmpty {
        peer.send(bytes: Array(bytes.prefix(capacity)))
        bytes = bytes.dropFirst(capacity)
      }
      #expect(peer.events.headers.last == Samples.response + Samples.trailers)
      #expect(peer.events.closures.last == .finished)
      _ = try client.submitRequest(Samples.request, endStream: true)
      peer.receive()
    }
    #expect(peer.events.headers.count == 21 && peer.events.failures.isEmpty)
  }

  @Test func streamsMayBeInterleaved() throws {
    var (client, peer) = try Samples.client()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    peer.send(
      .headers(3, Samples.response), .headers(1, Samples.response), .data(1, [1]), .data(3, [3]),
      .data(1, [1]), .headers(3, Samples.trailers, endStream: true), .data(1, [1], endStream: true))
    #expect(peer.events.body == [1, 3, 1, 1])
    #expect(peer.events.ended == [3, 1])
    #expect(client.activeStreams == 0)
  }

  @Test func valuesAreUnchanged() throws {
    var (_, peer) = try Samples.client()
    let long = String(repeating: "v", count: 5000)
    let fields =
      Samples.response + [
        HeaderField("x-space", "in the\tmiddle"), HeaderField("x-empty", ""),
        HeaderField("x-long", long),
        HeaderField("x-utf8", "Straße ☺"), HeaderField("x-twice", "1"), HeaderField("x-twice", "2"),
      ]
    peer.send(.headers(1, fields))
    #expect(peer.events.headers == [fields])
  }

  /// RFC 9110 §5.5.
  @Test func whitespaceAroundAValueIsRemoved() throws {
    var (_, peer) = try Samples.client()
    let padded = [
      HeaderField("a", " both ends\t"), HeaderField("b", " \t "), HeaderField("c", " "),
    ]
    peer.send(.headers(1, Samples.response + padded))
    let bare = [HeaderField("a", "both ends"), HeaderField("b", ""), HeaderField("c", "")]
    #expect(peer.events.headers == [Samples.response + bare])
  }

  @Test func invalidUTF8IsRepaired() throws {
    var (_, peer) = try Samples.client()
    let block = literalHeaderBlock(Samples.response) + [0, 1] + Array("x".utf8) + [2, 0xff, 0x41]
    peer.send(RawFrame(.headers, flags: .endHeaders, stream: 1, block))
    #expect(peer.events.headers.first?.last == HeaderField("x", "\u{fffd}A"))
  }

  @Test func unusualFieldsAreAccepted() throws {
    var (_, peer) = try Samples.client()
    let fields = Samples.response + [HeaderField("x", "a\u{1}b"), HeaderField("x(y)", "1")]
    peer.send(.headers(1, fields))
    #expect(peer.events.headers == [fields])
    #expect(peer.events.closures.isEmpty)
  }

  @Test func neverIndexedValuesAreSensitive() throws {
    var (_, peer) = try Samples.client()
    let block = literalHeaderBlock(Samples.response) + [0x10, 1] + Array("x".utf8) + [1, 0x41]
    peer.send(RawFrame(.headers, flags: .endHeaders, stream: 1, block))
    #expect(peer.events.headers.first?.last == HeaderField("x", "A", isSensitive: true))
  }

  @Test func unknownFramesAndSettingsAreSkipped() throws {
    var (_, peer) = try Samples.client()
    peer.send(
      RawFrame(type: 0xee, flags: 0xff, stream: 1, [1, 2, 3]), .settings((0x99, 1)),
      RawFrame(.priority, stream: 1, [0, 0, 0, 0, 16]),
      .headers(1, Samples.response, endStream: true)
    )
    #expect(peer.events.closures == [.finished])
  }

  // MARK: Violations on a stream

  struct InvalidResponse: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frames: [RawFrame]

    init(_ name: String, _ frames: RawFrame...) {
      testDescription = name
      self.frames = frames
    }
  }

  static let invalidResponses = [
    InvalidResponse("no :status", .headers(1, [HeaderField("content-type", "application/grpc")])),
    InvalidResponse(
      "two :status", .headers(1, [HeaderField(":status", "200"), HeaderField(":status", "200")])),
    InvalidResponse("status 101", .headers(1, [HeaderField(":status", "101")])),
    InvalidResponse("status abc", .headers(1, [HeaderField(":status", "abc")])),
    InvalidResponse(
      "request pseudo-header", .headers(1, Samples.response + [HeaderField(":path", "/")])),
    InvalidResponse("upper-case name", .headers(1, Samples.response + [HeaderField("X-A", "1")])),
    InvalidResponse(
      "connection header", .headers(1, Samples.response + [HeaderField("connection", "x")])),
    InvalidResponse(
      "transfer-encoding", .headers(1, Samples.response + [HeaderField("transfer-encoding", "x")])),
    InvalidResponse("NUL in a value", .headers(1, Samples.response + [HeaderField("x", "a\0b")])),
    InvalidResponse("LF in a value", .headers(1, Samples.response + [HeaderField("x", "a\nb")])),
    InvalidResponse("space in a name", .headers(1, Samples.response + [HeaderField("x y", "1")])),
    InvalidResponse("colon in a name", .headers(1, Samples.response + [HeaderField("x:y", "1")])),
    InvalidResponse("empty name", .headers(1, Samples.response + [HeaderField("", "1")])),
    InvalidResponse("1xx that ends", .headers(1, [HeaderField(":status", "100")], endStream: true)),
    InvalidResponse("DATA after 1xx", .headers(1, [HeaderField(":status", "100")]), .data(1, [1])),
    InvalidResponse(
      "trailers without END_STREAM", .headers(1, Samples.response), .headers(1, Samples.trailers)),
    InvalidResponse(
      "pseudo-header in trailers", .headers(1, Samples.response),
      .headers(1, [HeaderField(":status", "200")], endStream: true)),
    InvalidResponse(
      "content-length too long",
      .headers(1, Samples.response + [HeaderField("content-length", "5")]),
      .data(1, [1], endStream: true)),
    InvalidResponse(
      "content-length too short",
      .headers(1, Samples.response + [HeaderField("content-length", "1")]), .data(1, [1, 2])),
  ]

  @Test(arguments: invalidResponses)
  func invalidResponseEndsOnlyItsStream(_ bad: InvalidResponse) throws {
    var (client, peer) = try Samples.client(endStream: false)
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    peer.send(bytes: bad.frames.flatMap(\.bytes))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect(error.kind == .protocolViolation)
    #expect(error.code == .protocolError)
    #expect(peer.received(.resetStream).map(\.stream) == [1])
    #expect(client.endings.violations.isEmpty)
    peer.send(.headers(3, Samples.response, endStream: true))
    #expect(peer.events.closures.count == 2 && peer.events.closures.last == .finished)
    #expect(peer.events.failures.isEmpty)
  }

  @Test(arguments: [
    ("no :status", "the response headers have no :status (PROTOCOL_ERROR)"),
    ("status abc", "invalid header field: name: [:status], value: [abc] (PROTOCOL_ERROR)"),
    ("upper-case name", "invalid header field: name: [X-A], value: [1] (PROTOCOL_ERROR)"),
    ("1xx that ends", "malformed HTTP message (PROTOCOL_ERROR)"),
    ("trailers without END_STREAM", "malformed HTTP message (PROTOCOL_ERROR)"),
    ("content-length too short", "malformed HTTP message (PROTOCOL_ERROR)"),
  ])
  func errorNamesTheViolationOnce(_ name: String, _ text: String) throws {
    let bad = try #require(Self.invalidResponses.first { $0.testDescription == name })
    var (_, peer) = try Samples.client(endStream: false)
    peer.send(bytes: bad.frames.flatMap(\.bytes))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect("\(error)" == text)
  }

  @Test func errorKeepsTheNumberOfNghttp2() throws {
    var (_, peer) = try Samples.client()
    peer.send(.headers(1, Samples.response + [HeaderField("X-A", "1")]))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect(error.libraryCode == -531)
  }

  @Test func controlCharactersInErrorsAreReplaced() throws {
    var (_, peer) = try Samples.client()
    peer.send(.headers(1, Samples.response + [HeaderField("x", "\u{1b}[2J\n\u{7f}")]))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect("\(error)".contains("value: [?[2J??]"))
  }

  @Test func errorDoesNotNameAnAcceptedField() throws {
    var (_, peer) = try Samples.client()
    let length = HeaderField("content-length", "5")
    peer.send(.headers(1, Samples.response + [length, HeaderField("x", "a\u{1}b")]))
    peer.send(.data(1, [1], endStream: true))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect(error.detail == "malformed HTTP message")
  }

  // MARK: Header list limit

  @Test func oversizedHeaderListEndsOnlyItsStream() throws {
    let limit = 2000
    var (client, peer) = try Samples.client(HTTP2Configuration { $0.maxHeaderListSize = limit })
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    // The first field enters the dynamic table (40, name, value), and the next block uses it (be):
    // a refused block must still be decoded to its end.
    let indexed: [UInt8] = [0x40, 1] + Array("x".utf8) + [1] + Array("y".utf8)
    let big = literalHeaderBlock([HeaderField("big", String(repeating: "a", count: limit))])
    let refused = literalHeaderBlock(Samples.response) + big + indexed
    peer.send(RawFrame(.headers, flags: .endHeaders, stream: 1, refused))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect(error.kind == .headerListTooLarge)
    #expect("\(error)".contains("2000"))
    #expect(
      peer.received(.resetStream).map { $0.number() } == [HTTP2ErrorCode.enhanceYourCalm.rawValue])
    #expect(peer.events.headers.isEmpty)

    let block = literalHeaderBlock(Samples.response) + [0xbe]
    peer.send(RawFrame(.headers, flags: [.endHeaders, .endStream], stream: 3, block))
    #expect(peer.events.headers == [Samples.response + [HeaderField("x", "y")]])
    #expect(peer.events.closures.last == .finished)
  }

  /// nghttp2 fails the connection for a string of more than 64 KiB.
  @Test func fieldAboveTheLimitOfNghttp2IsTooLarge() throws {
    var (client, peer) = try Samples.client()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.receive()
    let field = literalHeaderBlock([HeaderField("big", String(repeating: "a", count: 70_000))])
    peer.send(
      RawFrame(.headers, stream: 3, literalHeaderBlock(Samples.response) + field.prefix(9000)))
    guard case .violation(let error) = peer.events.closures.first else {
      Issue.record("events: \(peer.events)")
      return
    }
    #expect(error.kind == .headerListTooLarge)
    #expect(peer.events.closures.count == 1)
    #expect(peer.events.failures.map(\.code) == [.compressionError])
    #expect(client.activeStreams == 1)
  }

  @Test func limitCountsNameValueAnd32PerField() throws {
    let size = Samples.response.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    var (_, peer) = try Samples.client(HTTP2Configuration { $0.maxHeaderListSize = size })
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.closures == [.finished])

    (_, peer) = try Samples.client(HTTP2Configuration { $0.maxHeaderListSize = size - 1 })
    peer.send(.headers(1, Samples.response, endStream: true))
    #expect(peer.events.headers.isEmpty)
  }
}
