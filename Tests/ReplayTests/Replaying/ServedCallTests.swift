import TestSupport
import Testing
import WireHTTP2
import WireSystem

@testable import Replay
@testable import WireGRPCClient
@testable import WireGRPCServer

/// The events that observers of a server receive.
@Suite struct ServedCallTests {
  typealias Pair = ServerCallsTests.Pair

  /// Records all events.
  final class EventRecorder: Sendable {
    private let entries = Locked<[String]>([])
    var lines: [String] { entries.withLock { $0 } }

    var observer: ServedCall.Observer {
      { call in
        self.entries.withLock { $0.append("\(call.peer) \(call.authority) \(call.path)") }
        return { event in
          let line: String
          switch event {
          case .exchange(.requestMessage(let message)): line = "request \(message.uncompressed)"
          case .exchange(.responseMessage(let message)): line = "response \(message.uncompressed)"
          case .exchange(.end(.failure(let error))):
            line = "\(error.origin) \(error.code): \(error.message) \(error.trailers)"
          case .exchange(let event): line = "\(event)"
          case .match(let text): line = "match: \(text)"
          }
          self.entries.withLock { $0.append(line) }
        }
      }
    }

    var end: String? { lines.last }
  }

  static func script(_ steps: String, condition: String = "") throws -> ResponseIndex {
    ResponseIndex(
      try ReplayScriptTests.script(
        #"{"calls": [{"method": "/test.Echo/Say"\#(condition), "steps": [\#(steps)]}]}"#))
  }

  let recorder = EventRecorder()

  func pair(_ steps: String, _ limits: ServerLimits = .init()) throws -> Pair {
    try Pair(index: Self.script(steps), limits, speed: 1, observer: recorder.observer)
  }

  @Test func reportsTheEventsOfACall() throws {
    let recorded = Recordings.call(
      headers: ["x-first": "a"], responses: [[7], [8]], trailers: ["x-last": "z"])
    let pair = try Pair([recorded], observer: recorder.observer)
    _ = try pair.reply(
      "/test.Echo/Say", GRPCClient.framed([1]), ["x-user": "anna", "grpc-timeout": "9S"])
    #expect(
      recorder.lines == [
        "127.0.0.1:9 localhost /test.Echo/Say",
        #"start, timeout 9.0 seconds, metadata [te: trailers, x-user: anna]"#,
        "request [1]", "end of the request", "match: call 1, same request",
        #"response headers [x-first: a]"#,
        "response [7]", "response [8]", #"end: OK, trailers [x-last: z]"#,
      ])
  }

  @Test func recordedFailureHasServerOrigin() throws {
    let recorded = Recordings.call(
      headers: nil, responses: [], code: .notFound, message: "é", details: [8, 5])
    let pair = try Pair([recorded], observer: recorder.observer)
    _ = try pair.reply()
    #expect(recorder.end == #"server NOT_FOUND: é [grpc-status-details-bin: CAU]"#)
  }

  @Test func generatedStatusesAreLocal() throws {
    let pair = try Pair(requiresToken: true, observer: recorder.observer)
    _ = try pair.reply("/test.Echo/Shout")
    #expect(recorder.end?.hasPrefix("local UNIMPLEMENTED: /test.Echo/Shout is not in this") == true)
    _ = try pair.reply()
    #expect(recorder.end?.hasPrefix("local UNAUTHENTICATED") == true)
    #expect(recorder.end?.contains("grpc-status-details-bin") == true)
    _ = try pair.reply(
      "/test.Echo/Say", GRPCClient.framed([2]), ["authorization": "Bearer some.token.or-other"])
    #expect(recorder.end?.hasPrefix("local NOT_FOUND: this request is not in this") == true)
    _ = try pair.reply("/", [], ["content-type": "text/html"])
    #expect(recorder.end?.hasPrefix("local UNKNOWN: content-type") == true)
    #expect(recorder.lines.filter { $0.hasPrefix("127.0.0.1:9 ") }.count == 4)
    #expect(!recorder.lines.contains { $0.contains("some.token") })
  }

  @Test func splitMessageIsReportedOnce() throws {
    let pair = try pair(
      #"{"data": {"bytes": "AAAAAA=="}}, {"data": {"bytes": "AQc="}}, {"trailers": {}}"#)
    _ = try pair.reply()
    #expect(
      recorder.lines.suffix(3) == [
        "response headers []", "response [7]", "end: OK, trailers []",
      ])
  }

  @Test(arguments: [
    (#"{"reset": "REFUSED_STREAM"}"#, "transport UNAVAILABLE: the server refused the stream []"),
    (
      #"{"reset": "CANCEL"}"#,
      "transport CANCELLED: the server reset the stream with CANCEL []"
    ),
    (
      #"{"data": {"bytes": "", "endStream": true}}"#,
      "transport INTERNAL: the server closed the stream without trailers []"
    ),
    (
      #"{"message": {"bytes": "Bw==", "flags": 9}}, {"trailers": {}}"#,
      "transport INTERNAL: the server's message has the compression flag 9, not 0 or 1 []"
    ),
    (
      #"{"headers": {"status": 503, "endStream": true}}"#,
      "transport UNAVAILABLE: the response has HTTP status 503 and no grpc-status []"
    ),
  ])
  func invalidResponseIsReportedAsClientsSeeIt(steps: String, end: String) throws {
    _ = try pair(steps).reply()
    #expect(recorder.end == end)
    #expect(recorder.lines.filter { $0 == end }.count == 1)
  }

  @Test func reportsACanceledOrDisconnectedClient() throws {
    let open = try pair("")
    let stream = try open.client.send("/test.Echo/Say", GRPCClient.framed([1]))
    open.run()
    #expect(recorder.end == "end of the request")
    #expect(recorder.lines.contains("match: scripted call 1, any request"))
    open.client.session.reset(stream, errorCode: .cancel)
    open.run()
    #expect(recorder.end == "local CANCELLED: canceled by the client []")
    _ = try open.client.send("/test.Echo/Say", GRPCClient.framed([1]))
    open.run()
    #expect(recorder.end == "end of the request")
    open.calls.abandon()
    #expect(recorder.end == "local CANCELLED: canceled by the client []")
  }

  @Test func reportsAScriptThatClosesTheConnection() throws {
    let pair = try pair(#"{"close": {}}"#)
    _ = try pair.client.send("/test.Echo/Say", GRPCClient.framed([1]))
    pair.run()
    #expect(pair.calls.closesConnection)
    pair.calls.abandon()
    #expect(recorder.end == "local UNAVAILABLE: the server closed the connection []")
  }

  @Test func reportsAnExceededDeadline() throws {
    let pair = try pair(#"{"headers": {}}, {"delay": "9s", "trailers": {}}"#)
    _ = try pair.reply("/test.Echo/Say", GRPCClient.framed([1]), ["grpc-timeout": "2S"])
    pair.wait(.seconds(3))
    #expect(
      recorder.end == "local DEADLINE_EXCEEDED: the call took longer than its grpc-timeout []")
  }

  @Test func reportsTheEndOnce() throws {
    let pair = try Pair(observer: recorder.observer)
    let stream = try pair.client.send("/test.Echo/Say", GRPCClient.framed([1]))
    pair.run()
    pair.client.session.reset(stream, errorCode: .cancel)
    pair.run()
    pair.calls.abandon()
    #expect(
      recorder.lines.filter { $0.hasPrefix("end") } == [
        "end of the request", "end: OK, trailers []",
      ])
  }

  @Test func requestsBeforeAnInvalidOneAreReported() throws {
    let pair = try Pair(observer: recorder.observer)
    _ = try pair.reply("/test.Echo/Say", GRPCClient.framed([1]) + GRPCClient.framed([2], flag: 7))
    #expect(recorder.lines.contains("request [1]"))
    #expect(recorder.end?.hasPrefix("local INTERNAL: a message has the compression flag 7") == true)
  }

  @Test func nilListenersAreSkipped() throws {
    let pair = try Pair(observer: { _ in nil })
    #expect(try pair.reply().status("grpc-status") == "0")
    #expect(pair.context.isObserved)
  }
}
