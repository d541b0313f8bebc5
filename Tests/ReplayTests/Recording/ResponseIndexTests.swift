import FleetEngineAPI
import Testing
import WireGRPC
import WireHTTP2
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

extension ResponseIndex {
  mutating func response(
    to path: String, _ requests: [[UInt8]], now: ContinuousClock.Instant
  ) throws(Refusal) -> TimedResponse {
    try response(to: try method(path), requests, now: now).response
  }
}

@Suite struct ResponseIndexTests {
  static let path = TripServiceMethods.getTrip.path

  static func request(
    _ name: String, language: String? = nil, version: Int64? = nil, view: TripView = .unspecified
  ) -> GetTripRequest {
    var request = GetTripRequest(name: name, view: view)
    if let language {
      request.header = RequestHeader(languageCode: language)
    }
    if let version {
      request.currentRouteSegmentVersion = Timestamp(seconds: version)
    }
    return request
  }

  static func call(_ request: GetTripRequest, response: UInt8) -> RecordedCall {
    Recordings.call(UInt64(response), path, [request.serializedBytes()], responses: [[response]])
  }

  /// Returns the last byte of the response.
  static func respond(_ index: inout ResponseIndex, _ request: GetTripRequest) throws -> UInt8? {
    try respond(&index, path, request.serializedBytes())
  }

  static func respond(
    _ index: inout ResponseIndex, _ path: String, _ request: [UInt8], after time: Duration = .zero
  ) throws -> UInt8? {
    try index.response(to: path, [request], now: start + time).frames.last?.last
  }

  static let start = ContinuousClock.now

  @Test func responsesAreReplayedInOrderAndTheLastRepeats() throws {
    var index = ResponseIndex((1...3).map { Self.call(Self.request("t"), response: $0) })
    let responses = try (1...5).map { _ in try Self.respond(&index, Self.request("t")) }
    #expect(responses == [1, 2, 3, 3, 3])
  }

  @Test func equalRequestsShareASequence() throws {
    let first = Self.request("t", language: "en")
    let second = Self.request("t", language: "fr", version: 5)
    var index = ResponseIndex([
      Self.call(first, response: 1), Self.call(second, response: 2), Self.call(second, response: 3),
    ])
    let other = Self.request("t", version: 9)
    #expect(
      try [first, other, first, second].map { try Self.respond(&index, $0) } == [1, 2, 3, 3])
  }

  @Test func headerAndVersionStampsAreNotCompared() throws {
    let full = Self.request("t", language: "en", version: 1, view: .sdk)
    let other = Self.request("t", view: .journeySharingV1s)
    var index = ResponseIndex([Self.call(other, response: 1), Self.call(full, response: 2)])
    #expect(
      try Self.respond(&index, Self.request("t", language: "fr", version: 9, view: .sdk)) == 2)
  }

  @Test func fieldOrderIsNotCompared() throws {
    let plain = Self.request("t", view: .sdk)
    let bytes = plain.serializedBytes()
    var index = ResponseIndex([Self.call(plain, response: 1)])
    // view, then name.
    let turned = [UInt8](bytes.suffix(2) + bytes.dropLast(2))
    #expect(try GetTripRequest(serializedBytes: turned) == plain)
    #expect(try Self.respond(&index, Self.path, turned) == 1)
  }

  @Test func eachMethodHasItsOwnSequence() throws {
    var index = ResponseIndex([
      Recordings.call(1, "/test.Echo/Say", responses: [[7]]),
      Recordings.call(2, "/test.Echo/Shout", responses: [[8]]),
    ])
    let responses = try ["/test.Echo/Shout", "/test.Echo/Say", "/test.Echo/Shout"].map {
      try Self.respond(&index, $0, [1])
    }
    #expect(responses == [8, 7, 8])
  }

  @Test func otherFieldsAreCompared() throws {
    var index = ResponseIndex([Self.call(Self.request("providers/p/trips/t"), response: 1)])
    let refusal = try #require(throws: Refusal.self) {
      try Self.respond(&index, Self.request("providers/p/trips/t", version: 5, view: .sdk))
    }
    #expect(refusal.status.code == .notFound)
    #expect(
      refusal.status.message == "this request for providers/p/trips/t is not in this recording:"
        + " view: unset in the recording, \"SDK\" in this request")
  }

  /// Like a client that fetches all pages.
  static func pages(_ index: inout ResponseIndex, _ request: SearchTripsRequest) throws -> [String]
  {
    var request = request
    var tokens: [String] = []
    repeat {
      let response = try index.response(
        to: TripServiceMethods.searchTrips.path, [request.serializedBytes()], now: start)
      let frame = try #require(response.frames.last)
      let page = try SearchTripsResponse(serializedBytes: Array(frame.dropFirst(5)))
      request.pageToken = page.nextPageToken
      tokens.append(page.nextPageToken)
    } while !request.pageToken.isEmpty && tokens.count < 10
    return tokens
  }

  static func page(_ request: SearchTripsRequest, next: String) -> RecordedCall {
    Recordings.call(
      1, TripServiceMethods.searchTrips.path, [request.serializedBytes()],
      responses: [SearchTripsResponse(nextPageToken: next).serializedBytes()])
  }

  @Test(arguments: [nil, 1], [false, true])
  func unrecordedPagesAreNotFound(speed: Int?, loops: Bool) throws {
    var request = SearchTripsRequest(parent: "providers/p", pageSize: 10)
    let first = Self.page(request, next: "p2")
    request.pageToken = "p2"
    let second = Self.page(request, next: "p3")
    request.pageToken = "p3"
    let third = Self.page(request, next: "")
    request.pageToken = ""
    var whole = ResponseIndex([first, second, third], speed: speed, loops: loops)
    for _ in 0..<2 { #expect(try Self.pages(&whole, request) == ["p2", "p3", ""]) }
    var short = ResponseIndex([first, second], speed: speed, loops: loops)
    let refusal = try #require(throws: Refusal.self) { try Self.pages(&short, request) }
    #expect(refusal.status.code == .notFound)
    #expect(
      refusal.status.message == "this request for providers/p is not in this recording:"
        + " page_token: unset or \"p2\" in the recording, \"p3\" in this request")
    request.pageSize = 20
    let other = try #require(throws: Refusal.self) { try Self.pages(&whole, request) }
    #expect(other.status.message.hasSuffix(": page_size: 10 in the recording, 20 in this request"))
  }

  @Test func createRequestsAreFoundByTheNewName() throws {
    var request = CreateTripRequest(parent: "providers/p", tripId: "t1")
    let path = TripServiceMethods.createTrip.path
    var index = ResponseIndex([Recordings.call(1, path, [request.serializedBytes()])])
    request.header = RequestHeader(traceId: "x")
    #expect(try Self.respond(&index, path, request.serializedBytes()) == 7)
    request.trip = Trip()
    let changed = try #require(throws: Refusal.self) {
      try Self.respond(&index, path, request.serializedBytes())
    }
    #expect(
      changed.status.message.hasSuffix(
        "t1 is not in this recording: trip: unset in the recording, {} in this request"))
    request.tripId = "t2"
    let refusal = try #require(throws: Refusal.self) {
      try Self.respond(&index, path, request.serializedBytes())
    }
    #expect(refusal.status.message.contains("providers/p/trips/t1"))
  }

  @Test func unknownRequestsAreRejected() throws {
    var index = ResponseIndex([Self.call(Self.request("providers/p/trips/t1"), response: 1)])
    let missing = try #require(throws: Refusal.self) {
      try Self.respond(&index, Self.request("t2"))
    }
    #expect(missing.status.code == .notFound)
    #expect(missing.status.message == "t2 is not in this recording, which has providers/p/trips/t1")
    let invalid = try #require(throws: Refusal.self) { try Self.respond(&index, Self.path, [0xff]) }
    #expect(invalid.status.code == .notFound)
    let method = try #require(throws: Refusal.self) {
      try Self.respond(&index, TripServiceMethods.deleteTrip.path, [])
    }
    #expect(method.status.code == .unimplemented)
    #expect(method.status.message.hasSuffix("which has \(Self.path)"))
  }

  @Test func truncatedResponseIsReplacedByAnError() throws {
    var cut = Self.call(Self.request("t"), response: 2)
    cut.responseIsTruncated = true
    var index = ResponseIndex([Self.call(Self.request("t"), response: 1), cut])
    #expect(index.count == 1)
    #expect(index.omissions.count == 1)
    #expect(try Self.respond(&index, Self.request("t")) == 1)
    let response = try index.response(
      to: Self.path, [Self.request("t").serializedBytes()], now: Self.start)
    #expect(response.ending.contains { $0.name == "grpc-status" && $0.value == "15" })
    #expect(
      response.ending.contains {
        $0.name == "grpc-message" && $0.value.contains("payload_truncated")
      })
  }

  @Test func oversizedResponseIsReplacedByAnError() throws {
    let value = String(repeating: "v", count: ResponseHeaders.sizeLimit)
    let indexes = [
      Recordings.call(1, headers: ["x": .text(value)]),
      Recordings.call(2, trailers: ["x": .text(value)]),
    ].map { ResponseIndex([$0]) }
    for var index in indexes {
      #expect(index.count == 0)
      #expect(index.omissions.first?.contains("the limit is 1048576") == true)
      let response = try index.response(to: "/test.Echo/Say", [[1]], now: Self.start)
      #expect(response.ending.contains(HeaderField("grpc-status", "15")))
    }
  }

  @Test func warnsAboutAClockThatWasSetBack() {
    let seconds: [Int64] = [400, 300, 500, 200]
    let calls = seconds.map { Recordings.call(UInt64($0), at: $0) }
    let warnings = ResponseIndex(calls, speed: 1).omissions
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("2 of the 4 calls") == true, "\(warnings)")
    #expect(ResponseIndex(calls).omissions.isEmpty)
    #expect(ResponseIndex(calls.suffix(2).reversed(), speed: 1).omissions.isEmpty)
  }

  @Test func callsWithoutACompleteRequestOrAnEndAreOmitted() throws {
    var cut = Self.call(Self.request("t"), response: 1)
    cut.requestIsTruncated = true
    var open = Self.call(Self.request("t"), response: 2)
    open.ending = nil
    var index = ResponseIndex([cut, open, Self.call(Self.request("t"), response: 3)])
    #expect(index.count == 1)
    #expect(index.omissions.count == 2)
    #expect(try Self.respond(&index, Self.request("t")) == 3)
  }

  // MARK: Loops and time

  @Test func loopRestartsTheSequence() throws {
    var index = ResponseIndex(
      (1...3).map { Self.call(Self.request("t"), response: $0) }, loops: true)
    let responses = try (1...7).map { _ in try Self.respond(&index, Self.request("t")) }
    #expect(responses == [1, 2, 3, 1, 2, 3, 1])
  }

  static func timed(
    _ responses: [(UInt8, GetTripRequest, second: Int64)], speed: Int = 1, loops: Bool = false
  ) -> ResponseIndex {
    let calls = responses.map { response, request, second in
      Recordings.call(
        UInt64(response), path, [request.serializedBytes()], responses: [[response]], at: second)
    }
    return ResponseIndex(calls, speed: speed, loops: loops)
  }

  static func respond(_ index: inout ResponseIndex, _ request: GetTripRequest, after second: Int)
    throws
    -> UInt8?
  {
    try respond(&index, path, request.serializedBytes(), after: .seconds(second))
  }

  static let route: [(UInt8, GetTripRequest, second: Int64)] = [
    (1, request("t"), 100), (2, request("t", version: 7), 110), (3, request("t", version: 8), 125),
  ]

  @Test func responseDependsOnTheTime() throws {
    var index = Self.timed(Self.route)
    let responses = try [0, 9, 10, 24, 25, 99].map {
      try Self.respond(&index, Self.request("t"), after: $0)
    }
    #expect(responses == [1, 1, 2, 2, 3, 3])
  }

  @Test func speedScalesTheTime() throws {
    var index = Self.timed(Self.route, speed: 10)
    let responses = try [0, 1, 2, 3].map { try Self.respond(&index, Self.request("t"), after: $0) }
    #expect(responses == [1, 2, 2, 3])
  }

  @Test func timedResponseIgnoresVersionStamps() throws {
    var index = Self.timed(Self.route)
    #expect(try Self.respond(&index, Self.request("t"), after: 0) == 1)
    #expect(try Self.respond(&index, Self.request("t", version: 8), after: 12) == 2)
    #expect(try Self.respond(&index, Self.request("t", language: "fr"), after: 13) == 2)
  }

  @Test func clockStartsWithTheFirstRequest() throws {
    var index = Self.timed(Self.route + [(9, Self.request("u"), 112)])
    #expect(try Self.respond(&index, Self.request("u"), after: 0) == 9)
    #expect(try Self.respond(&index, Self.request("t"), after: 0) == 2)
    #expect(try Self.respond(&index, Self.request("t"), after: 13) == 3)
  }

  @Test func loopRestartsTheClock() throws {
    var index = Self.timed(Self.route, loops: true)
    let responses = try [0, 25, 39, 40, 50, 79, 80].map {
      try Self.respond(&index, Self.request("t"), after: $0)
    }
    #expect(responses == [1, 3, 3, 1, 2, 3, 1])
  }

  @Test func emptyIntervalDoesNotLoop() throws {
    var index = Self.timed([(1, Self.request("t"), 100)], loops: true)
    let responses = try [0, 9].map { try Self.respond(&index, Self.request("t"), after: $0) }
    #expect(responses == [1, 1])
  }

  @Test func requestsOfUnknownMethodsAreComparedByBytes() throws {
    var index = ResponseIndex(
      [Recordings.call(1, at: 0), Recordings.call(2, responses: [[8]], at: 5)], speed: 1)
    let responses = try [0, 4, 5].map {
      try Self.respond(&index, "/test.Echo/Say", [1], after: .seconds($0))
    }
    #expect(responses == [7, 7, 8])
    #expect(throws: Refusal.self) { try Self.respond(&index, "/test.Echo/Say", [2]) }
  }

  @Test func countsTheRequiredMessages() throws {
    let chat = Recordings.call(
      1, "/test.Echo/Chat", [[1], [2], [3]],
      course: [
        (.request, 0), (.request, 0), (.response, 0), (.request, 0), (.halfClose, 0), (.ending, 0),
      ])
    var index = ResponseIndex([chat, Recordings.call(2)])
    #expect(try index.method("/test.Echo/Chat").requiredMessages == 2)
    #expect(try index.method("/test.Echo/Say").requiredMessages == TimedResponse.wholeRequest)
    #expect(throws: Refusal.self) { try index.method("/test.Echo/Shout").requiredMessages }
    let response = try index.response(to: "/test.Echo/Chat", [[1], [2]], now: Self.start)
    #expect(response.conversation == [[1], [2], [3]])
  }
}
