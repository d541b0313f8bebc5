import Testing
import WireGRPC

@testable import CommandShell
@testable import FleetCommands
@testable import Tripwire

@Suite struct FollowLinesTests {
  private var followLines = FollowLines(redactor: CredentialRedactor(), fields: [:])
  private static let start = #"{"time":"2026-11-21T09:30:00.000Z","name":"providers/p/trips/t","#

  private func trip(_ change: (inout Trip) -> Void = { _ in }) -> Trip {
    var trip = Trip(name: "providers/p/trips/t")
    change(&trip)
    return trip
  }

  private mutating func lines(
    _ update: TripUpdate, _ report: ErrorReport? = nil
  ) -> (text: String, unwritable: ErrorReport?) {
    followLines.lines(
      "providers/p/trips/t", .trip, FollowUpdate(update), report,
      at: TestConsole.clock)
  }

  @Test mutating func lineNamesTheTrip() {
    #expect(
      lines(TripUpdate(trip: trip())).text
        == Self.start + #""changed":["name"],"trip":{"name":"providers/p/trips/t"}}"# + "\n")
  }

  @Test mutating func unwritableTripIsReportedOnce() {
    let first = TripUpdate(trip: trip())
    _ = lines(first)
    let broken = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.pickupTime = Timestamp(seconds: .max)
      }, since: first)
    let reported = lines(broken)
    #expect(reported.text.hasPrefix(Self.start + #""error":{"code":"INTERNAL","number":13,"#))
    #expect(reported.text.contains("the response cannot be written as JSON: Trip.pickup_time: "))
    #expect(reported.text.contains(#""kind":"server/network""#))
    #expect(reported.text.hasSuffix("}\n"))
    #expect(reported.unwritable?.exitCode == ExitCode(rawValue: 77))

    let worse = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.pickupTime = Timestamp(seconds: .max)
        $0.vehicleId = "v"
      }, since: broken)
    let repeated = lines(worse)
    #expect(repeated.text == "" && repeated.unwritable == nil)

    let writable = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.vehicleId = "v"
      }, since: worse)
    #expect(
      lines(writable).text.hasPrefix(
        Self.start + #""changed":["vehicleId","tripStatus"],"trip":{"#))
  }

  @Test mutating func clearedFieldIsAChange() {
    let first = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.etaToFirstWaypoint = Timestamp(seconds: 90)
        $0.remainingDistanceMeters = 842
      })
    #expect(
      lines(first).text.hasPrefix(
        Self.start + #""changed":["name","tripStatus","remainingDistanceMeters","#
          + #""etaToFirstWaypoint"],"trip":{"#))
    let second = TripUpdate(trip: trip { $0.remainingDistanceMeters = 842 }, since: first)
    #expect(
      lines(second).text == Self.start + #""changed":["tripStatus","etaToFirstWaypoint"],"trip":"#
        + #"{"name":"providers/p/trips/t","remainingDistanceMeters":842}}"# + "\n")
  }

  @Test mutating func staleTripIsReported() {
    let first = TripUpdate(trip: trip())
    _ = lines(first)
    let stale = TripUpdate(trip: trip(), isStale: true, since: first)
    #expect(lines(stale).text.hasPrefix(Self.start + #""changed":[],"stale":true,"trip":{"#))
    let fresh = TripUpdate(trip: trip(), since: stale)
    #expect(lines(fresh).text.hasPrefix(Self.start + #""changed":[],"trip":{"#))
  }

  @Test mutating func recoveryFromAnErrorIsReported() {
    let failure = TripFailure(
      error: CallError(code: .unavailable, message: "away", origin: .server))
    let first = TripUpdate(trip: trip())
    _ = lines(first)
    let failing = TripUpdate(trip: trip(), failure: failure, since: first)
    let report = ErrorReport(failure.error, hint: nil)
    #expect(
      lines(failing, report).text
        == Self.start + #""error":"# + report.json.dropLast() + "}\n")
    let recovered = TripUpdate(trip: trip(), since: failing)
    #expect(lines(recovered).text.hasPrefix(Self.start + #""changed":[],"trip":{"#))
  }
}
