import Synchronization
import Testing

@testable import CommandShell
@testable import Tripwire

@Suite struct TokenWarningsTests {
  private static let trip = AuthorizationContext(of: "providers/p/trips/t1")
  private static let vehicle = AuthorizationContext(of: "providers/p/vehicles/v1")
  private static let task = AuthorizationContext(of: "providers/p/tasks/t1")
  private static let allTasks = AuthorizationContext(of: "providers/p/tasks/*")
  private static let newTasks = {
    var context = AuthorizationContext(resourceName: "providers/p")
    context.taskIDs = ["t1", "t2"]
    return context
  }()

  /// Checks tokens one after the other, and returns the warnings.
  private func warnings(
    _ tokens: [String], for context: AuthorizationContext, now: Int64 = 2_000
  ) -> [String] {
    let given = Mutex<[String]>([])
    let warnings = TokenWarnings(
      of: "--token-file", clock: { WallClock(now: now) { _ in 0 } },
      warn: { text in given.withLock { $0.append(text) } })
    for token in tokens { warnings.check(token, for: context) }
    return given.withLock { $0 }
  }

  @Test(arguments: [(1_999, 0), (2_000, 0), (2_001, 1)])
  func expiredTokenIsReported(now: Int64, count: Int) {
    let found = warnings([unsignedToken(#"{"exp":2000}"#)], for: Self.trip, now: now)
    #expect(found.count == count)
    #expect(found.allSatisfy { $0 == "--token-file: the token expired at 00:33:20 UTC (1 s ago)" })
  }

  @Test(arguments: [
    (#"{"tripid":"t2"}"#, trip, "--token-file: the token is for the trip t2, not for t1"),
    (#"{"vehicleid":"v2"}"#, vehicle, "--token-file: the token is for the vehicle v2, not for v1"),
    (#"{"taskid":"t2"}"#, task, "--token-file: the token is for the task t2, not for t1"),
    (#"{"taskid":"t2"}"#, allTasks, "--token-file: the token is for the task t2, not for all"),
    (#"{"taskids":["t1"]}"#, newTasks, "--token-file: the token is for the task t1, not for t2"),
    (
      #"{"trackingid":"S-2"}"#, AuthorizationContext(of: "providers/p/taskTrackingInfo/S-1"),
      "--token-file: the token is for the shipment S-2, not for S-1"
    ),
  ])
  func tokenForAnotherResourceIsReported(
    claims: String, context: AuthorizationContext, text: String
  ) {
    #expect(warnings([unsignedToken(#"{"authorization":\#(claims)}"#)], for: context) == [text])
  }

  @Test(arguments: [
    (#"{"tripid":"t1"}"#, trip), (#"{"tripid":"*"}"#, trip), (#"{"vehicleid":"v2"}"#, trip),
    (#"{"tripid":"t2"}"#, vehicle), (#"{}"#, trip), ("1", trip),
    (#"{"tripid":"t2"}"#, AuthorizationContext(resourceName: "providers/p")),
  ])
  func otherTokensAreAccepted(claims: String, context: AuthorizationContext) {
    #expect(warnings([unsignedToken(#"{"authorization":\#(claims)}"#)], for: context).isEmpty)
  }

  @Test(arguments: ["ya29.abc", "a.b.c", "", "opaque"])
  func opaqueTokensAreNotChecked(token: String) {
    #expect(warnings([token], for: Self.trip).isEmpty)
  }

  @Test func warningIsGivenOnce() {
    let old = unsignedToken(#"{"exp":1000}"#)
    #expect(warnings([old, old, unsignedToken(#"{"exp":1001}"#)], for: Self.trip).count == 2)
  }
}
