import Testing

@testable import CommandResources
@testable import CommandShell
@testable import Tripwire

@Suite struct TripPictureTests {
  private let clock = WallClock(now: 1_795_253_400) { _ in 0 }

  private func caption(eta seconds: Int64) -> String {
    let trip = Trip(
      name: "providers/p/trips/t1", tripStatus: .enrouteToPickup,
      etaToFirstWaypoint: Timestamp(seconds: seconds))
    let picture = trip.picture(clock)
    let title = picture.split(separator: "\n").first { $0.hasPrefix("<title>") }
    return title.map(String.init) ?? ""
  }

  @Test func captionHasTheETA() {
    #expect(
      caption(eta: clock.now + 60)
        == "<title>providers/p/trips/t1   enroute to pickup   ETA 09:31:00 (in 1 min)</title>")
  }

  @Test(arguments: [Int64.min, -62_135_596_801, 253_402_300_800, .max])
  func invalidETAIsLeftOut(seconds: Int64) {
    #expect(
      caption(eta: seconds) == "<title>providers/p/trips/t1   enroute to pickup</title>")
  }
}
