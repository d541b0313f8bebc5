import Testing
import WireGRPC

@Suite struct CallErrorTests {
  /// facts/fleet-engine.md §4.4, and for the codes it leaves out what the trip model says.
  @Test func kindIsByTheCode() {
    let recovers: Set<StatusCode> = [
      .aborted, .cancelled, .deadlineExceeded, .unavailable, .unknown, .internal, .dataLoss,
      StatusCode(rawValue: 17),  // has no name, and counts as UNKNOWN
    ]
    for number in 1...17 {
      let code = StatusCode(rawValue: number)
      let error = CallError(code: code, message: "", origin: .server)
      #expect(error.kind == (recovers.contains(code) ? .serverOrNetwork : .client), "\(code)")
    }
  }

  /// No time mends what this side finds wrong; but time may bring the answer in time, and back the
  /// service that an interceptor says is UNAVAILABLE.
  @Test func whatThisSideFindsIsTheCallersToMend() {
    for number in 1...17 {
      let code = StatusCode(rawValue: number)
      let passes = code == .deadlineExceeded || code == .unavailable
      #expect(CallError.local(code, "").kind == (passes ? .serverOrNetwork : .client), "\(code)")
    }
  }

  @Test func aTargetThatCannotBeUsedIsTheCallersFault() {
    let failure = ConnectionFailure(reason: .configuration, peer: "x", detail: "y")
    #expect(CallError(failure).kind == .client)
    #expect(CallError(failure).origin == .local)
  }

  @Test func bridgesAsTheDomainOfGRPC() {
    let error: any Error = CallError(code: .notFound, message: "no trip", origin: .server)
    #expect(error._domain == "io.grpc")
    #expect(error._code == 5)
  }

  @Test func isTheSameWhateverIsUnderIt() {
    struct Mine: Error {}
    var error = CallError(code: .cancelled, message: "", origin: .local)
    let bare = error
    error.underlyingError = Mine()
    #expect(error.underlyingError is Mine)
    #expect(error == bare && error.hashValue == bare.hashValue)
  }

  @Test func saysWhichCallWhereAndWhichAttempt() {
    var error = CallError(code: .notFound, message: "no trip", origin: .server)
    #expect(error.description == "NOT_FOUND: no trip")
    error.path = "/s/m"
    #expect(error.description == "NOT_FOUND: no trip (/s/m, never sent)")
    error.peer = "127.0.0.1:1"
    error.attempts = 2
    #expect(error.description == "NOT_FOUND: no trip (/s/m at 127.0.0.1:1, attempt 2)")
  }

  @Test func saysWhatTheFirstAttemptFailedOf() {
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
