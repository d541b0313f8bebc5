import CommandShell
import Tripwire

extension Vehicle {
  func table(_ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("vehicle", name)
    table.add("state", formatter.words(vehicleState))
    let category = vehicleType?.category
    table.add("type", category.flatMap { formatter.words($0) })
    let plate = [licensePlate?.countryCode, licensePlate?.lastCharacter].compactMap { $0 }
    table.add("license plate", plate.filter { !$0.isEmpty }.joined(separator: " …"))
    table.add("seats", maximumCapacity == 0 ? nil : String(maximumCapacity))
    let tripTypes = supportedTripTypes.compactMap { formatter.words($0) }
    table.add("takes trips", tripTypes.joined(separator: ", "))
    table.add("back to back", formatter.flag(backToBackEnabled))
    table.add("trips now", currentTrips)
    table.add("navigation", formatter.words(navigationStatus))
    table.add("distance left", formatter.distance(remainingDistanceMeters))
    table.add(
      "time to next stop", remainingTimeSeconds.map { Units.seconds(Int64($0), nanos: 0) })
    table.add("ETA at next stop", formatter.time(etaToFirstWaypoint))
    table.add(lastLocation, formatter)
    table.add("route", formatter.route([], encoded: currentRouteSegment))
    table.add("waypoints left", formatter.waypoints(waypoints, of: self))
    table.add("device", device(formatter))
    return table
  }

  private func device(_ formatter: TripFormatter) -> String? {
    guard let deviceSettings else { return nil }
    var parts: [String] = []
    if let battery = deviceSettings.batteryInfo {
      parts.append("battery \(Units.fixed(Double(battery.batteryPercentage), decimals: 0)) %")
      parts += [
        formatter.words(battery.batteryStatus),
        formatter.words(battery.powerSource),
      ].compactMap { $0 }
    }
    if deviceSettings.isPowerSaveMode { parts.append("power save mode") }
    return parts.joined(separator: ", ")
  }
}
