import TestSupport
import Testing
import WireHTTP2

@testable import Recording
@testable import WireGRPCClient
@testable import WireGRPCServer

/// Calls with recorded delays, and bidirectional calls.
@Suite struct ServerStreamsTests {
  typealias Pair = ServerCallsTests.Pair

  static let watch = "/test.Echo/Watch", chat = "/test.Echo/Chat"

  /// The headers and the first message after a second, then a message every ten seconds.
  static let slow = Recordings.call(
    1, watch, responses: [[1], [2], [3]], trailers: ["x-last": "z"],
    course: [
      (.request, 0), (.halfClose, 0), (.headers, 1000), (.response, 0), (.response, 10_000),
      (.response, 10_000), (.ending, 0),
    ])

  static func bytes(_ messages: UInt8...) -> [UInt8] {
    messages.flatMap { GRPCClient.framed([$0]) }
  }

  @Test func keepsTheRecordedDelays() throws {
    let pair = try Pair([Self.slow], speed: 1)
    let stream = try pair.client.send(Self.watch, GRPCClient.framed([1]))
    pair.run()
    pair.wait(.milliseconds(999))
    #expect(pair.client.replies[stream]?.headers.isEmpty == true)
    pair.wait(.milliseconds(1))
    #expect(pair.client.replies[stream]?.body == Self.bytes(1))
    pair.wait(.seconds(10))
    #expect(pair.client.replies[stream]?.body == Self.bytes(1, 2))
    pair.wait(.milliseconds(9999))
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.milliseconds(1))
    #expect(pair.client.replies[stream]?.body == Self.bytes(1, 2, 3))
    #expect(pair.client.replies[stream]?.status("x-last") == "z")
    #expect(pair.client.replies[stream]?.closure == .finished)
    #expect(pair.calls.due == nil)
  }

  @Test func speedScalesTheDelays() throws {
    let pair = try Pair([Self.slow], speed: 10)
    let stream = try pair.client.send(Self.watch, GRPCClient.framed([1]))
    pair.run()
    pair.wait(.milliseconds(2099))
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.milliseconds(1))
    #expect(pair.client.replies[stream]?.closure == .finished)
  }

  @Test func respondsAtOnceWithoutASpeed() throws {
    let reply = try Pair([Self.slow]).reply(Self.watch)
    #expect(reply.body == Self.bytes(1, 2, 3))
    #expect(reply.closure == .finished)
  }

  @Test func deadlineEndsACallBeforeItsResponse() throws {
    let pair = try Pair([Self.slow], speed: 1)
    let reply = try pair.reply(Self.watch, GRPCClient.framed([1]), ["grpc-timeout": "500m"])
    #expect(reply.headers.isEmpty)
    pair.wait(.milliseconds(500))
    let late = try #require(pair.client.replies[1])
    #expect(late.status("grpc-status") == "4")
    #expect(late.trailers.isEmpty)
    #expect(late.closure == .finished)
    #expect(pair.calls.due == nil)
  }

  @Test func deadlineEndsACallBetweenMessages() throws {
    let pair = try Pair([Self.slow], speed: 1)
    _ = try pair.reply(Self.watch, GRPCClient.framed([1]), ["grpc-timeout": "5S"])
    pair.wait(.seconds(5))
    let late = try #require(pair.client.replies[1])
    #expect(late.body == Self.bytes(1))
    #expect(late.status("grpc-status") == "4")
    #expect(!late.trailers.isEmpty)
  }

  /// A connection whose socket accepts no bytes must not wake up repeatedly.
  @Test func deadlineEndsACallWhileNothingCanBeSent() throws {
    let pair = try Pair([Self.slow], speed: 1)
    _ = try pair.reply(Self.watch, GRPCClient.framed([1]), ["grpc-timeout": "5S"])
    pair.wait(.milliseconds(1000))
    pair.calls.advance(now: pair.now + .seconds(4))
    #expect(pair.calls.due == nil)
    pair.run()
    #expect(pair.client.replies[1]?.status("grpc-status") == "4")
  }

  @Test func deadlineResetsAStreamThatIsNotRead() throws {
    var configuration = HTTP2Configuration()
    configuration.streamWindow = 0
    let pair = try Pair(client: configuration)
    let reply = try pair.reply(
      "/test.Echo/Say", GRPCClient.framed([1]), ["grpc-timeout": "5S"])
    #expect(reply.closure == nil)
    pair.wait(.seconds(5))
    #expect(pair.client.replies[1]?.closure == .resetByPeer(.cancel))
    #expect(pair.session.activeStreams == 0)
    #expect(pair.calls.due == nil)
  }

  @Test func canceledCallIsReleased() throws {
    let pair = try Pair([Self.slow], speed: 1)
    let stream = try pair.client.send(Self.watch, GRPCClient.framed([1]))
    pair.run()
    pair.wait(.seconds(2))
    pair.client.session.reset(stream, errorCode: .cancel)
    pair.run()
    #expect(pair.calls.due == nil)
    #expect(pair.session.activeStreams == 0)
  }

  /// The response has 64 MB. The server buffers one message of it at most.
  @Test func slowReaderLimitsTheBufferedBytes() throws {
    let large = [UInt8](repeating: 5, count: 1 << 20)
    let call = Recordings.call(1, Self.watch, responses: Array(repeating: large, count: 64))
    var configuration = HTTP2Configuration()
    configuration.streamWindow = 1000
    let pair = try Pair([call], client: configuration)
    let stream = try pair.client.send(Self.watch, GRPCClient.framed([1]))
    pair.client.consumesBodies = false
    pair.run()
    #expect(pair.client.replies[stream]?.body.count == 1000)
    #expect(pair.session.unsentBytes(stream) <= large.count)
    pair.client.consumesBodies = true
    pair.client.session.consume(stream, 1000)
    pair.run()
    #expect(pair.client.replies[stream]?.body.count == 64 * (large.count + 5))
    #expect(pair.client.replies[stream]?.closure == .finished)
  }

  @Test func blockedCallHasNoDueTime() throws {
    let messages = (0..<3).map { _ in [UInt8](repeating: 5, count: 40_000) }
    let call = Recordings.call(
      1, Self.watch, responses: messages,
      course: [
        (.request, 0), (.halfClose, 0), (.response, 0), (.response, 10), (.response, 10),
        (.ending, 0),
      ])
    var configuration = HTTP2Configuration()
    configuration.streamWindow = 0
    let pair = try Pair([call], speed: 1, client: configuration)
    _ = try pair.reply(Self.watch)
    #expect(pair.calls.due == nil)
    #expect(pair.calls.areHeldUp)
    pair.calls.advance(now: pair.now + .seconds(10))
    #expect(pair.calls.due == nil)
    #expect(pair.session.unsentBytes(1) == 40_005)
  }

  @Test func canceledRecordingLeavesTheCallOpen() throws {
    let call = Recordings.call(
      1, Self.watch, course: [(.request, 0), (.halfClose, 0), (.response, 0), (.cancel, 0)])
    let pair = try Pair([call], speed: 1)
    let reply = try pair.reply(Self.watch)
    #expect(reply.body == Self.bytes(7))
    pair.wait(.seconds(10_000))
    #expect(pair.client.replies[1]?.closure == nil)
    #expect(!pair.calls.areHeldUp)
  }

  // MARK: Bidirectional calls

  /// The client sends 1, receives 11, sends 2 and 3, receives 12, and ends the call.
  static let conversation = Recordings.call(
    1, chat, [[1], [2], [3]], responses: [[11], [12]],
    course: [
      (.request, 0), (.headers, 50), (.response, 0), (.request, 700), (.request, 0),
      (.response, 100), (.halfClose, 0), (.ending, 5),
    ])

  @Test func responsesWaitForTheirRequests() throws {
    let pair = try Pair([Self.conversation], speed: 1)
    let stream = try pair.client.send(Self.chat, GRPCClient.framed([1]), endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.headers.isEmpty == true)
    pair.wait(.milliseconds(50))
    #expect(pair.client.replies[stream]?.body == Self.bytes(11))
    pair.client.session.sendData(stream, GRPCClient.framed([2]), endStream: false)
    pair.run()
    pair.wait(.seconds(1))
    #expect(pair.client.replies[stream]?.body == Self.bytes(11))
    pair.client.session.sendData(stream, GRPCClient.framed([3]), endStream: false)
    pair.run()
    pair.wait(.milliseconds(100))
    #expect(pair.client.replies[stream]?.body == Self.bytes(11, 12))
    pair.client.session.sendData(stream, [], endStream: true)
    pair.run()
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.milliseconds(5))
    #expect(pair.client.replies[stream]?.status("grpc-status") == "0")
    #expect(pair.client.replies[stream]?.closure == .finished)
    #expect(pair.context.heldBytes == 0)
  }

  @Test func requestsMayArriveTogether() throws {
    let body = [1, 2, 3].flatMap { GRPCClient.framed([$0]) }
    let reply = try Pair([Self.conversation]).reply(Self.chat, body)
    #expect(reply.body == Self.bytes(11, 12))
    #expect(reply.status("grpc-status") == "0")
  }

  @Test func unrecordedMessageIsRejected() throws {
    let first = try Pair([Self.conversation]).reply(
      Self.chat, GRPCClient.framed([4]), endStream: false)
    #expect(first.status("grpc-status") == "5")
    #expect(first.trailers.isEmpty)
    let pair = try Pair([Self.conversation])
    let stream = try pair.client.send(Self.chat, Self.bytes(1), endStream: false)
    pair.run()
    pair.client.session.sendData(stream, Self.bytes(4), endStream: false)
    pair.run()
    let second = try #require(pair.client.replies[stream])
    #expect(second.body == Self.bytes(11))
    #expect(second.trailers.first == HeaderField("grpc-status", "5"))
    #expect(second.closure != nil)
    let early = try Pair([Self.conversation]).reply(Self.chat, Self.bytes(1, 2))
    #expect(early.status("grpc-status") == "5")
  }

  @Test func serverMaySendFirst() throws {
    let call = Recordings.call(
      1, Self.chat, [[1]], responses: [[7], [8]],
      course: [(.headers, 0), (.response, 0), (.request, 0), (.response, 0), (.ending, 0)])
    let pair = try Pair([call])
    let stream = try pair.client.send(Self.chat, [], endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.body == Self.bytes(7))
    pair.client.session.sendData(stream, GRPCClient.framed([1]), endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.body == Self.bytes(7, 8))
    #expect(pair.client.replies[stream]?.status("grpc-status") == "0")
    #expect(pair.client.replies[stream]?.closure != nil)
  }

  @Test func waitsFiveMinutesForTheNextMessage() throws {
    let pair = try Pair([Self.conversation])
    let stream = try pair.client.send(Self.chat, GRPCClient.framed([1]), endStream: false)
    pair.run()
    #expect(!pair.calls.areHeldUp)
    pair.wait(.seconds(299))
    pair.client.session.sendData(stream, GRPCClient.framed([2]), endStream: false)
    pair.run()
    pair.wait(.seconds(299))
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.seconds(1))
    #expect(pair.client.replies[stream]?.status("grpc-status") == "4")
  }
}
