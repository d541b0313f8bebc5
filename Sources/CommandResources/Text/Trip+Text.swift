import CommandShell
import Tripwire

extension Trip {
  func table(_ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("trip", name)
    table.add("status", formatter.words(tripStatus))
    table.add("type", formatter.words(tripType))
    table.add("view", formatter.words(view))
    table.add("vehicle", vehicleId)
    table.add("passengers", numberOfPassengers == 0 ? nil : String(numberOfPassengers))
    table.add("pickup", formatter.stop(pickupPoint, pickupTime))
    table.add("stops between", stopsBetween(formatter))
    table.add("drop-off", formatter.stop(dropoffPoint, dropoffTime))
    table.add("distance left", formatter.distance(remainingDistanceMeters))
    table.add("time to next stop", formatter.duration(remainingTimeToFirstWaypoint))
    table.add("ETA at next stop", formatter.time(etaToFirstWaypoint))
    table.add(lastLocation, formatter)
    table.add("on route", lastLocation == nil ? nil : formatter.flag(lastLocationSnappable))
    table.add("route", formatter.route(route, encoded: currentRouteSegment))
    table.add("traffic", formatter.traffic(currentRouteSegmentTraffic))
    table.add("waypoints left", formatter.waypoints(remainingWaypoints))
    return table
  }

  /// Returns lines such as "1  37.774821, -122.419355  (next)".
  private func stopsBetween(_ formatter: TripFormatter) -> [String] {
    let isBetween =
      [.enrouteToIntermediateDestination, .arrivedAtIntermediateDestination].contains(tripStatus)
    return intermediateDestinations.enumerated().map { index, stop in
      let isNext = isBetween && index == Int(intermediateDestinationIndex)
      return "\(index + 1)  \(formatter.place(stop) ?? TextTable.unset)"
        + (isNext ? "  (next)" : "")
    }
  }
}
