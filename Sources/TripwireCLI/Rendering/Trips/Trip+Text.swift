import Tripwire

extension Trip {
  /// Returns the trip for people: aligned fields with units, in local time.
  func text(_ clock: WallClock) -> String {
    let say = TripFormatter(clock: clock)
    var table = TextTable()
    table.add("trip", name)
    table.add("status", say.words(tripStatus.name, tripStatus.rawValue))
    table.add("type", say.words(tripType.name, tripType.rawValue))
    table.add("view", say.words(view.name, view.rawValue))
    table.add("vehicle", vehicleId)
    table.add("passengers", numberOfPassengers == 0 ? nil : String(numberOfPassengers))
    table.add("pickup", say.stop(pickupPoint, pickupTime))
    table.add("stops between", stopsBetween(say))
    table.add("drop-off", say.stop(dropoffPoint, dropoffTime))
    table.add("distance left", say.distance(remainingDistanceMeters))
    table.add("time to next stop", say.duration(remainingTimeToFirstWaypoint))
    table.add("ETA at next stop", say.time(etaToFirstWaypoint))
    table.add(lastLocation, say)
    table.add("on route", lastLocation == nil ? nil : say.flag(lastLocationSnappable))
    table.add("route", say.route(route, encoded: currentRouteSegment))
    table.add("traffic", say.traffic(currentRouteSegmentTraffic))
    table.add("waypoints left", say.waypoints(remainingWaypoints))
    table.add("attributes", attributes.map { "\($0.key) = \($0.valueText)" })
    table.add("time zone", clock.zone)
    return table.description
  }

  /// Returns lines such as "1  37.774821, -122.419355  (next)".
  private func stopsBetween(_ say: TripFormatter) -> [String] {
    intermediateDestinations.enumerated().map { index, stop in
      let isNext = index == Int(intermediateDestinationIndex)
      return "\(index + 1)  \(say.place(stop) ?? TextTable.unset)" + (isNext ? "  (next)" : "")
    }
  }
}

extension TripAttribute {
  fileprivate var valueText: String {
    switch tripAttributeValue {
    case .stringValue(let text): text
    case .boolValue(let flag): String(flag)
    case .numberValue(let number): Units.trimmed(String(number))
    case nil: TextTable.unset
    }
  }
}
