import ProtobufDescriptors
import TestSupport
import Testing
import WireGRPC
import WireHTTP2

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

@Suite struct ServerCallsTests {
  /// A client and a server's calls, connected in memory.
  final class Pair {
    let client: GRPCClient
    let session: HTTP2ServerSession
    let service: ReplayService
    let context: ServerContext
    var calls: ServerCalls
    var now = ContinuousClock.now

    init(
      _ recorded: [RecordedCall] = [Recordings.call()], index: ResponseIndex? = nil,
      _ limits: ServerLimits = .init(),
      speed: Int? = nil, descriptors: [FileDescriptorProto] = [], requiresToken: Bool = false,
      client: HTTP2Configuration = .init(), observer: ServedCall.Observer? = nil
    ) throws {
      var configuration = ReplayConfiguration()
      if let observer { configuration.server.observers = [observer] }
      configuration.requiresToken = requiresToken
      configuration.descriptors = { descriptors }
      configuration.server.limits = limits
      configuration.speed = speed
      self.client = try GRPCClient(client)
      session = try HTTP2ServerSession(configuration: ServerCalls.configuration(limits))
      service = ReplayService(index ?? ResponseIndex(recorded, speed: speed), configuration)
      context = ServerContext(service, configuration.server)
      calls = ServerCalls(session, context, peer: "127.0.0.1:9")
    }

    /// Transfers bytes in both directions until there are none.
    func run() {
      while true {
        let request = client.output()
        session.receive(request)
        takeEvents()
        var response: [UInt8] = []
        calls.takeFrames(into: &response)
        session.send(into: &response, limit: .max)
        takeEvents()
        client.receive(response)
        if request.isEmpty, response.isEmpty, !calls.performControlActions(now: now) { return }
      }
    }

    /// Advances the time to the next due action, and no further than `time`.
    func wait(_ time: Duration) {
      let end = now + time
      while let due = calls.due, due <= end {
        now = max(now, due)
        calls.advance(now: now)
        run()
      }
      now = end
    }

    private func takeEvents() {
      while let event = session.nextEvent() { calls.handle(event, now: now) }
    }

    func reply(
      _ path: String = "/test.Echo/Say", _ body: [UInt8] = GRPCClient.framed([1]),
      _ changes: [String: String?] = [:], endStream: Bool = true
    ) throws -> GRPCClient.Reply {
      let stream = try client.send(path, body, changes: changes, endStream: endStream)
      run()
      return try #require(client.replies[stream])
    }
  }

  @Test func sendsTheRecordedResponse() throws {
    let pair = try Pair([
      Recordings.call(headers: ["x-first": "a"], responses: [[7], [8]], trailers: ["x-last": "z"])
    ])
    let reply = try pair.reply()
    #expect(reply.headers.map(\.name) == [":status", "content-type", "x-first"])
    #expect(reply.body == GRPCClient.framed([7]) + GRPCClient.framed([8]))
    #expect(reply.status("grpc-status") == "0")
    #expect(reply.status("x-last") == "z")
    #expect(reply.closure == .finished)
    #expect(pair.context.heldBytes == 0)
  }

  @Test func unknownMethodIsRejectedBeforeTheRequestEnds() throws {
    let reply = try Pair().reply("/test.Echo/Shout", [], endStream: false)
    #expect(reply.status("grpc-status") == "12")
    #expect(reply.closure != nil)
  }

  @Test func sendsALargeMessage() throws {
    let large = [UInt8](repeating: 5, count: 5 << 20)
    let reply = try Pair([Recordings.call(responses: [large])]).reply()
    #expect(reply.body == GRPCClient.framed(large))
    #expect(reply.status("grpc-status") == "0")
  }

  @Test func matchesAllMessagesOfARequest() throws {
    let pair = try Pair([Recordings.call(1, "/test.Echo/Sum", [[1], [], [2]])])
    let body = [[1], [], [2]].flatMap { GRPCClient.framed($0) }
    #expect(try pair.reply("/test.Echo/Sum", body).status("grpc-status") == "0")
    #expect(try pair.reply("/test.Echo/Sum").status("grpc-status") == "5")
  }

  @Test func unrecordedRequestsAreRejected() throws {
    let pair = try Pair()
    #expect(try pair.reply("/test.Echo/Shout").status("grpc-status") == "12")
    #expect(try pair.reply("/test.Echo/Say", GRPCClient.framed([2])).status("grpc-status") == "5")
    #expect(try pair.reply("/test.Echo/Say", []).status("grpc-status") == "5")
  }

  @Test func otherHTTPRequestsAreRejected() throws {
    let pair = try Pair()
    let html = try pair.reply("/index.html", [], ["content-type": "text/html"])
    #expect(html.headers.first == HeaderField(":status", "415"))
    #expect(html.closure == .finished)
    let get = try pair.reply("/test.Echo/Say", [], [":method": "GET"])
    #expect(get.headers.first == HeaderField(":status", "405"))
  }

  @Test func earlyStatusReleasesTheStream() throws {
    var limits = ServerLimits()
    limits.requestSize = 100
    let pair = try Pair([Recordings.call()], limits)
    let reply = try pair.reply("/test.Echo/Say", [0, 0, 0, 1, 0], endStream: false)
    #expect(reply.status("grpc-status") == "8")
    #expect(reply.closure == .resetByPeer(.noError))
    #expect(pair.session.activeStreams == 0)
    #expect(pair.context.heldBytes == 0)
  }

  @Test func unfinishedRequestTimesOut() throws {
    let pair = try Pair()
    let slow = try pair.client.send("/test.Echo/Say", [0], endStream: false)
    let urgent = try pair.client.send(
      "/test.Echo/Say", [0], changes: ["grpc-timeout": "2S"], endStream: false)
    pair.run()
    pair.wait(.milliseconds(1999))
    #expect(pair.client.replies[urgent]?.closure == nil)
    pair.wait(.milliseconds(1))
    #expect(pair.client.replies[urgent]?.status("grpc-status") == "4")
    pair.wait(.seconds(57))
    #expect(pair.client.replies[slow]?.closure == nil)
    pair.wait(.seconds(1))
    #expect(pair.client.replies[slow]?.status("grpc-status") == "4")
    #expect(pair.context.heldBytes == 0)
    #expect(pair.calls.due == nil)
  }

  @Test func bufferedRequestsAreLimited() throws {
    var limits = ServerLimits()
    limits.heldBytes = 1000
    let pair = try Pair([Recordings.call()], limits)
    let part: [UInt8] = [0, 0, 0, 16, 0] + [UInt8](repeating: 0, count: 595)
    let first = try pair.client.send("/test.Echo/Say", part, endStream: false)
    pair.run()
    #expect(try pair.reply("/test.Echo/Say", part, endStream: false).status("grpc-status") == "8")
    #expect(pair.context.heldBytes == 600)
    pair.client.session.reset(first, errorCode: .cancel)
    pair.run()
    #expect(pair.context.heldBytes == 0)
  }

  /// The server does not decompress the corrupt message.
  @Test func fullBufferPreventsDecompression() throws {
    var limits = ServerLimits()
    limits.heldBytes = 100
    let pair = try Pair([Recordings.call()], limits)
    pair.context.heldBytes = 101
    let corrupt = GRPCClient.framed([1, 2], flag: 1)
    let reply = try pair.reply("/test.Echo/Say", corrupt, ["grpc-encoding": "gzip"])
    #expect(reply.status("grpc-status") == "8")
    #expect(pair.context.heldBytes == 101)
  }

  @Test(arguments: ["0n", "0S", "00000000H"])
  func expiredTimeoutIsRejected(timeout: String) throws {
    let pair = try Pair()
    let reply = try pair.reply(
      "/test.Echo/Say", GRPCClient.framed([1]), ["grpc-timeout": timeout])
    #expect(reply.status("grpc-status") == "4")
    #expect(pair.session.activeStreams == 0)
  }

  @Test func eachRequestHasItsOwnHeaders() throws {
    let pair = try Pair(
      [Recordings.call(1, "/test.Echo/Say"), Recordings.call(2, "/test.Echo/Shout")],
      requiresToken: true)
    func status(_ method: String, _ token: String?) throws -> String? {
      try pair.reply("/test.Echo/\(method)", GRPCClient.framed([1]), ["authorization": token])
        .status("grpc-status")
    }
    for _ in 0..<2 {
      #expect(try status("Say", "Bearer a") == "0")
      #expect(try status("Say", "Bearer a") == "0")
      #expect(try status("Say", nil) == "16")
      #expect(try status("Shout", "Bearer a") == "0")
      #expect(try status("Whisper", "Bearer a") == "12")
    }
  }

  @Test func sendsHeadersInManyFrames() throws {
    var client = HTTP2Configuration()
    client.maxHeaderListSize = 2 << 20
    var fields = Metadata()
    for _ in 0..<3000 { try fields.append("x", String(repeating: "a", count: 100)) }
    let pair = try Pair(
      [Recordings.call(headers: fields, code: .notFound, trailers: fields)], client: client)
    let reply = try pair.reply()
    #expect(reply.headers.count == 3002)
    #expect(reply.trailers.count == 3001)
    #expect(reply.status("grpc-status") == "5")
  }

  @Test func resetReleasesTheStream() throws {
    let pair = try Pair()
    for _ in 0..<50 {
      let stream = try pair.client.send("/test.Echo/Say", [0, 0], endStream: false)
      pair.run()
      pair.client.session.reset(stream, errorCode: .cancel)
    }
    pair.run()
    #expect(pair.context.heldBytes == 0)
    #expect(try pair.reply().status("grpc-status") == "0")
  }
}
