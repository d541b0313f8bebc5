import CommandLine
import Testing

@testable import CommandShell
@testable import Tripwire
@testable import WireGRPC

@Suite struct ErrorReportTests {
  private func report(
    _ code: StatusCode, _ message: String, _ details: [ErrorDetail] = [], attempts: Int = 1,
    hint: String? = nil
  ) -> ErrorReport {
    ErrorReport(
      CallError(
        code: code, message: message, details: details, origin: .server, attempts: attempts),
      hint: hint)
  }

  @Test func showsCodeMessageKindAndHint() {
    let report = report(.notFound, "no such trip: t1", hint: "check the name")
    #expect(
      report.text == """
        error: NOT_FOUND: no such trip: t1
        client error: retrying will not help
        hint: check the name

        """)
    #expect(report.exitCode == ExitCode(rawValue: 69))
  }

  /// A reason on this machine has the same exit code when it is found before a call and in a call.
  @Test(
    arguments: [
      (.unreadable(path: "t.jwt", reason: "no"), 1), (.badKey(origin: "k.json", reason: "no"), 1),
      (.cannotSign(origin: "k.json", type: "authorized_user"), 1), (.noCredentials, 1),
      (.badClaim(name: "tripid", reason: "is empty"), 1),
      (.endpointFailed(place: "u", reason: TokenError.Reason("no", action: "a", isLocal: true)), 1),
      (.endpointFailed(place: "u", reason: TokenError.Reason("no", action: "a")), 80),
      (.commandFailed(program: "", reason: "failed"), 80), (.empty, 80), (.none, 80),
      (.invalidResponse(reason: "not JSON"), 80),
    ] as [(TokenError, Int32)])
  func missingTokenHasTheExitCodeOfItsReason(reason: TokenError, code: Int32) {
    var error = CallError(
      code: .unauthenticated, message: "\(reason)", origin: .local, path: "/a.S/M")
    error.underlyingError = reason
    let report = ErrorReport(
      error,
      Hint(
        endpoint: "h:1", subject: .reflection, hasToken: true, tokenOption: "--sign-as",
        sources: ["sign-as": .variable("TRIPWIRE_SIGN_AS")]))
    #expect(report.exitCode.rawValue == code)
    #expect(report.kind == (code == 1 ? .local : .client))
    #expect(report.json.contains(#""code":null"#) == (code == 1))
    #expect(report.message == "TRIPWIRE_SIGN_AS: \(reason.problem)")
  }

  @Test func showsWhetherARetryMayHelpAndTheNumberOfAttempts() {
    #expect(
      report(.unavailable, "", attempts: 3).text == """
        error: UNAVAILABLE
        server/network error: retrying may help (tried 3 times)

        """)
  }

  @Test(arguments: [StatusCode.unknown, .internal, .dataLoss])
  func retryingMayNotHelp(code: StatusCode) {
    #expect(
      report(code, "").text == """
        error: \(code)
        server/network error: retrying is unlikely to help

        """)
  }

  @Test func showsTheErrorsOfEarlierAttempts() {
    let report = ErrorReport(
      CallError(
        code: .unavailable, message: "down", origin: .server, attempts: 2,
        earlierAttempts: [
          FailedAttempt(code: .unavailable, message: "lost\u{7}", peer: "h:1", delay: .seconds(1))
        ]), hint: nil)
    #expect(
      report.text == """
        error: UNAVAILABLE: down
          attempt 1 at h:1: UNAVAILABLE: lost\\u{7}
        server/network error: retrying may help (tried 2 times)

        """)
    #expect(
      report.json == #"{"code":"UNAVAILABLE","number":14,"message":"down","details":[],"#
        + #""kind":"server/network","attempts":2,"earlierAttempts":[{"code":"UNAVAILABLE","#
        + #""message":"lost\u0007","peer":"h:1"}]}"# + "\n")
  }

  /// The lines of the attempts. The last one failed at h:1 with UNAVAILABLE.
  private func attemptLines(
    _ earlier: (message: String, peer: String?)..., last: String = "down"
  ) -> [Substring] {
    let attempts = earlier.map {
      FailedAttempt(code: .unavailable, message: $0.message, peer: $0.peer, delay: .seconds(1))
    }
    let error = CallError(
      code: .unavailable, message: last, origin: .server, attempts: earlier.count + 1,
      earlierAttempts: attempts, peer: "h:1")
    return ErrorReport(error, hint: nil).text.split(separator: "\n").dropFirst().dropLast()
  }

  @Test func equalAttemptsAreOneLine() {
    let down = (message: "down", peer: "h:1" as String?)
    let lost = (message: "lost", peer: "h:1" as String?)
    #expect(attemptLines(down) == ["  both attempts: down"])
    #expect(attemptLines(down, down, down) == ["  all 4 attempts: down"])
    #expect(attemptLines(("", "h:1"), last: "") == ["  both attempts: UNAVAILABLE"])
    #expect(attemptLines(("down", nil)) == ["  both attempts: down"])
    #expect(
      attemptLines(down, down, lost, down) == [
        "  attempts 1 to 2 at h:1: UNAVAILABLE: down", "  attempt 3 at h:1: UNAVAILABLE: lost",
        "  attempt 4 at h:1: UNAVAILABLE: down",
      ])
    #expect(attemptLines(("down", "h:2")) == ["  attempt 1 at h:2: UNAVAILABLE: down"])
  }

  @Test func showsMethodPeerAndAttempt() {
    var error = CallError(
      code: .notFound, message: "no", origin: .server, attempts: 2, peer: "10.0.0.1:443",
      path: "/s.S/M\u{7}")
    #expect(
      ErrorReport(error, hint: nil).text.contains(
        "\n  in s.S/M\\u{7} at 10.0.0.1:443, attempt 2\n"))
    #expect(
      ErrorReport(error, hint: nil).json.contains(
        #""kind":"client","method":"s.S/M\u0007","peer":"10.0.0.1:443","attempts":2}"#))
    error.peer = nil
    error.attempts = 0
    #expect(ErrorReport(error, hint: nil).text.contains("\n  in s.S/M\\u{7}, never sent\n"))
    error.connectionFailure = ConnectionFailure(reason: .refused, peer: "h:1", detail: "refused")
    #expect(ErrorReport(error, hint: nil).text.contains("\n  in s.S/M\\u{7} at h:1, never sent\n"))
    #expect(ErrorReport(error, hint: nil).json.contains(#","peer":"h:1","#))
    error.message = "no connection to h:1: refused"
    #expect(ErrorReport(error, hint: nil).text.contains("\n  in s.S/M\\u{7}, never sent\n"))
  }

  @Test func showsTheResource() {
    var report = ErrorReport(
      CallError(
        code: .notFound, message: "no", origin: .server, attempts: 1, peer: "h:1", path: "/s.S/M"),
      hint: nil)
    report.subject = "providers/p/trips/t"
    #expect(report.text.contains("\n  in s.S/M of providers/p/trips/t at h:1, attempt 1\n"))
    #expect(report.json.contains(#""method":"s.S/M","name":"providers/p/trips/t","peer":"h:1","#))
  }

  @Test func countsAttemptsToConnect() {
    let failed = FailedAttempt(code: .unavailable, message: "no connection", delay: .zero)
    let error = CallError(
      code: .unavailable, message: "no connection", origin: .transport,
      earlierAttempts: [failed, failed])
    #expect(ErrorReport(error, hint: nil).text.contains("(tried 3 times)"))
  }

  @Test func configurationErrorIsNotRetryable() {
    let failure = ConnectionFailure(
      reason: .plaintextPeer, peer: "h:1", detail: "the peer does not speak TLS")
    let error = CallError(
      code: .unavailable, message: "no connection to \(failure)", origin: .transport,
      connectionFailure: failure)
    #expect(
      ErrorReport(error, hint: "add --plaintext").text == """
        error: UNAVAILABLE: no connection to h:1: the peer does not speak TLS
        server/network error: retrying will not help
        hint: add --plaintext

        """)
  }

  @Test func errorBeforeConnectingIsLocal() {
    let failure = ConnectionFailure(reason: .configuration, peer: "h:1", detail: "no such file")
    let report = ErrorReport(
      CallError(
        code: .unavailable, message: "h:1: no such file", origin: .local,
        connectionFailure: failure), hint: "check --cacert")
    #expect(report.text == "error: h:1: no such file\nhint: check --cacert\n")
    #expect(report.exitCode == .localFailure)
    #expect(report.json.contains(#""code":null,"number":null"#))
  }

  @Test func describesDetailsOfAQuotaError() {
    let retry = RetryInfo(retryDelay: WireDuration(seconds: 2, nanos: 500_000_000))

    let violation = QuotaFailure.Violation(
      subject: "project:p", description: "GetTrip requests per minute",
      quotaMetric: "fleetengine.googleapis.com/get_trip", quotaId: "PerMinute",
      quotaDimensions: ["region": "us", "a": "b"], quotaValue: 600)
    let quota = QuotaFailure(violations: [violation])

    let info = ErrorInfo(
      reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com",
      metadata: ["service": "fleetengine.googleapis.com", "consumer": "projects/1"])

    let help = Help(links: [Help.Link(description: "Quotas", url: "https://example.com/quota")])

    #expect(
      report(
        .resourceExhausted, "Quota exceeded",
        [.retryInfo(retry), .quotaFailure(quota), .errorInfo(info), .help(help)]
      ).text == """
        error: RESOURCE_EXHAUSTED: Quota exceeded
          retry after 2.5 s
          quota project:p: GetTrip requests per minute (fleetengine.googleapis.com/get_trip, \
        PerMinute, limit 600, a=b, region=us)
          reason RATE_LIMIT_EXCEEDED (domain googleapis.com)
          consumer: projects/1
          service: fleetengine.googleapis.com
          see https://example.com/quota (Quotas)
        client error: retrying at once will not help

        """)
  }

  /// A request that is too large stays so.
  @Test(arguments: [
    ("Quota exceeded", "retrying at once will not help"),
    ("grpc: received message larger than max (5 vs. 4)", "retrying will not help"),
  ])
  func onlyAQuotaAllowsALaterRetry(message: String, advice: String) {
    #expect(report(.resourceExhausted, message).text.hasSuffix("client error: \(advice)\n"))
  }

  @Test(arguments: [
    (
      CallError.transport(.resourceExhausted, "", cause: .excessiveLoad),
      "client error: retrying at once will not help"
    ),
    (
      .transport(.resourceExhausted, "the server's headers are too long: 1 MB"),
      "client error: retrying will not help"
    ),
    (
      .transport(
        .unimplemented, "the server returned OK without a message", cause: .wrongMessageCount),
      "server/network error: retrying is unlikely to help"
    ),
    (
      .transport(.unimplemented, "the server returned HTTP status 404"),
      "client error: retrying will not help"
    ),
  ])
  func errorsOfTheTransportNameTheSideAtFault(error: CallError, advice: String) {
    #expect(ErrorReport(error, hint: nil).text.hasSuffix("\n\(advice)\n"))
  }

  @Test func describesTheOtherKindsOfDetails() {
    let field = BadRequest.FieldViolation(
      field: "name", description: "must match providers/*/trips/*", reason: "INVALID_NAME")
    let request = BadRequest(fieldViolations: [field])

    let condition = PreconditionFailure.Violation(
      type: "TRIP_STATE", subject: "t1", description: "is active")
    let precondition = PreconditionFailure(violations: [condition])

    let resource = ResourceInfo(
      resourceType: "trip", resourceName: "t1", owner: "project:p", description: "gone")

    let call = RequestInfo(requestId: "r-17")

    let localized = LocalizedMessage(locale: "fr-CH", message: "Aucun trajet")

    let debug = DebugInfo(stackEntries: ["a.cc:1", "b.cc:2"], detail: "boom")

    let other = AnyMessage(typeUrl: "type.googleapis.com/x.Y", value: [1, 2, 3])

    #expect(
      report(
        .failedPrecondition, "no",
        [
          .badRequest(request), .preconditionFailure(precondition), .resourceInfo(resource),
          .requestInfo(call), .localizedMessage(localized), .debugInfo(debug), .other(other),
        ]
      ).text == """
        error: FAILED_PRECONDITION: no
          field name: must match providers/*/trips/* (reason INVALID_NAME)
          precondition TRIP_STATE of t1: is active
          resource trip t1 (owner project:p): gone
          request ID r-17
          Aucun trajet (fr-CH)
          debug: boom
            at a.cc:1
            at b.cc:2
          detail of type type.googleapis.com/x.Y (3 bytes, not shown)
        client error: retrying will not help

        """)
  }

  @Test func textFromThePeerIsEscaped() {
    let info = ErrorInfo(reason: "A\nerror: forged")
    let text = report(.unknown, "\u{1b}[2Jgone\nerror: forged", [.errorInfo(info)]).text
    #expect(
      text == """
        error: UNKNOWN: \\u{1b}[2Jgone\\nerror: forged
          reason A\\nerror: forged
        server/network error: retrying is unlikely to help

        """)
  }

  @Test func jsonIsOneObject() {
    var report = report(.notFound, "no \"trip\" \u{1b}é\n\u{9b}", attempts: 2, hint: "look")
    report.warnings = ["careful"]
    #expect(
      report.json == #"{"code":"NOT_FOUND","number":5,"message":"no \"trip\" \u001bé\n\u009b","#
        + #""details":[],"kind":"client","attempts":2,"warnings":["careful"],"hint":"look"}"#
        + "\n")
  }

  @Test(arguments: [
    (Metadata.Value.text("@@"), true), (.binary([0xff]), true), (.binary([]), false),
    (.binary([8, 5]), false),
  ])
  func invalidDetailsAreReported(value: Metadata.Value, isReported: Bool) {
    var error = CallError(code: .notFound, message: "no", origin: .server, attempts: 1)
    error.trailers.append(unchecked: "grpc-status-details-bin", value, isSensitive: false)
    let remark = " (grpc-status-details-bin is not a google.rpc.Status in Base64)"
    #expect(
      ErrorReport(error, hint: nil).text.hasPrefix(
        "error: NOT_FOUND: no\(isReported ? remark : "")\n"))
  }

  @Test func namesUnknownCodes() {
    let report = report(StatusCode(rawValue: 42), "odd")
    #expect(
      report.text.hasPrefix(
        "error: UNKNOWN: odd (grpc-status is 42, which is not a gRPC code)\n"))
    #expect(report.text.contains("server/network error: retrying is unlikely to help"))
    #expect(report.json.hasPrefix(#"{"code":"CODE_42","number":42,"#))
    #expect(report.exitCode == ExitCode(rawValue: 66))
  }
}
