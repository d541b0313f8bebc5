import Testing

@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire

@Suite struct FollowViewTests {
  private static let uuid = "5f1b7c1e-7a0e-4d8e-9a51-0d2f7a1c9e11"
  private let clock = TestConsole.clock
  private let plain = Palette(.never, isTerminal: true) { _ in "xterm" }

  private func displayed(
    _ name: String, error: CallError? = nil, age: Duration = .zero, next: Duration? = nil,
    response: Duration = .seconds(20), isStale: Bool = false
  ) -> DisplayedTarget {
    let trip = Trip(
      name: name, tripStatus: .enrouteToPickup, remainingDistanceMeters: 842,
      etaToFirstWaypoint: Timestamp(seconds: clock.now + 180),
      lastLocation: VehicleLocation(updateTime: Timestamp(seconds: clock.now - 3)))
    return DisplayedTarget(
      name: name, kind: .trip, resource: .trip(trip), problem: error.map { problem($0, age, next) },
      age: response, isStale: isStale)
  }

  private func problem(_ error: CallError, _ age: Duration, _ next: Duration?)
    -> DisplayedTarget.Problem
  {
    DisplayedTarget.Problem(
      error: error, report: ErrorReport(error, hint: "do something"), age: age, next: next)
  }

  private func denied(_ message: String = "denied") -> CallError {
    CallError(code: .permissionDenied, message: message, origin: .server)
  }

  @Test func tableFitsANarrowTerminal() {
    let names = ["fail3", "ok"].map { "providers/my-rides-prod-eu/trips/\($0)~\(Self.uuid)" }
    let view = FollowView(names, plain)
    let trips = [
      displayed(names[0], error: denied("no"), age: .seconds(65), next: .seconds(4)),
      displayed(names[1]),
    ]
    let lines = view.table(trips, clock, columns: 79)
    #expect(lines.map(\.count) == [2, 1])
    #expect(lines.joined().allSatisfy { columns(of: $0) <= 79 })
    #expect(
      lines[0][0]
        == "fail3~5…1c9e11  enroute to pickup  ETA 09:33:00 (in 3 min)  842 m  seen 3 s ago")
    #expect(
      lines[0][1]
        == "  PERMISSION_DENIED (client error for 1 min 5 s: fix it; next poll in 4 s): no")
    let narrow = view.table(trips, clock, columns: 70)
    #expect(narrow[1][0].hasPrefix("ok~5…9e11  enroute to pickup  ETA"))
    let wide = view.table(trips, clock, columns: 200)
    #expect(wide[1][0].hasPrefix("ok~\(Self.uuid)     enroute to pickup  ETA"))
    #expect(wide[1][0].contains("842 m  —  seen 3 s ago"))
  }

  @Test(arguments: [
    (
      StatusCode.permissionDenied, 500,
      "PERMISSION_DENIED (client error: fix it; polling continues): no"
    ),
    (.unavailable, 4_000, "UNAVAILABLE (server/network error, retry in 4 s): no"),
    // More quota may come by itself.
    (.resourceExhausted, 4_000, "RESOURCE_EXHAUSTED (client error, retry in 4 s): no"),
  ])
  func errorSaysWhetherARetryMayHelp(code: StatusCode, milliseconds: Int, text: String) {
    let name = "providers/p/trips/t1"
    let error = CallError(code: code, message: "no", origin: .server)
    let trip = displayed(name, error: error, next: .milliseconds(milliseconds))
    #expect(FollowView([name], plain).line(trip, clock).hasSuffix("  " + text))
  }

  @Test func showsATripWithoutAResponseByItsID() {
    let view = FollowView(["providers/p/trips/t1", "providers/p/trips/t2"], plain)
    #expect(
      view.table([DisplayedTarget(name: "providers/p/trips/t1", kind: .trip)], clock, columns: 79)
        == [["t1  —"]])
  }

  @Test func lineHasOnlyTheKnownFacts() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], plain)
    var trip = Trip()
    func line() -> String {
      view.line(DisplayedTarget(name: name, kind: .trip, resource: .trip(trip)), clock)
    }
    #expect(line() == "t1  —")
    trip.tripStatus = .new
    #expect(line() == "t1  new")
    trip.remainingWaypoints = [TripWaypoint()]
    trip.remainingWaypoints[0].waypointType = .pickup
    #expect(line() == "t1  new  to pickup")
    #expect(view.line(DisplayedTarget(name: name, kind: .trip), clock) == "t1  —")
  }

  @Test func tripsWithTheSameIDAreDistinguished() {
    let names = ["providers/demo/trips/ok", "providers/other/trips/ok", "providers/demo/trips/t"]
    let view = FollowView(names, plain)
    #expect(view.line(displayed("providers/demo/trips/ok"), clock).hasPrefix("demo/ok  "))
    #expect(view.line(displayed("providers/other/trips/ok"), clock).hasPrefix("other/ok  "))
    #expect(view.line(displayed("providers/demo/trips/t"), clock).hasPrefix("t  "))
  }

  @Test func tableIsLimitedToTheRows() {
    let names = (1...4).map { "providers/p/trips/t\($0)" }
    let trips = names.map { displayed($0, error: denied()) }
    #expect(FollowView(names, plain).table(trips, clock, columns: 79, rows: 5).count == 2)
    #expect(FollowView(names, plain).table(trips, clock, columns: 79, rows: 1).count == 1)
  }

  @Test func detailShowsTheErrorAndItsHint() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], plain)
    let lines = view.detail(
      displayed(name, error: denied("no\nway"), age: .milliseconds(900), isStale: true), clock)
    #expect(lines.contains("refreshed         20 s ago, stale"))
    #expect(lines.contains("error             PERMISSION_DENIED (client error): no\\nway"))
    #expect(lines.last == "hint              do something")
    #expect(!view.detail(displayed(name), clock).joined().contains("hint"))
  }

  @Test func errorAndHintAreWrapped() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], plain)
    let error = denied("the token is for another trip than this one")
    let lines = view.detail(displayed(name, error: error), clock, columns: 60)
    #expect(
      lines.suffix(3) == [
        "error             PERMISSION_DENIED (client error): the",
        "                  token is for another trip than this one",
        "hint              do something",
      ])
    let long = denied(String(repeating: "no way ", count: 300))
    let cut = view.detail(displayed(name, error: long), clock, columns: 60).suffix(6)
    #expect(cut.map(firstWord) == ["refreshed", "error", "", "", "", "hint"])
    #expect(cut.dropLast().last?.hasSuffix("no way …") == true)
  }

  @Test func fewRowsShowTheErrorAndTheFirstFields() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], plain)
    let lines = view.detail(displayed(name, error: denied()), clock, columns: 80, rows: 5)
    #expect(lines.map(firstWord) == ["trip", "status", "refreshed", "error", "hint"])
    let lowest = view.detail(displayed(name, error: denied()), clock, columns: 80, rows: 2)
    #expect(lowest.map(firstWord) == ["trip", "refreshed"])
  }

  private func firstWord(_ line: String) -> String { String(line.prefix { $0 != " " }) }

  @Test func showsTheAgeOfAStaleTrip() {
    let name = "providers/p/trips/t1"
    let line = FollowView([name], plain).line(displayed(name, isStale: true), clock)
    #expect(line.hasSuffix("seen 3 s ago  stale: last response 20 s ago"))
  }

  /// The interval may be as short as 100 ms.
  @Test func staleTripIsNotRefreshedNow() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], plain)
    let trip = displayed(name, response: .milliseconds(400), isStale: true)
    #expect(view.line(trip, clock).hasSuffix("  stale: last response less than 1 s ago"))
    #expect(view.detail(trip, clock).contains("refreshed         less than 1 s ago, stale"))
    let current = displayed(name, response: .milliseconds(400))
    #expect(view.detail(current, clock).contains("refreshed         now"))
  }

  @Test func lineOfAFailingTripShowsThatItIsStale() {
    let name = "providers/p/trips/t1"
    let line = FollowView([name], plain).line(
      displayed(name, error: denied("no"), isStale: true), clock)
    #expect(
      line.hasSuffix("  stale: last response 20 s ago; PERMISSION_DENIED (client error): no"))
  }

  @Test func errorsAndStaleTripsAreColored() {
    let name = "providers/p/trips/t1"
    let view = FollowView([name], Palette(.auto, isTerminal: true) { ["TERM": "xterm"][$0] })
    let failed = view.detail(displayed(name, error: denied()), clock)
    #expect(failed.filter { $0.contains("\u{1b}") } == failed.suffix(3))
    #expect(failed.suffix(3).allSatisfy { $0.hasPrefix("\u{1b}[31m") && $0.hasSuffix("\u{1b}[0m") })
    let stale = view.table([displayed(name, isStale: true)], clock, columns: 79)[0]
    #expect(!stale[0].contains("\u{1b}"))
    #expect(stale[1] == "\u{1b}[33m  stale: last response 20 s ago\u{1b}[0m")
    #expect(!view.line(displayed(name), clock).contains("\u{1b}"))
  }
}
