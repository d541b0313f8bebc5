import Testing
import Tripwire
import WireGRPC

@testable import TripwireCLI

@Suite struct FollowLinesTests {
  private var lines = FollowLines(redactor: CredentialRedactor())
  private static let start = #"{"time":"2026-11-21T09:30:00.000Z","name":"providers/p/trips/t","#

  private func trip(_ change: (inout Trip) -> Void = { _ in }) -> Trip {
    var trip = Trip()
    trip.name = "providers/p/trips/t"
    change(&trip)
    return trip
  }

  private mutating func tell(
    _ update: TripUpdate, _ report: ErrorReport? = nil
  ) -> (text: String, unwritable: ErrorReport?) {
    lines.lines("providers/p/trips/t", update, report, at: TestConsole.clock)
  }

  @Test mutating func namesTheTripOfAChange() {
    #expect(
      tell(TripUpdate(trip: trip())).text
        == Self.start + #""changed":["name"],"trip":{"name":"providers/p/trips/t"}}"# + "\n")
  }

  @Test mutating func reportsAnUnwritableTripOnceAndLaterChanges() {
    let first = TripUpdate(trip: trip())
    _ = tell(first)
    let broken = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.pickupTime = Timestamp(seconds: .max)
      }, since: first)
    let told = tell(broken)
    #expect(told.text.hasPrefix(Self.start + #""error":{"code":"INTERNAL","number":13,"#))
    #expect(told.text.contains("the response cannot be written as JSON: Trip.pickup_time: "))
    #expect(told.text.contains(#""kind":"server/network""#))
    #expect(told.text.hasSuffix("}\n"))
    #expect(told.unwritable?.exitCode == ExitCode(rawValue: 77))

    let worse = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.pickupTime = Timestamp(seconds: .max)
        $0.vehicleId = "v"
      }, since: broken)
    let silent = tell(worse)
    #expect(silent.text == "" && silent.unwritable == nil)

    let mended = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.vehicleId = "v"
      }, since: worse)
    #expect(
      tell(mended).text.hasPrefix(
        Self.start + #""changed":["vehicleId","tripStatus"],"trip":{"#))
  }

  @Test mutating func reportsAClearedFieldAsChanged() {
    let first = TripUpdate(
      trip: trip {
        $0.tripStatus = .new
        $0.etaToFirstWaypoint = Timestamp(seconds: 90)
        $0.remainingDistanceMeters = 842
      })
    #expect(
      tell(first).text.hasPrefix(
        Self.start + #""changed":["name","tripStatus","remainingDistanceMeters","#
          + #""etaToFirstWaypoint"],"trip":{"#))
    let second = TripUpdate(trip: trip { $0.remainingDistanceMeters = 842 }, since: first)
    #expect(
      tell(second).text == Self.start + #""changed":["tripStatus","etaToFirstWaypoint"],"trip":"#
        + #"{"name":"providers/p/trips/t","remainingDistanceMeters":842}}"# + "\n")
  }

  @Test mutating func reportsAStaleTrip() {
    let first = TripUpdate(trip: trip())
    _ = tell(first)
    let stale = TripUpdate(trip: trip(), isStale: true, since: first)
    #expect(tell(stale).text.hasPrefix(Self.start + #""changed":[],"stale":true,"trip":{"#))
    let fresh = TripUpdate(trip: trip(), since: stale)
    #expect(tell(fresh).text.hasPrefix(Self.start + #""changed":[],"trip":{"#))
  }

  @Test mutating func thatAnErrorHasPassedIsALine() {
    let failure = TripFailure(
      error: CallError(code: .unavailable, message: "away", origin: .server))
    let first = TripUpdate(trip: trip())
    _ = tell(first)
    let failing = TripUpdate(trip: trip(), failure: failure, since: first)
    let report = ErrorReport(failure.error, hint: nil)
    #expect(
      tell(failing, report).text
        == Self.start + #""error":"# + report.json.dropLast() + "}\n")
    let well = TripUpdate(trip: trip(), since: failing)
    #expect(tell(well).text.hasPrefix(Self.start + #""changed":[],"trip":{"#))
  }
}
