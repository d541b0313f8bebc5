import JourneySharing
import MapPage
import Tripwire

extension Trip {
  /// The trip as an SVG picture.
  func picture(_ clock: WallClock) -> String {
    let formatter = TripFormatter(clock: clock)
    let facts = [
      name, formatter.words(tripStatus.name, tripStatus.rawValue),
      formatter.time(etaToNextWaypoint).map { "ETA \($0)" },
      formatter.distance(remainingDistanceOfActiveRoute),
    ].compactMap { $0 }
    let svg = Journey(self, style: .page).svg(caption: facts.joined(separator: "   "))
    return String(decoding: svg, as: UTF8.self)
  }
}
