import CommandShell
import JourneySharing
import MapPage
import Tripwire
import WireProtobuf

extension Trip {
  func picture(_ clock: WallClock) -> String {
    let formatter = TripFormatter(clock: clock)
    let facts = [
      name, formatter.words(tripStatus),
      formatter.time(validETA).map { "ETA \($0)" },
      formatter.distance(remainingDistanceOfActiveRoute),
    ].compactMap { $0 }
    let svg = Journey(self, style: .page).svg(caption: facts.joined(separator: "   "))
    return String(decoding: svg, as: UTF8.self)
  }

  /// Nil also for a time outside the years 1 to 9999, as on the page of a map.
  private var validETA: Timestamp? {
    etaToNextWaypoint.flatMap { Timestamp.validSeconds.contains($0.seconds) ? $0 : nil }
  }
}
