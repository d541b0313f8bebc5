import CommandShell
package import Tripwire
import WireProtobuf

/// The facts of a resource in one line.
package struct ResourceSummary {
  package let status: String?
  /// The time of arrival at the next stop, or at the place of a task.
  package let eta: String?
  /// The distance left.
  package let distance: String?
  /// The next stop, or the number of stops: "to Pickup", "3 stops left".
  package let stop: String?

  package init(_ resource: FleetResource, _ formatter: TripFormatter) {
    let facts = resource.facts(at: Timestamp(seconds: formatter.clock.now))
    status = formatter.joined([formatter.state(facts), formatter.words(facts.outcome)], by: ", ")
    eta = formatter.time(facts.shownETA)
    distance = formatter.distance(facts.remainingMeters)
    stop =
      facts.shownStopType.flatMap { formatter.words($0) }.map { "to " + $0 }
      ?? facts.stopCount.map { Units.count(Int($0), "stop") + " left" }
  }
}
