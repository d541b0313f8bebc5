import CommandShell
package import Tripwire

extension TextTable {
  /// Adds the place, heading, speed and age of a vehicle's location.
  package mutating func add(_ location: VehicleLocation?, _ formatter: TripFormatter) {
    add("vehicle at", location.flatMap { Self.place($0, formatter) })
    add("heading", location?.heading.map { "\($0)° \(Units.compassPoint(degrees: Double($0)))" })
    // `speed` is in meters per second; the older field is in kilometers per hour.
    let speed = location?.speed.map { $0 * 3.6 } ?? location?.speedKmph.map(Double.init)
    add("speed", speed.map { "\(Units.fixed($0, decimals: 0)) km/h" })
    let time = location?.updateTime ?? location?.rawLocationTime ?? location?.serverTime
    add("location from", time.flatMap { formatter.time($0) })
  }

  private static func place(_ location: VehicleLocation, _ formatter: TripFormatter) -> String? {
    // Some vehicles report the measured location only.
    let isRaw = location.location == nil && location.rawLocation != nil
    let sensor =
      isRaw && location.rawLocationSensor != .unknownSensor
      ? location.rawLocationSensor : location.locationSensor
    let meters = isRaw ? location.rawLocationAccuracy : location.latlngAccuracy
    let parts = [
      formatter.point(location.location ?? location.rawLocation), isRaw ? "raw" : nil,
      meters.map { "±\(Units.distance(meters: $0))" },
      formatter.words(sensor).map { "by \($0)" },
    ]
    return formatter.joined(parts, by: ", ")
  }
}
