import TestSupport
import Testing
import WireHTTP2

@testable import Replay
@testable import WireGRPCServer

/// The frames that a client receives from scripted calls.
@Suite struct ServerScriptTests {
  typealias Pair = ServerCallsTests.Pair

  static func pair(
    _ steps: String, condition: String = "", more: String = "", loops: Bool = false,
    client: HTTP2Configuration = .init()
  ) throws -> Pair {
    let script = try ReplayScriptTests.script(
      #"{"calls": [{"method": "/test.Echo/Say"\#(condition), "steps": [\#(steps)]}\#(more)]}"#)
    return try Pair(index: ResponseIndex(script, loops: loops), speed: 1, client: client)
  }

  static func traced() -> HTTP2Configuration {
    var configuration = HTTP2Configuration()
    configuration.tracesFrames = true
    return configuration
  }

  @Test func sendsAMessageAndTrailers() throws {
    let pair = try Self.pair(#"{"message": {"bytes": "Bw=="}}, {"trailers": {"code": 5}}"#)
    let reply = try pair.reply()
    #expect(reply.headers == ResponseHeaders.common)
    #expect(reply.body == GRPCClient.framed([7]))
    #expect(reply.status("grpc-status") == "5")
    #expect(reply.closure == .finished)
  }

  @Test func sendsTrailersOnly() throws {
    let reply = try Self.pair(#"{"trailers": {"code": "ABORTED", "message": "é"}}"#).reply()
    #expect(reply.headers.first == HeaderField(":status", "200"))
    #expect(reply.status("grpc-status") == "10")
    #expect(reply.status("grpc-message") == "%C3%A9")
    #expect(reply.closure == .finished)
  }

  @Test func sendsDetails() throws {
    let reply = try Self.pair(
      #"{"trailers": {"code": 8, "details": [{"@type": "x/google.rpc.Help"}]}}"#
    ).reply()
    #expect(reply.status("grpc-status-details-bin") == "CAgaEwoReC9nb29nbGUucnBjLkhlbHA")
  }

  @Test func sendsAnHTTPStatusAndHeaders() throws {
    let reply = try Self.pair(
      #"""
      {"headers": {"status": 503, "fields": [{"name": "retry-after", "value": "1"}]}},
      {"data": {"bytes": "PGI+", "endStream": true}}
      """#
    ).reply()
    #expect(
      reply.headers == [
        HeaderField(":status", "503"), HeaderField("content-type", "application/grpc"),
        HeaderField("retry-after", "1"),
      ])
    #expect(reply.body == Array("<b>".utf8))
    #expect(reply.trailers.isEmpty)
    #expect(reply.closure == .finished)
  }

  @Test func rawHeadersHaveNoDefaults() throws {
    let reply = try Self.pair(
      #"""
      {"headers": {"raw": true, "fields": [{"name": ":status", "value": "204"}]}},
      {"trailers": {"raw": true, "fields": [{"name": "x", "value": "y"}]}}
      """#
    ).reply()
    #expect(reply.headers == [HeaderField(":status", "204")])
    #expect(reply.trailers == [HeaderField("x", "y")])
  }

  @Test func sendsFalseFlagsAndLengths() throws {
    let pair = try Self.pair(
      #"""
      {"message": {"bytes": "Bw==", "flags": 9}}, {"message": {"bytes": "Bw==", "declaredLength": 258}},
      {"trailers": {}}
      """#)
    #expect(try pair.reply().body == [9, 0, 0, 0, 1, 7, 0, 0, 0, 1, 2, 7])
  }

  @Test func compressesOnlyIfThatIsShorter() throws {
    let long = String(repeating: "A", count: 400)
    let pair = try Self.pair(
      #"""
      {"message": {"bytes": "\#(long)", "compression": "GZIP"}},
      {"message": {"bytes": "Bw==", "compression": "GZIP"}}, {"trailers": {}}
      """#)
    let body = try pair.reply().body
    #expect(body.first == 1)
    #expect(body.count < 100)
    #expect(Array(body.suffix(6)) == GRPCClient.framed([7]))
  }

  @Test func splitsFrames() throws {
    let pair = try Self.pair(
      #"""
      {"message": {"bytes": "Bwg=", "split": [1, 0, 4]}}, {"data": {"bytes": "AQI="}},
      {"data": {"split": [0]}}, {"trailers": {}}
      """#, client: Self.traced())
    let reply = try pair.reply()
    #expect(reply.body == GRPCClient.framed([7, 8]) + [1, 2])
    #expect(pair.client.dataFrames.prefix(6) == [1, 0, 4, 2, 2, 0])
  }

  @Test func stepsWaitForRequestMessages() throws {
    let pair = try Self.pair(
      #"""
      {"after": 0, "headers": {}}, {"after": 1, "message": {"bytes": "Bw=="}},
      {"after": 2, "message": {"bytes": "CA=="}}, {"trailers": {}}
      """#)
    let stream = try pair.client.send("/test.Echo/Say", [], endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.headers == ResponseHeaders.common)
    pair.client.session.sendData(stream, GRPCClient.framed([1]), endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.body == GRPCClient.framed([7]))
    pair.client.session.sendData(stream, GRPCClient.framed([1]), endStream: false)
    pair.run()
    #expect(pair.client.replies[stream]?.body == GRPCClient.framed([7]) + GRPCClient.framed([8]))
    #expect(pair.client.replies[stream]?.status("grpc-status") == "0")
  }

  @Test func resetFollowsTheMessagesBeforeIt() throws {
    let long = String(repeating: "A", count: 4 * 100_000)
    let pair = try Self.pair(#"{"message": {"bytes": "\#(long)"}}, {"reset": "REFUSED_STREAM"}"#)
    let reply = try pair.reply()
    #expect(reply.body.count == 300_005)
    #expect(reply.closure == .resetByPeer(.refusedStream))
    #expect(pair.session.activeStreams == 0)
    #expect(pair.context.heldBytes == 0)
  }

  @Test func sendsGoAwayAndContinues() throws {
    let pair = try Self.pair(
      #"{"goAway": {"last": 1, "code": 11, "debug": "x"}}, {"delay": "1s", "trailers": {}}"#)
    let stream = try pair.client.send("/test.Echo/Say", GRPCClient.framed([1]))
    pair.run()
    #expect(pair.client.goAways == [1])
    #expect(pair.client.replies[stream]?.closure == nil)
    pair.wait(.seconds(1))
    #expect(pair.client.replies[stream]?.closure == .finished)
    #expect(!pair.session.wantsRead)
  }

  @Test func goAwayBelowTheStreamLeavesItUnprocessed() throws {
    let reply = try Self.pair(#"{"goAway": {"last": 0}}"#).reply()
    #expect(reply.closure == .unprocessed)
  }

  @Test func sendsPingsAndContinues() throws {
    let pair = try Self.pair(
      #"{"ping": {}}, {"ping": {}}, {"trailers": {}}"#, client: Self.traced())
    #expect(try pair.reply().closure == .finished)
    #expect(pair.client.pingFrames == 2)
  }

  @Test func closesTheConnection() throws {
    let pair = try Self.pair(#"{"message": {}}, {"delay": "1s", "close": {}}"#)
    #expect(try pair.reply().body == GRPCClient.framed([]))
    #expect(!pair.calls.closesConnection)
    pair.wait(.seconds(1))
    #expect(pair.calls.closesConnection)
  }

  @Test func continuesAfterTheTrailers() throws {
    let pair = try Self.pair(
      #"{"trailers": {}}, {"delay": "1s", "goAway": {}}, {"delay": "1s", "close": {}}"#)
    #expect(try pair.reply().closure == .finished)
    #expect(pair.client.goAways.isEmpty)
    pair.wait(.seconds(1))
    #expect(pair.client.goAways == [1])
    #expect(!pair.calls.closesConnection)
    pair.wait(.seconds(1))
    #expect(pair.calls.closesConnection)
    #expect(pair.calls.due == nil)
  }

  @Test func trailingActionsKeepTheirDelays() throws {
    let pair = try Self.pair(
      #"{"trailers": {}}, {"delay": "1s", "ping": {}}, {"delay": "2s", "ping": {}}"#,
      client: Self.traced())
    for second in 0..<3 {
      #expect(try pair.reply().closure == .finished)
      #expect(pair.client.pingFrames == second)
      pair.wait(.seconds(1))
    }
    // The first pings of the three calls, and the second ping of the first call, at 3 s.
    #expect(pair.client.pingFrames == 4)
    pair.wait(.milliseconds(1999))
    #expect(pair.client.pingFrames == 5)
    pair.wait(.milliseconds(1))
    #expect(pair.client.pingFrames == 6)
    #expect(pair.calls.due == nil)
  }

  @Test func expiredCallEndsTheScript() throws {
    let pair = try Self.pair(#"{"message": {}}, {"delay": "9s", "trailers": {}}, {"close": {}}"#)
    let reply = try pair.reply(
      "/test.Echo/Say", GRPCClient.framed([1]), ["grpc-timeout": "2S"])
    #expect(reply.closure == nil)
    pair.wait(.seconds(20))
    #expect(pair.client.replies[1]?.status("grpc-status") == "4")
    #expect(!pair.calls.closesConnection)
  }

  @Test func responseWithoutAnEndStaysOpen() throws {
    let pair = try Self.pair("")
    let reply = try pair.reply()
    pair.wait(.seconds(600))
    #expect(reply.closure == nil)
    #expect(pair.session.activeStreams == 1)
  }

  // MARK: Requests

  @Test func callsAreSelectedByTheirRequest() throws {
    let pair = try Self.pair(
      #"{"trailers": {"code": 1}}"#, condition: #", "requestBytes": "AQ==""#,
      more: #"""
        , {"method": "/test.Echo/Say", "steps": [{"trailers": {"code": 2}}]}
        , {"method": "/test.Echo/Say", "steps": [{"trailers": {"code": 3}}]}
        """#)
    func replyStatus(_ body: [UInt8]) throws -> String? {
      try pair.reply("/test.Echo/Say", body).status("grpc-status")
    }
    #expect(try replyStatus(GRPCClient.framed([1])) == "1")
    #expect(try replyStatus(GRPCClient.framed([1])) == "1")
    #expect(try replyStatus(GRPCClient.framed([2])) == "2")
    #expect(try replyStatus([]) == "3")
    #expect(try replyStatus(GRPCClient.framed([2])) == "3")
  }

  @Test func resourceWithoutAProviderMatchesAnyProvider() throws {
    let getTrip = "/maps.fleetengine.v1.TripService/GetTrip"
    func call(_ name: String, _ code: Int) -> String {
      #"{"method": "\#(getTrip)", "resource": "\#(name)", "steps": [{"trailers": {"code": \#(code)}}]}"#
    }
    let script = try ReplayScriptTests.script(
      #"{"calls": [\#(call("trips/a", 1)), \#(call("providers/p/trips/a", 2))]}"#)
    let pair = try Pair(index: ResponseIndex(script), speed: 1)
    func replyStatus(_ name: String) throws -> String? {
      let request = [26, UInt8(name.utf8.count)] + Array(name.utf8)
      return try pair.reply(getTrip, GRPCClient.framed(request)).status("grpc-status")
    }
    #expect(try replyStatus("providers/q/trips/a") == "1")
    #expect(try replyStatus("providers/p/trips/a") == "2")
    #expect(try replyStatus("trips/a") == "1")
    #expect(try replyStatus("providers/p/trips/b") == "5")
    #expect(try replyStatus("fleets/p/trips/a") == "5")
  }
}
