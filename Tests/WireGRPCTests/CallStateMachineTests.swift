import TestSupport
import Testing
import WireGRPC

@testable import WireHTTP2

/// What the driver of a call may tell its machine.
enum CallInput: Sendable {
  case headers([HeaderField], endStream: Bool = false)
  case data([UInt8], endStream: Bool = false)
  case trailers([HeaderField])
  case closed(StreamClosure)
  case lost
  case cancel
  case expire
  /// The time goes on to so many seconds after the call began.
  case time(Int)
}

/// How a call ended.
struct CallEnd: CustomStringConvertible {
  var headers: [Metadata] = []
  var messages: [MessageDeframer.Message] = []
  var result: Result<Metadata, CallError>?
  var reset: HTTP2ErrorCode?
  var retry: String?
  /// How many inputs it took.
  var inputs: Int

  var code: StatusCode? {
    switch result {
    case .success: .ok
    case .failure(let error): error.code
    case nil: nil
    }
  }
  var error: CallError? {
    if case .failure(let error) = result { error } else { nil }
  }
  var trailers: Metadata? { try? result?.get() }
  var description: String { "\(result as Any), reset \(reset as Any), retry \(retry as Any)" }
}

/// Feeds a machine, with a deadline after 10 seconds. What comes after the end must mean nothing.
func run(_ inputs: [CallInput], limit: Int = 100, wantsOneMessage: Bool = true) -> CallEnd {
  let start = ContinuousClock.now
  var now = start
  var machine = CallStateMachine(
    wantsOneMessage: wantsOneMessage, maxReceiveMessageSize: limit,
    deadline: start.advanced(by: .seconds(10)))
  var end = CallEnd(inputs: 0)
  var isOver = false
  for (index, input) in inputs.enumerated() {
    let action: CallStateMachine.Action
    let known = end.messages.count
    switch input {
    case .headers(let fields, let endStream):
      action = machine.receiveHeaders(fields, endStream: endStream, now: now)
    case .data(let bytes, let endStream):
      action = machine.receiveData(bytes[...], endStream: endStream, into: &end.messages)
    case .trailers(let fields):
      action = machine.receiveTrailers(fields, now: now)
    case .closed(let closure):
      action = machine.streamClosed(closure, now: now)
    case .lost:
      action = machine.connectionLost(
        CallError(code: .unavailable, message: "lost", origin: .transport))
    case .cancel:
      action = machine.cancel(now: now)
    case .expire:
      action = machine.expire()
    case .time(let seconds):
      now = start.advanced(by: .seconds(seconds))
      action = .wait
    }
    #expect(!isOver || end.messages.count == known, "a message after the end")
    switch action {
    case .wait: continue
    case .begin(let headers):
      #expect(!isOver, "headers after the end")
      end.headers.append(headers)
      continue
    case .succeed(let trailers):
      #expect(!isOver, "a second end")
      end.result = .success(trailers)
    case .fail(let error, let reset):
      #expect(!isOver, "a second end")
      (end.result, end.reset) = (.failure(error), reset)
    case .sendElsewhere(let reason, _):
      #expect(!isOver, "a second end")
      end.retry = reason
    }
    isOver = true
    end.inputs = index + 1
  }
  if !isOver { end.inputs = inputs.count }
  return end
}

func fields(_ pairs: KeyValuePairs<String, String>) -> [HeaderField] {
  pairs.map { HeaderField($0.key, $0.value) }
}

let good = CallInput.headers(fields([":status": "200", "content-type": "application/grpc"]))
let message = CallInput.data([0, 0, 0, 0, 2, 7, 8])
let ok = CallInput.trailers(fields(["grpc-status": "0"]))

@Suite struct CallStateMachineTests {
  @Test func aGoodCall() throws {
    let end = run([
      .headers(
        fields([
          ":status": "200", "content-type": "application/grpc+proto", "x-a": "1", "x-b-bin": "qw",
        ])),
      .data([0, 0, 0]), .data([0, 2, 7]), .data([8]),
      .trailers(fields(["grpc-status": "0", "grpc-message": "", "x-c": "2"])),
      .closed(.finished),
    ])
    #expect(end.messages.map(\.bytes) == [[7, 8]])
    #expect(end.headers == [["x-a": "1", "x-b-bin": .binary([0xAB])]])
    #expect(end.trailers == ["x-c": "2"])
    #expect(end.reset == nil)
    #expect(end.inputs == 5)
  }

  /// facts: one row, one case.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var inputs: [CallInput]
    var code: StatusCode
    var says: String
    var reset: HTTP2ErrorCode?
    var origin: CallError.Origin

    init(
      _ name: String, _ inputs: [CallInput], _ code: StatusCode, _ says: String = "",
      reset: HTTP2ErrorCode? = nil, origin: CallError.Origin = .transport
    ) {
      self.name = name
      self.inputs = inputs
      self.code = code
      self.says = says
      self.reset = reset
      self.origin = origin
    }
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    // Trailers-Only
    Row(
      "trailers only",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-status": "5",
            "grpc-message": "no trip %E2%9C%93 100%",
          ]), endStream: true)
      ], .notFound, "no trip ✓ 100%", origin: .server),
    Row(
      "trailers only without a content-type",
      [.headers(fields([":status": "200", "grpc-status": "7"]), endStream: true)],
      .permissionDenied, origin: .server),
    Row(
      "trailers only, OK without a message",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"]),
          endStream: true)
      ], .unimplemented, "without a message"),
    Row(
      "trailers only without grpc-status",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc"]), endStream: true)
      ], .unknown, "no grpc-status"),
    Row(
      "grpc-status in headers that are not the last is ignored: no trailers",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"])),
        message, .data([], endStream: true),
      ], .internal, "without trailers"),
    Row(
      "grpc-status in headers that are not the last is ignored: trailers win",
      [
        .headers(
          fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"])),
        message, .trailers(fields(["grpc-status": "9"])),
      ], .failedPrecondition, origin: .server),

    // Status
    Row(
      "an error after a message", [good, message, .trailers(fields(["grpc-status": "8"]))],
      .resourceExhausted, origin: .server),
    Row(
      "an error in the middle of a message",
      [good, .data([0, 0]), .trailers(fields(["grpc-status": "10", "grpc-message": "so"]))],
      .aborted, "so", origin: .server),
    Row(
      "no grpc-status", [good, message, .trailers(fields(["x": "y"]))], .unknown,
      "no grpc-status"),
    Row(
      "a sign before the number", [good, message, .trailers(fields(["grpc-status": "+0"]))],
      .unknown, "no number", origin: .server),
    Row(
      "no number", [good, .trailers(fields(["grpc-status": "abc", "grpc-message": "hm"]))],
      .unknown, "hm (grpc-status is \"abc\"", origin: .server),
    Row(
      "an empty grpc-status", [good, .trailers(fields(["grpc-status": ""]))], .unknown,
      "no number", origin: .server),
    Row(
      "a negative grpc-status", [good, .trailers(fields(["grpc-status": "-1"]))], .unknown,
      "no number", origin: .server),
    Row(
      "a huge grpc-status",
      [good, .trailers(fields(["grpc-status": "99999999999999999999"]))], .unknown, "no number",
      origin: .server),
    Row(
      "a grpc-status without a name", [good, .trailers(fields(["grpc-status": "17"]))],
      StatusCode(rawValue: 17), origin: .server),
    Row(
      "two different ones", [good, .trailers(fields(["grpc-status": "5", "grpc-status": "0"]))],
      .unknown, "two values of grpc-status, 5 and 0", origin: .server),
    Row(
      "twice the same", [good, .trailers(fields(["grpc-status": "5", "grpc-status": "5"]))],
      .notFound, origin: .server),

    // The end of the stream
    Row(
      "END_STREAM on DATA", [good, .data([0, 0, 0, 0, 2, 7, 8], endStream: true)], .internal,
      "without trailers"),
    Row("closed without an answer", [.closed(.finished)], .internal, "without an answer"),
    Row("closed after headers", [good, .closed(.finished)], .internal, "without trailers"),
    Row(
      "trailers in the middle of a message", [good, .data([0, 0, 0, 0, 9, 1]), ok], .internal,
      "in the middle"),

    // Cardinality
    Row("OK without a message", [good, ok], .unimplemented, "without a message"),
    Row("two messages", [good, message, message], .unimplemented, "more than one", reset: .cancel),
    Row(
      "two messages in one",
      [good, .data([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], endStream: true)], .unimplemented,
      "more than one"),

    // HTTP
    Row(
      "HTTP 503", [.headers(fields([":status": "503"]), endStream: true)], .unavailable,
      "HTTP status 503"),
    Row(
      "HTTP 403 with a page",
      [
        .headers(fields([":status": "403", "content-type": "text/html"])),
        .data(Array("<h1>No\n".utf8)), .data(Array("entry".utf8), endStream: true),
      ], .permissionDenied,
      "HTTP status 403, not gRPC (content-type \"text/html\"): \"<h1>No entry\""),
    Row(
      "an endless page is cut",
      [
        .headers(fields([":status": "500"])), .data([UInt8](repeating: 0x61, count: 200)),
        .data([UInt8](repeating: 0x61, count: 200)),
      ], .unknown, String(repeating: "a", count: 256) + "\"", reset: .cancel),
    Row(
      "a page that is reset",
      [
        .headers(fields([":status": "502"])), .data(Array("bad".utf8)),
        .closed(.resetByPeer(.internalError)),
      ], .unavailable, "\"bad\""),
    Row(
      "grpc-status wins over HTTP status, trailers only",
      [.headers(fields([":status": "503", "grpc-status": "5"]), endStream: true)], .notFound,
      origin: .server),
    Row(
      "grpc-status wins over HTTP status, in trailers",
      [
        .headers(fields([":status": "503", "content-type": "application/grpc"])),
        .trailers(fields(["grpc-status": "5"])),
      ], .notFound, origin: .server),
    Row(
      "grpc-status wins over an HTML page",
      [
        .headers(fields([":status": "503", "content-type": "text/html"])),
        .trailers(fields(["grpc-status": "16"])),
      ], .unauthenticated, origin: .server),
    Row(
      "HTTP status in gRPC's form without grpc-status",
      [
        .headers(fields([":status": "429", "content-type": "application/grpc"])),
        .trailers(fields(["x": "y"])),
      ], .unavailable, "HTTP status 429"),
    Row(
      "HTTP status in gRPC's form without trailers",
      [
        .headers(fields([":status": "401", "content-type": "application/grpc"])),
        .data([], endStream: true),
      ], .unauthenticated, "HTTP status 401"),
    Row("no status at all", [.headers([], endStream: true)], .unknown, "HTTP status 0"),

    // Content-type
    Row(
      "another content-type",
      [
        .headers(fields([":status": "200", "content-type": "application/json"])),
        .data(Array("{}".utf8), endStream: true),
      ], .unknown, "content-type \"application/json\", not application/grpc: \"{}\""),
    Row(
      "no content-type", [.headers(fields([":status": "200"])), .data([], endStream: true)],
      .unknown, "no content-type"),
    Row(
      "a content-type of gRPC's kin",
      [
        .headers(fields([":status": "200", "content-type": "application/grpc-web"])),
        .data([], endStream: true),
      ], .internal, "application/grpc-web"),
    Row(
      "OK does not make up for a wrong content-type",
      [.headers(fields([":status": "200", "content-type": "text/plain"])), ok], .unknown,
      "text/plain"),

    // Compression
    Row(
      "compressed, without grpc-encoding", [good, .data([1, 0, 0, 0, 0])], .internal,
      "did not say how", reset: .cancel),
    Row(
      "compressed, grpc-encoding identity",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-encoding": "identity",
          ])), .data([1, 0, 0, 0, 0]),
      ], .internal, "did not say how", reset: .cancel),
    Row(
      "compressed, grpc-encoding unknown",
      [
        .headers(
          fields([
            ":status": "200", "content-type": "application/grpc", "grpc-encoding": "snappy",
          ])), .data([1, 0, 0, 0, 0]),
      ], .internal, "\"snappy\"; this client offered identity,gzip,deflate", reset: .cancel),
    Row("a flag of 2", [good, .data([2])], .internal, "compression flag 2", reset: .cancel),

    // Limits
    Row(
      "a long message", [good, .data([0, 0, 0, 0, 101])], .resourceExhausted,
      "101 bytes, more than the 100", reset: .cancel, origin: .local),

    // Resets: the codes themselves are in StatusCodeTests
    Row(
      "reset with NO_ERROR", [good, .closed(.resetByPeer(.noError))], .internal,
      "reset the stream with NO_ERROR"),
    Row("reset with CANCEL", [.closed(.resetByPeer(.cancel))], .cancelled, "CANCEL"),
    Row(
      "reset with ENHANCE_YOUR_CALM", [good, message, .closed(.resetByPeer(.enhanceYourCalm))],
      .resourceExhausted, "ENHANCE_YOUR_CALM"),
    Row(
      "unprocessed after headers", [good, .closed(.unprocessed)], .unavailable,
      "after it had answered"),
    Row(
      "refused after headers", [good, .closed(.resetByPeer(.refusedStream))], .unavailable,
      "after it had answered"),

    // This side
    Row("cancelled", [good, .cancel], .cancelled, reset: .cancel, origin: .local),
    Row(
      "expired while waiting", [.expire], .deadlineExceeded, "before the server answered",
      reset: .cancel, origin: .local),
    Row(
      "expired in the answer", [good, .data([0]), .expire], .deadlineExceeded,
      "before the answer was complete", reset: .cancel, origin: .local),
    Row(
      "cancelled after the deadline", [.time(10), .cancel], .deadlineExceeded, reset: .cancel,
      origin: .local),
    Row(
      "reset with CANCEL after the deadline", [.time(10), .closed(.resetByPeer(.cancel))],
      .deadlineExceeded, origin: .local),
    Row(
      "status CANCELLED after the deadline",
      [.time(11), good, .trailers(fields(["grpc-status": "1", "grpc-message": "why"]))],
      .deadlineExceeded, origin: .local),
    Row(
      "status CANCELLED before the deadline",
      [.time(9), good, .trailers(fields(["grpc-status": "1", "grpc-message": "why"]))],
      .cancelled, "why", origin: .server),
    Row("connection lost", [good, message, .lost], .unavailable, "lost"),
  ]

  @Test(arguments: rows)
  func rule(_ row: Row) throws {
    let end = run(row.inputs)
    #expect(end.code == row.code)
    let error = try #require(end.error)
    #expect(error.message.contains(row.says), "\(error)")
    #expect(end.reset == row.reset)
    #expect(error.origin == row.origin)
    #expect(end.inputs == row.inputs.count, "it ended before its last input")
  }

  @Test(arguments: rows)
  func nothingAfterTheEndMatters(_ row: Row) {
    let late: [CallInput] = [
      good, message, ok, .data([1, 2, 3], endStream: true), .closed(.finished),
      .closed(.resetByPeer(.refusedStream)), .closed(.unprocessed), .lost, .cancel, .expire,
    ]
    #expect(run(row.inputs + late).code == row.code)
  }

  @Test func compressedMessages() {
    let gzip = hexadecimal("1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000")
    let headers = CallInput.headers(
      fields([":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip"]))
    let frame = CallInput.data([1, 0, 0, 0, UInt8(gzip.count)] + gzip)
    let end = run([headers, frame, ok])
    #expect(end.code == .ok)
    #expect(end.messages == [MessageDeframer.Message(isCompressed: true, bytes: gzip)])
    // The limit holds for it as it comes, and a plain message under any coding is taken.
    #expect(run([headers, frame, ok], limit: gzip.count - 1).code == .resourceExhausted)
    #expect(run([headers, message, ok]).code == .ok)
  }

  @Test(
    "what the server did not act on is sent elsewhere",
    arguments: [[CallInput.closed(.unprocessed)], [.closed(.resetByPeer(.refusedStream))]])
  func transparentRetry(_ inputs: [CallInput]) {
    let end = run(inputs)
    #expect(end.retry != nil)
    #expect(end.result == nil)
  }

  // MARK: Streams of messages

  @Test func aStreamGivesMessagesAsTheyCome() {
    let end = run(
      [good, message, .data([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0]), .data([0, 1, 5]), ok],
      wantsOneMessage: false)
    #expect(end.messages.map(\.bytes) == [[7, 8], [], [9], [5]])
    #expect(end.headers.count == 1)
    #expect(end.code == .ok)
  }

  @Test(arguments: [
    [good, ok],
    [
      .headers(
        fields([":status": "200", "content-type": "application/grpc", "grpc-status": "0"]),
        endStream: true)
    ],
  ])
  func aStreamMayBeEmpty(_ inputs: [CallInput]) {
    let end = run(inputs, wantsOneMessage: false)
    #expect(end.code == .ok)
    #expect(end.messages.isEmpty)
  }

  @Test func messagesBeforeABrokenOneCount() {
    let end = run([good, .data([0, 0, 0, 0, 1, 5, 7, 0, 0])], wantsOneMessage: false)
    #expect(end.messages.map(\.bytes) == [[5]])
    #expect(end.code == .internal)
    #expect(end.reset == .cancel)
  }

  @Test func eachMessageOfAStreamHasTheLimit() {
    let long = CallInput.data([0, 0, 0, 0, 60] + [UInt8](repeating: 1, count: 60))
    #expect(run([good, long, long, ok], wantsOneMessage: false).code == .ok)
    let end = run([good, long, .data([0, 0, 0, 0, 101])], wantsOneMessage: false)
    #expect(end.code == .resourceExhausted)
    #expect(end.messages.count == 1)
  }

  @Test(arguments: [
    fields([":status": "503", "content-type": "application/grpc"]),
    fields([":status": "200", "content-type": "text/html"]), fields([":status": "404"]),
  ])
  func whatIsNoAnswerDoesNotBegin(_ headers: [HeaderField]) {
    let end = run([.headers(headers), message], wantsOneMessage: false)
    #expect(end.headers.isEmpty)
    #expect(end.messages.isEmpty)
  }

  @Test func headersAboveOurLimit() {
    let violation = StreamClosure.violation(HTTP2Error(.headerListTooLarge, "too long"))
    #expect(run([.closed(violation)]).code == .resourceExhausted)
    #expect(run([good, message, .closed(violation)]).code == .resourceExhausted)
  }

  @Test func detailsComeFromTheTrailersAndTheTrailersWin() throws {
    // google.rpc.Status{code: 7, message: "denied", details: [ErrorInfo{reason: "IAM"}]}
    let info: [UInt8] = [0x0A, 3] + Array("IAM".utf8)
    let url = Array("type.googleapis.com/google.rpc.ErrorInfo".utf8)
    let any: [UInt8] = [0x0A, UInt8(url.count)] + url + [0x12, UInt8(info.count)] + info
    let status: [UInt8] =
      [8, 7, 0x12, 6] + Array("denied".utf8) + [0x1A, UInt8(any.count)] + any
    let details = Base64.encode(status)

    let agreeing = try #require(
      run([good, .trailers(fields(["grpc-status": "7", "grpc-status-details-bin": details]))])
        .error)
    #expect(agreeing.code == .permissionDenied)
    #expect(agreeing.message == "denied")
    guard case .errorInfo(let decoded) = try #require(agreeing.details.first) else {
      Issue.record("not an ErrorInfo: \(agreeing.details)")
      return
    }
    #expect(decoded.reason == "IAM")
    #expect(agreeing.metadata[binary: "grpc-status-details-bin"] == status)

    let differing = try #require(
      run([
        good,
        .trailers(
          fields([
            "grpc-status": "5", "grpc-message": "gone", "grpc-status-details-bin": details,
          ])),
      ]).error)
    #expect(differing.code == .notFound)
    #expect(differing.message == "gone")
    #expect(differing.details.count == 1)

    let broken = try #require(
      run([
        good,
        .trailers(
          fields([
            "grpc-status": "5", "grpc-message": "gone", "grpc-status-details-bin": "CP8",
          ])),
      ]).error)
    #expect(broken.message == "gone")
    #expect(broken.details.isEmpty)
  }

  @Test func anyOrderOfEventsIsSurvived() {
    var random = SplitMix(state: 7)
    let inputs = Self.rows.flatMap(\.inputs)
    for _ in 0..<2000 {
      _ = run((0..<8).map { _ in inputs.randomElement(using: &random) ?? ok })
    }
  }
}
