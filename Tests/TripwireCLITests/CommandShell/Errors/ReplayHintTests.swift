import Recording
import Testing

@testable import CommandShell
@testable import WireGRPC

/// Hints about the server of --replay: --endpoint cannot be used with it, it ignores tokens, and nothing was
/// deleted.
@Suite struct ReplayHintTests {
  private func hint(
    for error: CallError, about subject: Hint.Subject = .resource("n"), hasToken: Bool = true
  ) -> String? {
    Hint.testText(for: error, about: subject, hasToken: hasToken, source: .replay)
  }

  @Test(
    arguments: [
      (
        .unimplemented, .method,
        .method("maps.fleetengine.v1.TripService/SearchTrips"),
        "use a recording or a script with calls of this method, or leave out --replay to call Fleet Engine"
      ),
      (
        .unimplemented, .method, .method("a.S/M"),
        "use a recording or a script with calls of this method, or pass --endpoint instead of --replay"
      ),
      (
        .notFound, .resource, .resource("n"),
        "use a name that is in the file of --replay"
      ),
      (
        .notFound, .provider,
        .method("maps.fleetengine.v1.TripService/SearchTrips"),
        "use a provider that is in the file of --replay"
      ),
      (
        .notFound, .request, .resource("n"),
        "make the same request as in the file of --replay"
      ),
    ] as [(StatusCode, ReplayMiss, Hint.Subject, String)])
  func missingContentIsThatOfTheFile(
    code: StatusCode, miss: ReplayMiss, subject: Hint.Subject, text: String
  ) {
    var error = CallError.fromServer(code)
    error.trailers = [ReplayMiss.trailer: .text(miss.rawValue)]
    #expect(hint(for: error, about: subject) == text)
  }

  @Test func recordedMessageIsNotAMissingName() {
    #expect(
      hint(for: .fromServer(.notFound, "n is not in this recording, which has m"))
        == "leave out --replay to call Fleet Engine: the server of --replay sent this error")
  }

  @Test(arguments: [
    StatusCode.invalidArgument, .notFound, .resourceExhausted, .unimplemented, .unavailable,
    .internal, StatusCode(rawValue: 77),
  ])
  func recordedStatusIsNoProblemOfAServer(code: StatusCode) {
    #expect(
      hint(for: .fromServer(code, "busy"))
        == "leave out --replay to call Fleet Engine: the server of --replay sent this error")
  }

  @Test func errorOfAReplayedServiceSuggestsAnEndpoint() {
    let subject = Hint.Subject.method("grpc.health.v1.Health/Check")
    #expect(
      hint(for: .fromServer(.notFound, "unknown service"), about: subject, hasToken: false)
        == "pass --endpoint instead of --replay: the server of --replay sent this error")
  }

  @Test(arguments: [CallError.Origin.local, .server])
  func replayedCallWithoutAnEndIsAProblemOfTheFile(origin: CallError.Origin) {
    let error = CallError(code: .deadlineExceeded, message: "", origin: origin, attempts: 1)
    #expect(
      hint(for: error)
        == "check how the call ends in the file of --replay, or raise --timeout")
  }

  @Test(arguments: [StatusCode.permissionDenied, .unauthenticated], [false, true])
  func recordedRefusalIsNotATokenProblem(code: StatusCode, hasToken: Bool) {
    #expect(
      hint(for: .fromServer(code), hasToken: hasToken)
        == "leave out --replay to call Fleet Engine: the server of --replay sent this error, and it"
        + " ignores tokens")
  }
}
