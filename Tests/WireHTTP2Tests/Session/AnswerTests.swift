import TestSupport
import Testing

@testable import WireHTTP2

/// How a client handles responses that are written by hand, valid and invalid.
@Suite struct AnswerTests {
  static let bytes =
    RawFrame.headers(1, [HeaderField(":status", "103"), HeaderField("link", "</x>")]).bytes
    + RawFrame.headers(1, Samples.answer).bytes
    + RawFrame.data(1, [1, 2, 3], padding: 5).bytes
    + RawFrame.ping(7).bytes
    + RawFrame.data(1, [], padding: 255).bytes
    + RawFrame.data(1, [4, 5]).bytes
    + RawFrame.headers(1, Samples.trailers, endStream: true).bytes

  private func check(_ peer: ScriptedPeer) {
    #expect(
      peer.told.informational == [[HeaderField(":status", "103"), HeaderField("link", "</x>")]])
    #expect(peer.told.headers == [Samples.answer])
    #expect(peer.told.body == [1, 2, 3, 4, 5])
    #expect(peer.told.trailers == [Samples.trailers])
    #expect(peer.told.ended == [1])
    #expect(peer.told.closures == [.finished])
    #expect(peer.told.failures.isEmpty)
    #expect(peer.heard(.ping) == [.ping(7, acknowledge: true)])
  }

  @Test func anAnswerMayBeCutAnywhere() throws {
    for cut in 0...Self.bytes.count {
      var (_, peer) = try Samples.asked()
      peer.say(bytes: Array(Self.bytes.prefix(cut)))
      peer.say(bytes: Array(Self.bytes.dropFirst(cut)))
      check(peer)
    }
  }

  @Test func anAnswerMayComeOctetByOctet() throws {
    var (_, peer) = try Samples.asked()
    for octet in Self.bytes { peer.say(bytes: [octet]) }
    check(peer)
  }

  @Test func trailersOnlyEndsWithItsHeaders() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.headers(1, Samples.answer + Samples.trailers, endStream: true))
    #expect(peer.told.headers == [Samples.answer + Samples.trailers])
    #expect(peer.told.ended == [1])
    #expect(peer.told.trailers.isEmpty)
    #expect(peer.told.closures == [.finished])
  }

  @Test func endStreamMayComeOnDataOrOnAnEmptyFrame() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.headers(1, Samples.answer), .data(1, [9], endStream: true))
    #expect(peer.told.body == [9] && peer.told.ended == [1])
    #expect(peer.told.closures == [.finished])

    (_, peer) = try Samples.asked()
    peer.say(.headers(1, Samples.answer), .data(1, [9]))
    peer.say(.data(1, [], endStream: true))
    #expect(peer.told.body == [9] && peer.told.ended == [1])
  }

  @Test(arguments: [1, 8, 1000])
  func headersMayContinueOverSeveralFrames(_ capacity: Int) throws {
    let (client, asked) = try Samples.asked()
    var peer = asked
    let block = literalHeaderBlock(Samples.answer + Samples.trailers)
    let third = block.count / 3
    for stream in stride(from: 1, through: 41, by: 2) {
      let frames = [
        RawFrame(.headers, flags: .endStream, stream: stream, Array(block[..<third])),
        RawFrame(.continuation, stream: stream, Array(block[third..<(2 * third)])),
        RawFrame(.continuation, flags: .endHeaders, stream: stream, Array(block[(2 * third)...])),
      ]
      var bytes = frames.flatMap(\.bytes)[...]
      while !bytes.isEmpty {
        peer.say(bytes: Array(bytes.prefix(capacity)))
        bytes = bytes.dropFirst(capacity)
      }
      #expect(peer.told.headers.last == Samples.answer + Samples.trailers)
      #expect(peer.told.closures.last == .finished)
      _ = try client.submitRequest(Samples.request, endStream: true)
      peer.listen()
    }
    #expect(peer.told.headers.count == 21 && peer.told.failures.isEmpty)
  }

  @Test func streamsMayBeInterleaved() throws {
    var (client, peer) = try Samples.asked()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    peer.say(
      .headers(3, Samples.answer), .headers(1, Samples.answer), .data(1, [1]), .data(3, [3]),
      .data(1, [1]), .headers(3, Samples.trailers, endStream: true), .data(1, [1], endStream: true))
    #expect(peer.told.body == [1, 3, 1, 1])
    #expect(peer.told.ended == [3, 1])
    #expect(client.activeStreams == 0)
  }

  @Test func valuesAreTakenAsTheyAre() throws {
    var (_, peer) = try Samples.asked()
    let long = String(repeating: "v", count: 5000)
    let fields =
      Samples.answer + [
        HeaderField("x-space", "in the\tmiddle"), HeaderField("x-empty", ""),
        HeaderField("x-long", long),
        HeaderField("x-utf8", "Straße ☺"), HeaderField("x-twice", "1"), HeaderField("x-twice", "2"),
      ]
    peer.say(.headers(1, fields))
    #expect(peer.told.headers == [fields])
  }

  /// RFC 9110 §5.5.
  @Test func spaceAroundAValueIsNotPartOfIt() throws {
    var (_, peer) = try Samples.asked()
    let padded = [
      HeaderField("a", " both ends\t"), HeaderField("b", " \t "), HeaderField("c", " "),
    ]
    peer.say(.headers(1, Samples.answer + padded))
    let bare = [HeaderField("a", "both ends"), HeaderField("b", ""), HeaderField("c", "")]
    #expect(peer.told.headers == [Samples.answer + bare])
  }

  @Test func octetsThatAreNoUTF8AreRepaired() throws {
    var (_, peer) = try Samples.asked()
    let block = literalHeaderBlock(Samples.answer) + [0, 1] + Array("x".utf8) + [2, 0xff, 0x41]
    peer.say(RawFrame(.headers, flags: .endHeaders, stream: 1, block))
    #expect(peer.told.headers.first?.last == HeaderField("x", "\u{fffd}A"))
  }

  @Test func acceptsWhatRFC9113DoesNotForbid() throws {
    var (_, peer) = try Samples.asked()
    let fields = Samples.answer + [HeaderField("x", "a\u{1}b"), HeaderField("x(y)", "1")]
    peer.say(.headers(1, fields))
    #expect(peer.told.headers == [fields])
    #expect(peer.told.closures.isEmpty)
  }

  @Test func neverIndexedValuesAreSensitive() throws {
    var (_, peer) = try Samples.asked()
    let block = literalHeaderBlock(Samples.answer) + [0x10, 1] + Array("x".utf8) + [1, 0x41]
    peer.say(RawFrame(.headers, flags: .endHeaders, stream: 1, block))
    #expect(peer.told.headers.first?.last == HeaderField("x", "A", isSensitive: true))
  }

  @Test func unknownFramesAndSettingsAreSkipped() throws {
    var (_, peer) = try Samples.asked()
    peer.say(
      RawFrame(type: 0xee, flags: 0xff, stream: 1, [1, 2, 3]), .settings((0x99, 1)),
      RawFrame(.priority, stream: 1, [0, 0, 0, 0, 16]), .headers(1, Samples.answer, endStream: true)
    )
    #expect(peer.told.closures == [.finished])
  }

  // MARK: Violations on a stream

  struct BadAnswer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frames: [RawFrame]

    init(_ name: String, _ frames: RawFrame...) {
      testDescription = name
      self.frames = frames
    }
  }

  static let badAnswers = [
    BadAnswer("no :status", .headers(1, [HeaderField("content-type", "application/grpc")])),
    BadAnswer(
      "two :status", .headers(1, [HeaderField(":status", "200"), HeaderField(":status", "200")])),
    BadAnswer("status 101", .headers(1, [HeaderField(":status", "101")])),
    BadAnswer("status abc", .headers(1, [HeaderField(":status", "abc")])),
    BadAnswer("request pseudo-header", .headers(1, Samples.answer + [HeaderField(":path", "/")])),
    BadAnswer("upper-case name", .headers(1, Samples.answer + [HeaderField("X-A", "1")])),
    BadAnswer("connection header", .headers(1, Samples.answer + [HeaderField("connection", "x")])),
    BadAnswer(
      "transfer-encoding", .headers(1, Samples.answer + [HeaderField("transfer-encoding", "x")])),
    BadAnswer("NUL in a value", .headers(1, Samples.answer + [HeaderField("x", "a\0b")])),
    BadAnswer("LF in a value", .headers(1, Samples.answer + [HeaderField("x", "a\nb")])),
    BadAnswer("space in a name", .headers(1, Samples.answer + [HeaderField("x y", "1")])),
    BadAnswer("colon in a name", .headers(1, Samples.answer + [HeaderField("x:y", "1")])),
    BadAnswer("empty name", .headers(1, Samples.answer + [HeaderField("", "1")])),
    BadAnswer("1xx that ends", .headers(1, [HeaderField(":status", "100")], endStream: true)),
    BadAnswer("DATA after 1xx", .headers(1, [HeaderField(":status", "100")]), .data(1, [1])),
    BadAnswer(
      "trailers without END_STREAM", .headers(1, Samples.answer), .headers(1, Samples.trailers)),
    BadAnswer(
      "pseudo-header in trailers", .headers(1, Samples.answer),
      .headers(1, [HeaderField(":status", "200")], endStream: true)),
    BadAnswer(
      "content-length too long", .headers(1, Samples.answer + [HeaderField("content-length", "5")]),
      .data(1, [1], endStream: true)),
    BadAnswer(
      "content-length too short",
      .headers(1, Samples.answer + [HeaderField("content-length", "1")]), .data(1, [1, 2])),
  ]

  @Test(arguments: badAnswers)
  func aBrokenAnswerEndsItsStreamOnly(_ bad: BadAnswer) throws {
    var (client, peer) = try Samples.asked(endStream: false)
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    peer.say(bytes: bad.frames.flatMap(\.bytes))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect(error.kind == .protocolViolation)
    #expect(error.code == .protocolError)
    #expect(peer.heard(.resetStream).map(\.stream) == [1])
    #expect(client.endings.violations.isEmpty)
    peer.say(.headers(3, Samples.answer, endStream: true))
    #expect(peer.told.closures.count == 2 && peer.told.closures.last == .finished)
    #expect(peer.told.failures.isEmpty)
  }

  @Test func theErrorHasTheMessageOfNghttp2() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.headers(1, Samples.answer + [HeaderField("X-A", "1")]))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect("\(error)".contains("X-A"))
    #expect("\(error)".contains("NGHTTP2_ERR_HTTP_HEADER (-531)"))
    #expect("\(error)".contains("PROTOCOL_ERROR"))
  }

  @Test func masksControlCharactersInQuotesOfThePeer() throws {
    var (_, peer) = try Samples.asked()
    peer.say(.headers(1, Samples.answer + [HeaderField("x", "\u{1b}[2J\n\u{7f}")]))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect("\(error)".contains("value: [?[2J??]"))
  }

  @Test func doesNotReportAnAcceptedFieldLater() throws {
    var (_, peer) = try Samples.asked()
    let length = HeaderField("content-length", "5")
    peer.say(.headers(1, Samples.answer + [length, HeaderField("x", "a\u{1}b")]))
    peer.say(.data(1, [1], endStream: true))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect(error.detail == "the peer violated HTTP/2")
  }

  // MARK: Header list limit

  @Test func aHeaderListAboveOurLimitEndsItsStreamOnly() throws {
    let limit = 2000
    var (client, peer) = try Samples.asked(HTTP2Configuration { $0.maxHeaderListSize = limit })
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    // The first field enters the dynamic table (40, name, value), and the next block uses it (be):
    // a refused block must still be decoded to its end.
    let indexed: [UInt8] = [0x40, 1] + Array("x".utf8) + [1] + Array("y".utf8)
    let big = literalHeaderBlock([HeaderField("big", String(repeating: "a", count: limit))])
    let refused = literalHeaderBlock(Samples.answer) + big + indexed
    peer.say(RawFrame(.headers, flags: .endHeaders, stream: 1, refused))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect(error.kind == .headerListTooLarge)
    #expect("\(error)".contains("2000"))
    #expect(
      peer.heard(.resetStream).map { $0.number() } == [HTTP2ErrorCode.enhanceYourCalm.rawValue])
    #expect(peer.told.headers.isEmpty)

    let block = literalHeaderBlock(Samples.answer) + [0xbe]
    peer.say(RawFrame(.headers, flags: [.endHeaders, .endStream], stream: 3, block))
    #expect(peer.told.headers == [Samples.answer + [HeaderField("x", "y")]])
    #expect(peer.told.closures.last == .finished)
  }

  /// nghttp2 fails the connection for a string of more than 64 KiB.
  @Test func aFieldAboveWhatNghttp2TakesIsTooLargeToo() throws {
    var (client, peer) = try Samples.asked()
    #expect(try client.submitRequest(Samples.request, endStream: true) == 3)
    peer.listen()
    let field = literalHeaderBlock([HeaderField("big", String(repeating: "a", count: 70_000))])
    peer.say(RawFrame(.headers, stream: 3, literalHeaderBlock(Samples.answer) + field.prefix(9000)))
    guard case .violation(let error) = peer.told.closures.first else {
      Issue.record("told \(peer.told)")
      return
    }
    #expect(error.kind == .headerListTooLarge)
    #expect(peer.told.closures.count == 1)
    #expect(peer.told.failures.map(\.code) == [.compressionError])
    #expect(client.activeStreams == 1)
  }

  @Test func theLimitCountsNamesValuesAndThirtyTwoForEach() throws {
    let size = Samples.answer.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    var (_, peer) = try Samples.asked(HTTP2Configuration { $0.maxHeaderListSize = size })
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.closures == [.finished])

    (_, peer) = try Samples.asked(HTTP2Configuration { $0.maxHeaderListSize = size - 1 })
    peer.say(.headers(1, Samples.answer, endStream: true))
    #expect(peer.told.headers.isEmpty)
  }
}
