import FleetEngineAPI
import Testing
import WireGRPC
import WireHTTP2
import WireProtobuf

@testable import Recording
@testable import Replay

@Suite struct AnswerBookTests {
  static let path = TripServiceMethods.getTrip.path

  static func request(
    _ name: String, language: String? = nil, version: Int64? = nil, view: TripView = .unspecified
  ) -> GetTripRequest {
    var request = GetTripRequest()
    request.name = name
    request.view = view
    if let language {
      var header = RequestHeader()
      header.languageCode = language
      request.header = header
    }
    if let version {
      var time = Timestamp()
      time.seconds = version
      request.currentRouteSegmentVersion = time
    }
    return request
  }

  static func call(_ request: GetTripRequest, answer: UInt8) -> RecordedCall {
    Recordings.call(UInt64(answer), path, [request.serializedBytes()], responses: [[answer]])
  }

  /// The byte that answers.
  static func ask(_ book: inout AnswerBook, _ request: GetTripRequest) throws -> UInt8? {
    try book.answer(to: path, [request.serializedBytes()]).body.last
  }

  @Test func playsAnswersToTheSameRequestInOrderAndRepeatsTheLast() throws {
    var book = AnswerBook((1...3).map { Self.call(Self.request("t"), answer: $0) })
    let answers = try (1...5).map { _ in try Self.ask(&book, Self.request("t")) }
    #expect(answers == [1, 2, 3, 3, 3])
  }

  @Test func prefersTheExactRequest() throws {
    let first = Self.request("t", language: "en")
    let second = Self.request("t", language: "fr", version: 5)
    var book = AnswerBook([Self.call(first, answer: 1), Self.call(second, answer: 2)])
    #expect(try Self.ask(&book, second) == 2)
    #expect(try Self.ask(&book, second) == 2)
    #expect(try Self.ask(&book, first) == 1)
  }

  @Test func overlooksWhoAsksAndWhatTheyHave() throws {
    let full = Self.request("t", language: "en", version: 1, view: .sdk)
    let other = Self.request("t", view: .journeySharingV1s)
    var book = AnswerBook([Self.call(other, answer: 1), Self.call(full, answer: 2)])
    #expect(try Self.ask(&book, Self.request("t", language: "fr", version: 9, view: .sdk)) == 2)
  }

  @Test func overlooksTheOrderOfFields() throws {
    let plain = Self.request("t", view: .sdk)
    let bytes = plain.serializedBytes()
    var book = AnswerBook([Self.call(plain, answer: 1)])
    // view, then name.
    let turned = [UInt8](bytes.suffix(2) + bytes.dropLast(2))
    #expect(try GetTripRequest(serializedBytes: turned) == plain)
    #expect(try book.answer(to: Self.path, [turned]).body.last == 1)
  }

  @Test func fallsBackToTheNameAlone() throws {
    var book = AnswerBook([
      Self.call(Self.request("a"), answer: 1), Self.call(Self.request("b"), answer: 2),
    ])
    #expect(try Self.ask(&book, Self.request("b", view: .sdk)) == 2)
  }

  @Test func asksForTheCreatedByTheNameItGets() throws {
    var request = CreateTripRequest()
    request.parent = "providers/p"
    request.tripId = "t1"
    let path = TripServiceMethods.createTrip.path
    var book = AnswerBook([Recordings.call(1, path, [request.serializedBytes()])])
    request.trip = Trip()
    #expect(try book.answer(to: path, [request.serializedBytes()]).body.last == 7)
    request.tripId = "t2"
    let refusal = try #require(throws: Refusal.self) {
      try book.answer(to: path, [request.serializedBytes()])
    }
    #expect(refusal.message.contains("providers/p/trips/t1"))
  }

  @Test func refusesWhatIsNotThere() throws {
    var book = AnswerBook([Self.call(Self.request("providers/p/trips/t1"), answer: 1)])
    let missing = try #require(throws: Refusal.self) { try Self.ask(&book, Self.request("t2")) }
    #expect(missing.code == .notFound)
    #expect(missing.message == "t2 is not in this recording, which has providers/p/trips/t1")
    let garbage = try #require(throws: Refusal.self) { try book.answer(to: Self.path, [[0xff]]) }
    #expect(garbage.code == .notFound)
    let method = try #require(throws: Refusal.self) {
      try book.answer(to: TripServiceMethods.deleteTrip.path, [[]])
    }
    #expect(method.code == .unimplemented)
    #expect(method.message.hasSuffix("which has \(Self.path)"))
  }

  @Test func tellsOfATruncatedAnswerInItsPlace() throws {
    var cut = Self.call(Self.request("t"), answer: 2)
    cut.answerIsTruncated = true
    var book = AnswerBook([Self.call(Self.request("t"), answer: 1), cut])
    #expect(book.count == 1)
    #expect(book.omissions.count == 1)
    #expect(try Self.ask(&book, Self.request("t")) == 1)
    let answer = try book.answer(to: Self.path, [Self.request("t").serializedBytes()])
    #expect(answer.headers.contains { $0.name == "grpc-status" && $0.value == "15" })
    #expect(
      answer.headers.contains {
        $0.name == "grpc-message" && $0.value.contains("payload_truncated")
      })
  }

  @Test func leavesOutCallsWithoutAWholeRequestOrAnEnd() throws {
    var cut = Self.call(Self.request("t"), answer: 1)
    cut.requestIsTruncated = true
    var open = Self.call(Self.request("t"), answer: 2)
    open.ending = nil
    var book = AnswerBook([cut, open, Self.call(Self.request("t"), answer: 3)])
    #expect(book.count == 1)
    #expect(book.omissions.count == 2)
    #expect(try Self.ask(&book, Self.request("t")) == 3)
  }
}
