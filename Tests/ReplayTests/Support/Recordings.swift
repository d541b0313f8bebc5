import WireGRPC
import WireProtobuf

@testable import Recording

/// Recorded calls, by default of test.Echo/Say.
enum Recordings {
  typealias Kind = RecordedCall.Event.Kind

  /// Returns a unary or server-streaming call without delays.
  static func call(
    _ id: UInt64 = 1, _ method: String = "/test.Echo/Say", _ requests: [[UInt8]] = [[1]],
    headers: Metadata? = [:], responses: [[UInt8]] = [[7]], code: StatusCode = .ok,
    message: String = "", details: [UInt8] = [], trailers: Metadata = [:], at second: Int64? = nil
  ) -> RecordedCall {
    var course = requests.map { _ in (Kind.request, 0) } + [(.halfClose, 0)]
    if headers != nil { course.append((.headers, 0)) }
    course += responses.map { _ in (.response, 0) } + [(.ending, 0)]
    return call(
      id, method, requests, headers: headers, responses: responses, code: code, message: message,
      details: details, trailers: trailers, at: second, course: course)
  }

  /// - Parameter course: the events, each with the milliseconds since the previous event.
  static func call(
    _ id: UInt64 = 1, _ method: String = "/test.Echo/Say", _ requests: [[UInt8]] = [[1]],
    headers: Metadata? = [:], responses: [[UInt8]] = [[7]], code: StatusCode = .ok,
    message: String = "", details: [UInt8] = [], trailers: Metadata = [:], at second: Int64? = 0,
    course: [(Kind, Int)]
  ) -> RecordedCall {
    var call = RecordedCall(id: id, number: Int(id), method: method, authority: "localhost")
    call.time = second.map { Timestamp(seconds: $0) }
    call.requests = requests
    call.headers = headers
    call.responses = responses
    var elapsed: Int64 = 0
    call.events = course.map { kind, milliseconds in
      elapsed += Int64(milliseconds)
      let time = second.map {
        Timestamp(seconds: $0 + elapsed / 1000, nanos: Int32(elapsed % 1000) * 1_000_000)
      }
      return .init(kind: kind, time: time)
    }
    if course.contains(where: { $0.0 == .ending }) {
      call.ending = .init(
        code: code, message: message, details: details, trailers: trailers,
        time: call.events.last?.time)
    }
    return call
  }
}
