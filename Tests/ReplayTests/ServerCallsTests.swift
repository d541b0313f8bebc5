import Testing
import WireGRPC
import WireHTTP2

@testable import Recording
@testable import Replay

@Suite struct ServerCallsTests {
  /// A client and a server's calls, back to back in memory.
  final class Pair {
    let client: GRPCClient
    let session: HTTP2ServerSession
    let service: ReplayService
    var calls: ServerCalls
    var now = ContinuousClock.now

    init(_ recorded: [RecordedCall] = [Recordings.call()], _ limits: ServerLimits = .init()) throws
    {
      client = try GRPCClient()
      session = try HTTP2ServerSession()
      service = ReplayService(AnswerBook(recorded), limits: limits)
      calls = ServerCalls(session, service)
    }

    /// Carries bytes both ways until there are none.
    func run() {
      while true {
        let request = client.output()
        session.receive(request)
        takeEvents()
        var answer: [UInt8] = []
        session.send(into: &answer, limit: .max)
        takeEvents()
        client.receive(answer)
        if request.isEmpty, answer.isEmpty, !calls.letGo() { return }
      }
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

  @Test func answersAsRecorded() throws {
    let pair = try Pair([
      Recordings.call(headers: ["x-first": "a"], responses: [[7], [8]], trailers: ["x-last": "z"])
    ])
    let reply = try pair.reply()
    #expect(reply.headers.map(\.name) == [":status", "content-type", "x-first"])
    #expect(reply.body == GRPCClient.framed([7]) + GRPCClient.framed([8]))
    #expect(reply.status("grpc-status") == "0")
    #expect(reply.status("x-last") == "z")
    #expect(reply.closure == .finished)
    #expect(pair.service.heldBytes == 0)
  }

  @Test func refusesAMethodThatWasNotRecordedBeforeTheRequestEnds() throws {
    let reply = try Pair().reply("/grpc.reflection.v1.ServerReflection/Info", [], endStream: false)
    #expect(reply.status("grpc-status") == "12")
    #expect(reply.closure != nil)
  }

  @Test func answersALargeMessage() throws {
    let large = [UInt8](repeating: 5, count: 5 << 20)
    let reply = try Pair([Recordings.call(responses: [large])]).reply()
    #expect(reply.body == GRPCClient.framed(large))
    #expect(reply.status("grpc-status") == "0")
  }

  @Test func answersSeveralMessages() throws {
    let pair = try Pair([Recordings.call(1, "/test.Echo/Sum", [[1], [], [2]])])
    let body = [[1], [], [2]].flatMap { GRPCClient.framed($0) }
    #expect(try pair.reply("/test.Echo/Sum", body).status("grpc-status") == "0")
    #expect(try pair.reply("/test.Echo/Sum").status("grpc-status") == "5")
  }

  @Test func answersWhatWasNeverRecorded() throws {
    let pair = try Pair()
    #expect(try pair.reply("/test.Echo/Shout").status("grpc-status") == "12")
    #expect(try pair.reply("/test.Echo/Say", GRPCClient.framed([2])).status("grpc-status") == "5")
    #expect(try pair.reply("/test.Echo/Say", []).status("grpc-status") == "5")
  }

  @Test func answersHTTPThatIsNoGRPC() throws {
    let pair = try Pair()
    let html = try pair.reply("/index.html", [], ["content-type": "text/html"])
    #expect(html.headers.first == HeaderField(":status", "415"))
    #expect(html.closure == .finished)
    let get = try pair.reply("/test.Echo/Say", [], [":method": "GET"])
    #expect(get.headers.first == HeaderField(":status", "405"))
  }

  @Test func answersBeforeTheRequestEndsAndLetsGo() throws {
    var limits = ServerLimits()
    limits.requestSize = 100
    let pair = try Pair([Recordings.call()], limits)
    let reply = try pair.reply("/test.Echo/Say", [0, 0, 0, 1, 0], endStream: false)
    #expect(reply.status("grpc-status") == "8")
    #expect(reply.closure == .resetByPeer(.noError))
    #expect(pair.session.activeStreams == 0)
    #expect(pair.service.heldBytes == 0)
  }

  @Test func givesUpOnARequestThatDoesNotEnd() throws {
    let pair = try Pair()
    let patient = try pair.client.send("/test.Echo/Say", [0], endStream: false)
    let hasty = try pair.client.send(
      "/test.Echo/Say", [0], changes: ["grpc-timeout": "2S"], endStream: false)
    pair.run()
    pair.calls.expire(now: pair.now + .seconds(1))
    pair.run()
    #expect(pair.client.replies[hasty]?.closure == nil)
    pair.calls.expire(now: pair.now + .seconds(2))
    pair.run()
    #expect(pair.client.replies[hasty]?.status("grpc-status") == "4")
    #expect(pair.client.replies[patient]?.closure == nil)
    pair.calls.expire(now: pair.now + .seconds(60))
    pair.run()
    #expect(pair.client.replies[patient]?.status("grpc-status") == "4")
    #expect(pair.service.heldBytes == 0)
  }

  @Test func holdsNoMoreThanItsLimit() throws {
    var limits = ServerLimits()
    limits.heldBytes = 1000
    let pair = try Pair([Recordings.call()], limits)
    let part: [UInt8] = [0, 0, 0, 16, 0] + [UInt8](repeating: 0, count: 595)
    let first = try pair.client.send("/test.Echo/Say", part, endStream: false)
    pair.run()
    #expect(try pair.reply("/test.Echo/Say", part, endStream: false).status("grpc-status") == "8")
    #expect(pair.service.heldBytes == 600)
    pair.client.session.reset(first, errorCode: .cancel)
    pair.run()
    #expect(pair.service.heldBytes == 0)
  }

  @Test func forgetsWhatIsReset() throws {
    let pair = try Pair()
    for _ in 0..<50 {
      let stream = try pair.client.send("/test.Echo/Say", [0, 0], endStream: false)
      pair.run()
      pair.client.session.reset(stream, errorCode: .cancel)
    }
    pair.run()
    #expect(pair.service.heldBytes == 0)
    #expect(try pair.reply().status("grpc-status") == "0")
  }
}
