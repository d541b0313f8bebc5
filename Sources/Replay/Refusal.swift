import WireGRPC

/// Why a request gets an answer that was not recorded.
struct Refusal: Error, Hashable {
  /// 200 unless the request is no gRPC at all.
  var httpStatus: Int
  var code: StatusCode
  var message: String

  init(_ code: StatusCode, _ message: String, httpStatus: Int = 200) {
    self.httpStatus = httpStatus
    self.code = code
    self.message = message
  }
}
