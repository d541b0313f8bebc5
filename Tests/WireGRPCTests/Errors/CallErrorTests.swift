import Testing
import WireHTTP2

@testable import WireGRPC

@Suite struct CallErrorTests {
  @Test(arguments: [
    (HTTP2ErrorCode.enhanceYourCalm, CallError.Cause?.some(.excessiveLoad)),
    (.inadequateSecurity, .inadequateSecurity), (.cancel, nil),
  ])
  func resetForLoadOrSecurityIsTheCause(code: HTTP2ErrorCode, cause: CallError.Cause?) {
    #expect(CallError.reset(code).cause == cause)
  }

  /// The codes listed in the Fleet Engine guides; the trip model defines the others.
  @Test func kindFollowsTheCode() {
    let recoverable: Set<StatusCode> = [
      .aborted, .cancelled, .deadlineExceeded, .unavailable, .unknown, .internal, .dataLoss,
      StatusCode(rawValue: 17),  // without a name: counts as UNKNOWN
    ]
    for number in 1...17 {
      let code = StatusCode(rawValue: number)
      let error = CallError(code: code, message: "", origin: .server)
      #expect(error.kind == (recoverable.contains(code) ? .serverOrNetwork : .client), "\(code)")
    }
  }

  /// A retry does not fix local errors, except a passed deadline and an interceptor that reports
  /// UNAVAILABLE.
  @Test func localErrorsAreClientErrors() {
    for number in 1...17 {
      let code = StatusCode(rawValue: number)
      let isTransient = code == .deadlineExceeded || code == .unavailable
      #expect(
        CallError.local(code, "").kind == (isTransient ? .serverOrNetwork : .client), "\(code)")
    }
  }

  @Test func invalidTargetIsALocalError() {
    let failure = ConnectionFailure(reason: .configuration, peer: "x", detail: "y")
    #expect(CallError(failure).kind == .client)
    #expect(CallError(failure).origin == .local)
  }

  @Test func nsErrorDomainIsGRPCs() {
    let error: any Error = CallError(code: .notFound, message: "no trip", origin: .server)
    #expect(error._domain == "io.grpc")
    #expect(error._code == 5)
  }

  @Test func reasonIsThatOfTheFirstErrorInfo() {
    var error = CallError(code: .permissionDenied, message: "", origin: .server)
    #expect(error.errorInfo == nil && error.reason == nil)
    let info = ErrorInfo(reason: "SERVICE_DISABLED", domain: "googleapis.com")
    error.details = [
      .retryInfo(RetryInfo()), .errorInfo(info), .errorInfo(ErrorInfo(reason: "OTHER")),
    ]
    #expect(error.errorInfo == info && error.reason == "SERVICE_DISABLED")
    error.details = [.errorInfo(ErrorInfo(domain: "googleapis.com"))]
    #expect(error.errorInfo?.domain == "googleapis.com" && error.reason == nil)
  }

  @Test func ignoresTheUnderlyingErrorInComparisons() {
    struct TestError: Error {}
    var error = CallError(code: .cancelled, message: "", origin: .local)
    let bare = error
    error.underlyingError = TestError()
    #expect(error.underlyingError is TestError)
    #expect(error == bare && error.hashValue == bare.hashValue)
  }

  @Test func describesCallPeerAndAttempt() {
    var error = CallError(code: .notFound, message: "no trip", origin: .server)
    #expect(error.description == "NOT_FOUND: no trip")
    error.path = "/s/m"
    #expect(error.description == "NOT_FOUND: no trip (/s/m, never sent)")
    error.peer = "127.0.0.1:1"
    error.attempts = 2
    #expect(error.description == "NOT_FOUND: no trip (/s/m at 127.0.0.1:1, attempt 2)")
  }

  @Test func describesTheFirstAttempt() {
    var error = CallError(
      code: .notFound, message: "no trip", origin: .server, attempts: 3,
      earlierAttempts: [
        FailedAttempt(code: .unavailable, message: "down", delay: .zero),
        FailedAttempt(code: .unavailable, message: "still down", delay: .zero),
      ], path: "/s/m")
    #expect(
      error.description
        == "NOT_FOUND: no trip (/s/m, attempt 3; the first failed: UNAVAILABLE: down)")
    error.attempts = 0
    error.code = .unavailable
    error.message = "down"
    #expect(error.description == "UNAVAILABLE: down (/s/m, never sent in 3 attempts)")
  }
}
