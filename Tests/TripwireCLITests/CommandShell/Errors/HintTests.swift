import Testing

@testable import CommandShell
@testable import Tripwire
@testable import WireGRPC

@Suite struct HintTests {
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
    let subject = Hint.Subject.changed(name, method: method)
    var error = CallError.fromServer(.notFound)
    error.details = detail.map { [.resourceInfo(ResourceInfo(resourceName: $0))] } ?? []
    #expect(Hint.testText(for: error, about: subject)?.hasPrefix(start) == true)
    let missing = Hint.testText(for: .fromServer(.unimplemented), about: subject)
    #expect(missing == "check --endpoint: h:1 does not serve \(method)")
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
    let hint = Hint.testText(for: .fromServer(.unimplemented), about: .resource(name))
    #expect(hint == "check --endpoint: h:1 does not serve \(method)")
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
    let error = CallError(code: code, message: "", origin: origin, attempts: 1)
    let hint = Hint.testText(
      for: error, about: .resource("providers/p/trips/t"), hasToken: hasToken)
    #expect(hint?.contains(part) == true, "\(hint ?? "")")
  }

  @Test(arguments: [StatusCode.notFound, .permissionDenied])
  func controlCharactersOfANameAreEscaped(code: StatusCode) {
    let text = Hint.testText(
      for: .fromServer(code), about: .resource("providers/p/trips/\u{1b}[31m\r"))
    #expect(text?.contains(#"providers/p/trips/\u{1b}[31m\r"#) == true, "\(text ?? "")")
  }

  @Test func calmServerIsCalledLater() {
    let error = CallError.transport(.resourceExhausted, "", cause: .excessiveLoad)
    #expect(Hint.testText(for: error) == "try again later")
  }

  @Test(arguments: [
    ("providers/p/trips/t-1_a.b", "'tripwire token inspect FILE --trip t-1_a.b': the token"),
    ("providers/p/vehicles/v1", "'tripwire token inspect FILE --vehicle v1': the token"),
    ("providers/p/trips/a b", "'tripwire token inspect FILE --trip ID': the token"),
    ("providers/p/trips/$(x)", "'tripwire token inspect FILE --trip ID': the token"),
    ("providers/p", "'tripwire token inspect FILE': the token"),
  ])
  func namesTheCommandThatInspectsTokens(name: String, words: String) {
    let hint = Hint.testText(for: .fromServer(.permissionDenied), about: .resource(name))
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
    #expect(
      Hint.testText(
        for: .fromServer(.permissionDenied), about: .method("maps.fleetengine." + method))
        == "use a token for all resources: tripwire token mint --sign-as ACCOUNT \(option)")
  }

  @Test func localErrorsHaveNoHint() {
    #expect(Hint.testText(for: .local(.internal, "cannot be written as JSON")) == nil)
  }

  @Test(
    arguments: [
      (.permissionDenied, true, "the token is for h:1, and that its owner may use a.S/M"),
      (.permissionDenied, false, "-H"), (.unauthenticated, false, "-H"),
      (.unauthenticated, true, "get a new token"), (.resourceExhausted, true, "quota"),
    ] as [(StatusCode, Bool, String)])
  func onlyFleetEngineMethodsMentionFleetEngine(code: StatusCode, hasToken: Bool, part: String) {
    func hint(_ subject: Hint.Subject) -> String {
      Hint.testText(for: .fromServer(code), about: subject, hasToken: hasToken) ?? ""
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
    let found = Hint.testText(for: failure, about: subject, tokenOption: "--token-command")
    #expect(found == hint)
  }

  @Test func refusedTokenThatGoogleSignedIsAProblemOfTheAccount() {
    let found = Hint.testText(
      for: .fromServer(.permissionDenied), about: .resource("providers/p/trips/t"),
      tokenOption: "--sign-as")
    #expect(
      found
        == "check the roles of the service account that signs (--sign-as), and that Fleet Engine"
        + " is enabled in the project")
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
    let subject = Hint.Subject.resource("providers/p/trips/t")
    let found = Hint.testText(
      for: .fromServer(code), about: subject, tokenOption: "--credentials")
    #expect(found == hint)
  }

  @Test func failedAttemptsAreTheProblemOfADeadlineBetweenThem() {
    var error = CallError.local(.deadlineExceeded, "the deadline passed before the next attempt")
    error.cause = .pauseBeforeRetry
    #expect(
      Hint.testText(for: error)
        == "find the reason of the failed attempts in the log of the server, or raise --timeout")
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
    #expect(
      Hint.testText(for: error, about: .method("a.S/M"))
        == "send a smaller request\(server): this request is 5243495 bytes;"
        + " the limit is 4194304 bytes")
  }

  @Test func serverFailureDoesNotSuggestARetry() {
    let error = CallError.fromServer(.unknown, "KeyError")
    #expect(
      Hint.testText(for: error, about: .method("a.S/M"))
        == "check the log of the server, or contact its operator")
    #expect(ErrorReport(error, hint: nil).text.contains("retrying is unlikely to help"))
  }

  /// The response of the server's reflection, or else the request, is too large.
  @Test func oversizedMessageIsNotSent() {
    let error = CallError(code: .resourceExhausted, message: "", origin: .local, attempts: 0)
    #expect(
      Hint.testText(for: error, about: .reflection) == "pass descriptors with --protoset FILE")
    #expect(Hint.testText(for: error)?.contains("headers") == true)
  }
}
