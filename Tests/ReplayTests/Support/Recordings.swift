import WireGRPC

@testable import Recording

/// Calls as a log would tell them, of methods that are not Fleet Engine's unless said.
enum Recordings {
  static func call(
    _ id: UInt64 = 1, _ method: String = "/test.Echo/Say", _ requests: [[UInt8]] = [[1]],
    headers: Metadata? = [:], responses: [[UInt8]] = [[7]], code: StatusCode = .ok,
    message: String = "", details: [UInt8] = [], trailers: Metadata = [:]
  ) -> RecordedCall {
    var call = RecordedCall(id: id, method: method, authority: "localhost")
    call.requests = requests.map { .init(bytes: $0) }
    call.headers = headers
    call.responses = responses.map { .init(bytes: $0) }
    call.ending = .init(code: code, message: message, details: details, trailers: trailers)
    return call
  }
}
