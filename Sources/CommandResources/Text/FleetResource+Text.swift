package import CommandShell
import JourneySharing
import Tripwire
import WireProtobuf

extension FleetResource {
  /// Returns the resource for people: aligned fields with units, in local time.
  package func text(_ clock: WallClock) -> String {
    var table = table(TripFormatter(clock: clock))
    table.add("time zone", clock.zone)
    return table.description
  }

  package func table(_ formatter: TripFormatter) -> TextTable {
    let facts = facts(at: Timestamp(seconds: formatter.clock.now))
    var table =
      switch self {
      case .trip(let trip): trip.table(formatter)
      case .vehicle(let vehicle): vehicle.table(formatter)
      case .deliveryVehicle(let vehicle): vehicle.table(formatter)
      case .task(let task): task.table(facts, formatter)
      default: factsTable(facts, formatter)
      }
    table.add("attributes", formatter.attributes(facts))
    return table
  }

  /// The table of a kind that has none of its own.
  private func factsTable(_ facts: ResourceFacts, _ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add(kind.noun, name)
    table.add("state", formatter.state(facts))
    table.add("outcome", formatter.outcome(facts))
    if !facts.vehicleID.isEmpty { table.add("vehicle", facts.vehicleID) }
    table.add("place", formatter.point(facts.place))
    table.add("time window", formatter.window(facts.window))
    table.add("ETA", formatter.time(facts.shownETA))
    table.add("completed at", formatter.time(facts.completionTime).map { "about \($0)" })
    table.add("stops left", facts.stopCount.map { String($0) })
    table.add("distance left", formatter.distance(facts.remainingMeters))
    table.add(lastLocation, formatter)
    table.add("route", formatter.route(facts.legs.flatMap { (try? $0.points()) ?? [] }))
    return table
  }

  package func picture(_ clock: WallClock) -> String { trip?.picture(clock) ?? journey().picture }
}
