package import CommandShell
package import Tripwire
package import WireProtobuf

/// Formats values of Fleet Engine for people.
package struct TripFormatter {
  package let clock: WallClock

  package init(clock: WallClock) {
    self.clock = clock
  }

  package func time(_ timestamp: Timestamp?) -> String? {
    timestamp.map { clock.text($0.seconds) }
  }

  /// Rounded to whole seconds.
  func duration(_ duration: WireDuration?) -> String? {
    duration.map { duration in
      let change: Int64 = duration.nanos.magnitude < 500_000_000 ? 0 : duration.nanos < 0 ? -1 : 1
      let (rounded, isTooLong) = duration.seconds.addingReportingOverflow(change)
      return Units.seconds(isTooLong ? duration.seconds : rounded, nanos: 0)
    }
  }

  /// Returns "37.774821, -122.419355", and the reason if this is probably not a place.
  package func point(_ point: LatLng?) -> String? {
    point.map {
      "\(Units.fixed($0.latitude, decimals: 6)), \(Units.fixed($0.longitude, decimals: 6))"
        + ($0.problem.map { " (\($0))" } ?? "")
    }
  }

  package func distance(_ meters: Int32?) -> String? {
    meters.map { Units.distance(meters: Double($0)) }
  }

  /// Returns a place and a time.
  func stop(_ location: TerminalLocation?, _ time: Timestamp?) -> String? {
    joined([place(location), self.time(time)], by: "  ")
  }

  package func place(_ location: TerminalLocation?) -> String? {
    guard let location else { return nil }
    let id = location.terminalPointId?.value ?? ""
    return joined([point(location.point), id.isEmpty ? nil : "place \(id)"], by: ", ")
  }

  /// Returns "200 points, 3.9 km", from the encoded form if there are no points, or the reason why that
  /// is invalid.
  package func route(_ points: [LatLng], encoded: String = "") -> String? {
    do {
      let points = points.isEmpty ? try Polyline.decode(encoded) : points
      if points.isEmpty { return nil }
      let count = Units.count(points.count, "point")
      guard let meters = length(of: points) else {
        let others = points.filter { !$0.isOnGlobe }.count
        return "\(count), of which \(others) not on Earth: latitude or longitude out of range"
      }
      return "\(count), \(Units.distance(meters: meters))"
    } catch {
      return "\(Units.count(encoded.utf8.count, "character")) that are not a polyline: \(error)"
    }
  }

  /// "12 spans: 1 slow, 11 normal".
  func traffic(_ traffic: ConsumableTrafficPolyline?) -> String? {
    guard let intervals = traffic?.speedReadingInterval, !intervals.isEmpty else { return nil }
    var counts: [(words: String, count: Int)] = []
    for interval in intervals {
      let words = words(interval.speed) ?? "no data"
      if let index = counts.firstIndex(where: { $0.words == words }) {
        counts[index].count += 1
      } else {
        counts.append((words, 1))
      }
    }
    return "\(Units.count(intervals.count, "span")): "
      + counts.map { "\($0.count) \($0.words)" }.joined(separator: ", ")
  }

  /// One line for each waypoint, in columns.
  ///
  /// - Parameter vehicle: the vehicle on its way to the first one. Only its own distance and times change
  ///   while it drives there.
  func waypoints(_ waypoints: [TripWaypoint], of vehicle: Vehicle? = nil) -> [String] {
    aligned(
      waypoints.enumerated().map { index, waypoint in
        let vehicle = index == 0 ? vehicle : nil
        let timeLeft = vehicle?.remainingTimeSeconds.map { WireDuration(seconds: Int64($0)) }
        let kind = words(waypoint.waypointType)
        return [
          String(index + 1), kind ?? TextTable.unset,
          point(waypoint.location?.point) ?? TextTable.unset,
          distance(vehicle?.remainingDistanceMeters ?? waypoint.distanceMeters) ?? TextTable.unset,
          duration(timeLeft ?? waypoint.duration) ?? TextTable.unset,
          time(vehicle?.etaToFirstWaypoint ?? waypoint.eta) ?? TextTable.unset,
          waypoint.tripId.isEmpty ? "" : "trip \(waypoint.tripId)",
        ]
      })
  }

  /// An enum value by its name in the protocol, "ENROUTE_TO_PICKUP" as "enroute to pickup"; nil
  /// for the zero that means unset, "unknown (99)" for a number without a name in this version of the enum.
  package func words(_ value: some ProtoEnum) -> String? { words(NamedValue(value)) }

  package func words(_ value: NamedValue) -> String? {
    if value.number == 0 { return nil }
    guard var name = value.name else { return "unknown (\(value.number))" }
    for type in ["BATTERY_STATUS_", "POWER_SOURCE_"] where name.hasPrefix(type) {
      name.removeFirst(type.count)
    }
    if name.hasSuffix("_WAYPOINT_TYPE") { name.removeLast("_WAYPOINT_TYPE".count) }
    if name == "DROP_OFF" { return "drop-off" }
    return name.split(separator: "_").map { $0 == "GPS" ? "GPS" : $0.lowercased() }
      .joined(separator: " ")
  }

  func state(_ facts: ResourceFacts) -> String? {
    // The only state of a delivery vehicle is that of its navigation.
    words(facts.status) ?? words(facts.navigation)
  }

  /// Returns a line "key = value" for each attribute.
  func attributes(_ facts: ResourceFacts) -> [String] {
    facts.attributes.map { "\($0.key) = \($0.value ?? TextTable.unset)" }
  }

  /// Returns the known parts; nil if there are none.
  func joined(_ parts: [String?], by separator: String) -> String? {
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: separator)
  }

  func flag(_ value: Bool) -> String { value ? "yes" : "no" }
}

extension LatLng {
  /// The reason why these are probably not the coordinates of a place; nil if there is none.
  fileprivate var problem: String? {
    if !(-90...90 ~= latitude) { return "latitude out of range" }
    if !(-180...180 ~= longitude) { return "longitude out of range" }
    return latitude == 0 && longitude == 0 ? "most likely not set" : nil
  }
}
