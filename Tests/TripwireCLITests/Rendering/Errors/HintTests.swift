import Testing

@testable import Tripwire
@testable import TripwireCLI
@testable import WireGRPC

@Suite struct HintTests {
  private func hint(_ reason: ConnectionFailure.Reason) -> String? {
    let failure = ConnectionFailure(reason: reason, peer: "h:1", detail: "")
    return Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true).text(
      for: CallError(
        code: .unavailable, message: "", origin: .transport, connectionFailure: failure))
  }

  @Test(
    arguments: [
      (.nameNotResolved, "--endpoint"), (.refused, "--endpoint"), (.unreachable, "--endpoint"),
      (.timedOut, "--timeout"), (.tlsPeer, "remove --plaintext"),
      (.noALPN, "proxy"), (.noCommonTLS, "TLS 1.3"), (.http1Peer, "check the port in --endpoint"),
      (.closedUnanswered, "remove --plaintext"), (.plaintextPeer, "add --plaintext"),
      (.http1Peer, "--endpoint"), (.notHTTP2, "--endpoint"), (.noALPN, "--endpoint"),
      (.untrustedCertificate("self-signed"), "--cacert FILE"),
      (.expiredCertificate, "renew the certificate of the server, or correct the clock of"),
      (.notYetValidCertificate, "correct the clock of this machine, or replace the certificate"),
      (
        .hostnameMismatch(expected: "h", names: ["*.example.com", "fleet.example.com"]),
        "check the host in --endpoint (h:1): this server may be another one (for tests only,"
          + " accept it: --authority fleet.example.com)"
      ),
      (.hostnameMismatch(expected: "h", names: []), "with a subjectAltName for h (for tests only"),
      (.hostnameMismatch(expected: "h", names: ["h", "f*.example"]), "--authority NAME)"),
      (.tlsAlert("handshake_failure"), "-v"), (.closed, "listens at h:1"),
      (.configuration, "--authority"), (.proxyTimedOut, "check that the proxy works"),
      (.protocolViolation, "contact its operator"), (.plaintextProxy, "use http://"),
      (.untrustedProxyCertificate, "--cacert FILE"),
    ] as [(ConnectionFailure.Reason, String)])
  func namesTheOptionToChange(reason: ConnectionFailure.Reason, option: String) {
    #expect(hint(reason)?.contains(option) == true, "\(hint(reason) ?? "")")
  }

  @Test(
    arguments: [
      (.option, "check that the server is running, and check the port in --endpoint (h:1)"),
      (
        .variable, "check that the server is running, and check the port in TRIPWIRE_ENDPOINT (h:1)"
      ),
      (.standard, "check that this machine can reach h:1"),
    ] as [(EndpointSource, String)])
  func namesTheSourceOfTheEndpoint(source: EndpointSource, text: String) {
    var hint = Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true)
    hint.endpointSource = source
    let failure = ConnectionFailure(reason: .refused, peer: "h:1", detail: "")
    #expect(hint.text(for: CallError(failure)) == text)
  }

  @Test(
    arguments: [
      (400, "ask the operator of the proxy to allow h:1"), (500, "ask the operator"),
      (501, "use a proxy that supports CONNECT"), (502, "the proxy cannot reach it"),
      (504, "the proxy cannot reach it"), (505, "ask the operator"),
    ])
  func statusOfTheProxySelectsTheHint(status: Int, part: String) {
    let text = hint(.proxyRefused(status: status))
    #expect(text?.contains(part) == true, "\(text ?? "")")
  }

  /// --endpoint cannot be used with --replay, and nothing was deleted.
  @Test(
    arguments: [
      (
        .unimplemented, "/a.S/M is not in this recording, which has /a.S/N",
        .method("maps.fleetengine.v1.TripService/SearchTrips"),
        "use a recording or a script with calls of this method, or leave out --replay to call Fleet Engine"
      ),
      (
        .unimplemented, "/a.S/M is not in this recording, which has /a.S/N", .method("a.S/M"),
        "use a recording or a script with calls of this method, or pass --endpoint instead of --replay"
      ),
      (
        .notFound, "n is not in this recording, which has m", .resource("n"),
        "use a name that is in the file of --replay"
      ),
      (
        .notFound, "providers/p is not in this recording, which has providers/q",
        .method("maps.fleetengine.v1.TripService/SearchTrips"),
        "use a provider that is in the file of --replay"
      ),
      (
        .notFound, "this request for n is not in this script: view differs", .resource("n"),
        "make the same request as in the file of --replay"
      ),
    ] as [(StatusCode, String, Hint.Subject, String)])
  func replayHasItsOwnHints(
    code: StatusCode, message: String, subject: Hint.Subject, text: String
  ) {
    var hint = Hint(endpoint: "h:1", subject: subject, hasToken: true)
    hint.endpointSource = .replay
    let error = CallError(code: code, message: message, origin: .server, attempts: 1)
    #expect(hint.text(for: error) == text)
  }

  @Test(
    arguments: [
      (
        "providers/p/trips/t", "TripService/UpdateTrip", nil,
        "check that providers/p/trips/t exists"
      ),
      (
        "providers/p/tasks/t", "DeliveryService/DeleteTask", "t",
        "check that providers/p/tasks/t exists"
      ),
      (
        "providers/p/trips/t", "TripService/UpdateTrip", "providers/p/vehicles/v",
        "check that providers/p/vehicles/v exists"
      ),
      ("providers/p/trips/t", "TripService/CreateTrip", nil, "check the names in the request"),
      (
        "providers/p/vehicles/v", "VehicleService/UpdateVehicleAttributes", nil,
        "check providers/p/vehicles/v; if it is right, create the vehicle again, with back-off: Fleet"
          + " Engine can lose vehicles"
      ),
      (
        "providers/p/deliveryVehicles/v", "DeliveryService/UpdateDeliveryVehicle", nil,
        "check providers/p/deliveryVehicles/v; if it is right, create the delivery vehicle again"
      ),
      (
        "providers/p/tasks/t", "DeliveryService/UpdateTask", nil,
        "check providers/p/tasks/t; if it is right, create the task again"
      ),
      (
        "providers/p/vehicles/v", "VehicleService/UpdateVehicle", "providers/p/trips/t",
        "check that providers/p/trips/t exists"
      ),
      (
        "providers/p/vehicles/v", "VehicleService/DeleteVehicle", nil,
        "check that providers/p/vehicles/v exists"
      ),
    ] as [(String, String, String?, String)])
  func missingResourceOfAChangeIsNamed(
    name: String, method: String, detail: String?, start: String
  ) {
    let hint = Hint(endpoint: "h:1", subject: .changed(name, method: method), hasToken: true)
    let details = detail.map { name in
      var info = ResourceInfo()
      info.resourceName = name
      return [ErrorDetail.resourceInfo(info)]
    }
    let error = CallError(
      code: .notFound, message: "", details: details ?? [], origin: .server, attempts: 1)
    #expect(hint.text(for: error)?.hasPrefix(start) == true)
    let missing = CallError(code: .unimplemented, message: "", origin: .server, attempts: 1)
    #expect(hint.text(for: missing) == "check --endpoint: h:1 does not serve \(method)")
  }

  @Test(arguments: [ConnectionFailure.Reason.refused, .unreachable])
  func namesTheUnixSocket(reason: ConnectionFailure.Reason) {
    let hint = Hint(endpoint: "unix:///tmp/x", subject: .resource("n"), hasToken: true).text(
      for: CallError(ConnectionFailure(reason: reason, peer: "unix:/tmp/x", detail: "")))
    #expect(hint?.contains("(unix:///tmp/x)") == true)
    for word in ["port", "network"] { #expect(hint?.contains(word) == false, "\(hint ?? "")") }
  }

  @Test(arguments: [
    ("providers/p/trips/t", "maps.fleetengine.v1.TripService/GetTrip"),
    ("providers/p/vehicles/v", "maps.fleetengine.v1.VehicleService/GetVehicle"),
    ("providers/p/tasks/t", "maps.fleetengine.delivery.v1.DeliveryService/GetTask"),
    (
      "providers/p/deliveryVehicles/v",
      "maps.fleetengine.delivery.v1.DeliveryService/GetDeliveryVehicle"
    ),
  ])
  func namesTheMethodThatTheServerLacks(name: String, method: String) {
    let hint = Hint(endpoint: "h:1", subject: .resource(name), hasToken: true)
    let error = CallError(code: .unimplemented, message: "", origin: .server, attempts: 1)
    #expect(hint.text(for: error) == "check --endpoint: h:1 does not serve \(method)")
  }

  @Test(arguments: [
    (false, "check grpc_proxy, https_proxy and http_proxy, "), (true, "check --proxy, "),
  ])
  func namesTheSourceOfTheProxy(isOption: Bool, start: String) {
    let failure = ConnectionFailure(reason: .proxyUnreachable, peer: "h:1", detail: "")
    let hint = Hint(
      endpoint: "h:1", subject: .resource("n"), hasToken: true, hasProxyOption: isOption)
    #expect(hint.text(for: CallError(failure)) == start + "or use no proxy: --proxy none")
  }

  @Test func namesTheVariablesOfAProxyThatCannotBeUsed() {
    let failure = ConnectionFailure(
      reason: .proxyConfiguration, peer: "h:1", detail: "the proxy in grpc_proxy cannot be used: …")
    let hint = Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true)
    #expect(
      hint.text(for: CallError(failure))
        == "check grpc_proxy, https_proxy and http_proxy, or use no proxy: --proxy none")
  }

  @Test(
    arguments: [
      (.unauthenticated, .server, false, "--token-file"),
      (.unauthenticated, .server, true, "get a new token"),
      (.permissionDenied, .server, false, "--token-file"),
      (.permissionDenied, .server, true, "token must be for providers/p/trips/t"),
      (.notFound, .server, true, "providers/p/trips/t"),
      (.deadlineExceeded, .local, true, "--timeout"),
      (.resourceExhausted, .local, true, "--max-message-size"),
      (.resourceExhausted, .server, true, "quota"),
      (.resourceExhausted, .transport, true, "contact its operator"),
      (.unimplemented, .server, true, "--endpoint"),
      (.unimplemented, .transport, true, "does not serve"),
      (.alreadyExists, .server, true, "another ID"),
      (.invalidArgument, .server, true, "read the log of the server"),
      (.unavailable, .server, true, "later"), (.unknown, .server, true, "contact its operator"),
      (.dataLoss, .server, true, "contact its operator"),
    ] as [(StatusCode, CallError.Origin, Bool, String)])
  func eachCodeHasAHint(code: StatusCode, origin: CallError.Origin, hasToken: Bool, part: String) {
    let hint = Hint(endpoint: "h:1", subject: .resource("providers/p/trips/t"), hasToken: hasToken)
      .text(for: CallError(code: code, message: "", origin: origin, attempts: 1))
    #expect(hint?.contains(part) == true, "\(hint ?? "")")
  }

  @Test(arguments: [StatusCode.notFound, .permissionDenied])
  func controlCharactersOfANameAreEscaped(code: StatusCode) {
    let hint = Hint(
      endpoint: "h:1", subject: .resource("providers/p/trips/\u{1b}[31m\r"), hasToken: true)
    let text = hint.text(for: CallError(code: code, message: "", origin: .server, attempts: 1))
    #expect(text?.contains(#"providers/p/trips/\u{1b}[31m\r"#) == true, "\(text ?? "")")
  }

  @Test func calmServerIsCalledLater() {
    let hint = Hint(endpoint: "h:1", subject: .resource("providers/p/trips/t"), hasToken: true)
    #expect(
      hint.text(for: .transport(.resourceExhausted, "", cause: .excessiveLoad)) == "try again later"
    )
  }

  @Test(arguments: [
    ("providers/p/trips/t-1_a.b", "'tripwire token inspect FILE --trip t-1_a.b': the token"),
    ("providers/p/vehicles/v1", "'tripwire token inspect FILE --vehicle v1': the token"),
    ("providers/p/trips/a b", "'tripwire token inspect FILE --trip ID': the token"),
    ("providers/p/trips/$(x)", "'tripwire token inspect FILE --trip ID': the token"),
    ("providers/p", "'tripwire token inspect FILE': the token"),
  ])
  func namesTheCommandThatInspectsTokens(name: String, words: String) {
    let error = CallError(code: .permissionDenied, message: "", origin: .server, attempts: 1)
    let hint = Hint(endpoint: "h:1", subject: .resource(name), hasToken: true).text(for: error)
    #expect(hint?.contains(words) == true, "\(hint ?? "")")
  }

  @Test(arguments: [
    ("v1.TripService/SearchTrips", "--trip '*'"),
    ("v1.VehicleService/SearchVehicles", "--vehicle '*'"),
    ("v1.VehicleService/ListVehicles", "--vehicle '*'"),
    ("delivery.v1.DeliveryService/ListTasks", "--task '*'"),
    ("delivery.v1.DeliveryService/ListDeliveryVehicles", "--delivery-vehicle '*'"),
  ])
  func searchNeedsATokenForAll(method: String, option: String) {
    let error = CallError(code: .permissionDenied, message: "", origin: .server, attempts: 1)
    let hint = Hint(
      endpoint: "h:1", subject: .method("maps.fleetengine." + method), hasToken: true)
    #expect(
      hint.text(for: error)
        == "use a token for all resources: tripwire token mint --credentials KEY.json \(option)")
  }

  @Test func localErrorsHaveNoHint() {
    let hint = Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true)
    #expect(hint.text(for: .local(.internal, "cannot be written as JSON")) == nil)
  }

  @Test(
    arguments: [
      (.permissionDenied, true, "the token is for h:1, and that its owner may use a.S/M"),
      (.permissionDenied, false, "-H"), (.unauthenticated, false, "-H"),
      (.unauthenticated, true, "get a new token"), (.resourceExhausted, true, "quota"),
    ] as [(StatusCode, Bool, String)])
  func onlyFleetEngineMethodsMentionFleetEngine(code: StatusCode, hasToken: Bool, part: String) {
    func hint(_ subject: Hint.Subject) -> String {
      Hint(endpoint: "h:1", subject: subject, hasToken: hasToken)
        .text(for: CallError(code: code, message: "", origin: .server, attempts: 1)) ?? ""
    }
    for subject in [.method("a.S/M"), .reflection] as [Hint.Subject] {
      #expect(!hint(subject).contains("Fleet Engine"))
    }
    #expect(hint(.method("a.S/M")).contains(part), "\(hint(.method("a.S/M")))")
    let fleet = "maps.fleetengine.v1.TripService/GetTrip"
    #expect(hint(.method(fleet)) == hint(.resource(fleet)))
  }

  @Test(
    arguments: [
      (
        .commandFailed(program: "", reason: ""),
        "run the token command by hand: it must write a token to stdout and exit with code 0"
      ),
      (.unreadable(path: "t.jwt", reason: ""), "write a token to t.jwt"),
      (
        .refused(reason: "", retryAfter: nil, isOnly: false),
        "get a new token: the server rejects this one"
          + " (check it with 'tripwire token inspect --trip t' and the token on stdin)"
      ),
      (
        .empty, "run the token command by hand: it must write a token to stdout"
      ),
      (
        .tooLong,
        "run the token command by hand: it must write a token to stdout"
      ),
      (.scheme, "remove \"Bearer \""),
      (
        .invalidResponse(reason: ""),
        #"make the token command print the token, or {"token": "…", "expiresIn": SECONDS}, on stdout"#
      ),
    ] as [(TokenError, String)])
  func missingTokenHasAHint(error: TokenError, hint: String) {
    var failure = CallError(code: .unauthenticated, message: "", origin: .local)
    failure.underlyingError = error
    let subject = Hint.Subject.resource("providers/p/trips/t")
    let found = Hint(
      endpoint: "h:1", subject: subject, hasToken: true, tokenOption: "--token-command")
    #expect(found.text(for: failure) == hint)
  }

  @Test(arguments: [
    (
      StatusCode.unauthenticated,
      "use another key in --credentials: the server does not accept the tokens that this one signs"
    ),
    (
      .permissionDenied,
      "check the roles of the service account in --credentials, and that Fleet Engine is enabled in"
        + " its project"
    ),
  ])
  func refusedTokenOfAKeyIsAProblemOfTheKey(code: StatusCode, hint: String) {
    let found = Hint(
      endpoint: "h:1", subject: .resource("providers/p/trips/t"), hasToken: true,
      tokenOption: "--credentials")
    #expect(found.text(for: CallError(code: code, message: "", origin: .server)) == hint)
  }

  @Test(arguments: [
    StatusCode.invalidArgument, .notFound, .resourceExhausted, .unimplemented, .unavailable,
    .internal, StatusCode(rawValue: 77),
  ])
  func recordedStatusIsNoProblemOfAServer(code: StatusCode) {
    let hint = Hint(
      endpoint: "h:1", subject: .resource("n"), hasToken: true, endpointSource: .replay)
    #expect(
      hint.text(for: CallError(code: code, message: "busy", origin: .server))
        == "leave out --replay to call Fleet Engine: the server of --replay sent this error")
  }

  @Test func errorOfAReplayedServiceSuggestsAnEndpoint() {
    let hint = Hint(
      endpoint: "h:1", subject: .method("grpc.health.v1.Health/Check"), hasToken: false,
      endpointSource: .replay)
    #expect(
      hint.text(for: CallError(code: .notFound, message: "unknown service", origin: .server))
        == "pass --endpoint instead of --replay: the server of --replay sent this error")
  }

  @Test(arguments: [CallError.Origin.local, .server])
  func replayedCallWithoutAnEndIsAProblemOfTheFile(origin: CallError.Origin) {
    let hint = Hint(
      endpoint: "h:1", subject: .resource("n"), hasToken: true, endpointSource: .replay)
    let error = CallError(code: .deadlineExceeded, message: "", origin: origin, attempts: 1)
    #expect(
      hint.text(for: error)
        == "check how the call ends in the file of --replay, or raise --timeout")
  }

  @Test func failedAttemptsAreTheProblemOfADeadlineBetweenThem() {
    var error = CallError.local(.deadlineExceeded, "the deadline passed before the next attempt")
    error.cause = .pauseBeforeRetry
    let hint = Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true)
    #expect(
      hint.text(for: error)
        == "find the reason of the failed attempts in the log of the server, or raise --timeout")
  }

  @Test(arguments: [StatusCode.permissionDenied, .unauthenticated], [false, true])
  func recordedRefusalIsNotATokenProblem(code: StatusCode, hasToken: Bool) {
    let hint = Hint(
      endpoint: "h:1", subject: .resource("n"), hasToken: hasToken, endpointSource: .replay)
    #expect(
      hint.text(for: CallError(code: code, message: "", origin: .server))
        == "leave out --replay to call Fleet Engine: the server of --replay sent this error, and it"
        + " ignores tokens")
  }

  @Test(arguments: [
    (StatusCode.resourceExhausted, CallError.Origin.server, ", or raise the limit of the server"),
    (.outOfRange, .server, ", or raise the limit of the server"),
    (.resourceExhausted, .local, ""),
  ])
  func requestAboveTheServersLimitNamesBothSizes(
    code: StatusCode, origin: CallError.Origin, server: String
  ) {
    let error = CallError(
      code: code, message: "Received message larger than max (5243495 vs. 4194304)", origin: origin)
    let hint = Hint(endpoint: "h:1", subject: .method("a.S/M"), hasToken: true).text(for: error)
    #expect(
      hint == "send a smaller request\(server): this request is 5243495 bytes;"
        + " the limit is 4194304 bytes")
  }

  @Test func serverFailureDoesNotSuggestARetry() {
    let error = CallError(code: .unknown, message: "KeyError", origin: .server, attempts: 1)
    let hint = Hint(endpoint: "h:1", subject: .method("a.S/M"), hasToken: true)
    #expect(
      hint.text(for: error)
        == "check the log of the server, or contact its operator")
    #expect(ErrorReport(error, hint: nil).text.contains("retrying is unlikely to help"))
  }

  /// The response of the server's reflection is too large.
  @Test func oversizedReflectionSuggestsDescriptors() {
    let hint = Hint(endpoint: "h:1", subject: .reflection, hasToken: true)
      .text(for: CallError(code: .resourceExhausted, message: "", origin: .local, attempts: 0))
    #expect(hint == "pass descriptors with --protoset FILE")
  }

  @Test func suggestsASmallerRequest() {
    let hint = Hint(endpoint: "h:1", subject: .resource("n"), hasToken: true)
      .text(for: CallError(code: .resourceExhausted, message: "", origin: .local, attempts: 0))
    #expect(hint?.contains("headers") == true, "\(hint ?? "")")
  }
}
