import Testing

@testable import WireGRPC
@testable import WireHTTP2

@Suite struct StatusCodeTests {
  @Test func usesTheNamesOfGoogleRPC() {
    #expect(StatusCode.ok.description == "OK")
    #expect(StatusCode.notFound.description == "NOT_FOUND")
    #expect(StatusCode.unauthenticated.description == "UNAUTHENTICATED")
    #expect(StatusCode.unauthenticated.rawValue == 16)
  }

  @Test func keepsNumbersWithoutAName() {
    #expect(StatusCode(rawValue: 42).rawValue == 42)
    #expect(StatusCode(rawValue: 42).description == "CODE_42")
    #expect(StatusCode(rawValue: -1).description == "CODE_-1")
  }

  @Test(
    "http-grpc-status-mapping.md",
    arguments: [
      (400, StatusCode.internal), (401, .unauthenticated), (403, .permissionDenied),
      (404, .unimplemented), (429, .unavailable), (502, .unavailable), (503, .unavailable),
      (504, .unavailable), (431, .unknown), (200, .unknown), (500, .unknown), (302, .unknown),
      (0, .unknown),
    ])
  func mapsHTTPStatuses(_ status: Int, _ code: StatusCode) {
    #expect(StatusCode(httpStatus: status) == code)
  }

  @Test(
    "PROTOCOL-HTTP2, Errors",
    arguments: [
      (HTTP2ErrorCode.noError, StatusCode.internal), (.protocolError, .internal),
      (.internalError, .internal), (.flowControlError, .internal), (.settingsTimeout, .internal),
      (.streamClosed, .internal), (.frameSizeError, .internal), (.refusedStream, .unavailable),
      (.cancel, .cancelled), (.compressionError, .internal), (.connectError, .internal),
      (.enhanceYourCalm, .resourceExhausted), (.inadequateSecurity, .permissionDenied),
      (.http11Required, .internal), (HTTP2ErrorCode(rawValue: 99), .unknown),
    ])
  func mapsResetCodes(_ errorCode: HTTP2ErrorCode, _ code: StatusCode) {
    #expect(StatusCode(resetWith: errorCode) == code)
  }
}
