import Testing
import WireGRPC
import WireHTTP2

@testable import Recording
@testable import Replay

@Suite struct AnswerTests {
  @Test func saysWhatWasRecorded() throws {
    let answer = try Answer(
      Recordings.call(
        headers: ["x-first": "a", "x-bytes-bin": .binary([0, 255])], responses: [[1, 2], []],
        trailers: ["x-last": "z"]))
    #expect(
      answer.headers == [
        HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
        HeaderField("x-first", "a"), HeaderField("x-bytes-bin", "AP8"),
      ])
    #expect(answer.body == [0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0])
    #expect(answer.trailers == [HeaderField("grpc-status", "0"), HeaderField("x-last", "z")])
  }

  @Test func sendsTrailersAloneWhenTheyWereRecordedAlone() throws {
    let answer = try Answer(
      Recordings.call(
        headers: nil, responses: [], code: .notFound, message: "no trip ☃, 100%",
        details: [8, 5], trailers: ["x-last": "z"]))
    #expect(
      answer.headers == [
        HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
        HeaderField("grpc-status", "5"),
        HeaderField("grpc-message", "no trip %E2%98%83, 100%25"),
        HeaderField("grpc-status-details-bin", "CAU"), HeaderField("x-last", "z"),
      ])
    #expect(answer.body.isEmpty)
    #expect(answer.trailers == nil)
  }

  @Test func sendsHeadersBeforeMessagesEvenIfNoneWereRecorded() throws {
    let answer = try Answer(Recordings.call(headers: nil, responses: [[1]]))
    #expect(answer.headers.count == 2)
    #expect(answer.trailers == [HeaderField("grpc-status", "0")])
  }

  @Test func keepsAStatusWithoutAName() throws {
    let answer = try Answer(Recordings.call(code: StatusCode(rawValue: 42)))
    #expect(answer.trailers == [HeaderField("grpc-status", "42")])
  }

  @Test func refusesWhatIsNotWhole() {
    var call = Recordings.call()
    call.requestIsTruncated = true
    #expect(throws: Answer.Flaw.truncatedRequest) { try Answer(call) }
    call = Recordings.call()
    call.answerIsTruncated = true
    #expect(throws: Answer.Flaw.truncatedAnswer) { try Answer(call) }
    call = Recordings.call()
    call.ending = nil
    #expect(throws: Answer.Flaw.unfinished) { try Answer(call) }
  }

  @Test func makesARefusalTrailersOnly() {
    let answer = Answer(Refusal(.unknown, "100%", httpStatus: 415))
    #expect(answer.headers.first == HeaderField(":status", "415"))
    #expect(answer.headers.contains(HeaderField("grpc-status", "2")))
    #expect(answer.headers.contains(HeaderField("grpc-message", "100%25")))
    #expect(answer.trailers == nil)
  }
}
