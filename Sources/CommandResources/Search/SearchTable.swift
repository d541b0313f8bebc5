import CommandLine
package import CommandShell
package import Tripwire

/// Formats results in columns, page by page.
package struct SearchTable {
  /// A wider cell is cut.
  private static let widest = 200

  private var widths: [Int] = []

  package init() {}

  /// Returns the lines of one page, below the titles if it is the first. A column never becomes narrower.
  package mutating func lines(_ results: [any SearchResult], _ clock: WallClock) -> [String] {
    guard let first = results.first else { return [] }
    let formatter = TripFormatter(clock: clock)
    let rows =
      (widths.isEmpty ? [type(of: first).titles] : [])
      + results.map { result in
        result.cells(formatter).map { cell in
          cell.flatMap { $0.isEmpty ? nil : escaped($0) } ?? TextTable.unset
        }
      }
    let wanted = columnWidths(rows).map { min($0, Self.widest) }
    widths = widths.isEmpty ? wanted : zip(widths, wanted).map(max)
    return drawn(rows, widths: widths)
  }
}

/// A trip, a vehicle, a task or a delivery vehicle.
package protocol SearchResult: Message {
  var name: String { get }
  static var titles: [String] { get }
  /// The cells below the titles.
  func cells(_ formatter: TripFormatter) -> [String?]
}

extension Trip: SearchResult {
  package static let titles = ["NAME", "STATUS", "TYPE", "VEHICLE", "LOCATION", "AGE"]

  package func cells(_ formatter: TripFormatter) -> [String?] {
    [name, formatter.words(tripStatus), formatter.words(tripType), vehicleId]
      + formatter.cells(lastLocation)
  }
}

extension Vehicle: SearchResult {
  package static let titles = ["NAME", "STATE", "TYPE", "TRIPS", "LOCATION", "AGE"]

  package func cells(_ formatter: TripFormatter) -> [String?] {
    let type = vehicleType.flatMap { formatter.words($0.category) }
    return [name, formatter.words(vehicleState), type, currentTrips.joined(separator: ",")]
      + formatter.cells(lastLocation)
  }
}

extension VehicleMatch: SearchResult {
  package static let titles = Vehicle.titles + ["PICKUP", "DISTANCE"]

  package var name: String { vehicle?.name ?? "" }

  package func cells(_ formatter: TripFormatter) -> [String?] {
    let distance = vehiclePickupDistanceMeters ?? vehiclePickupStraightLineDistanceMeters
    return (vehicle ?? Vehicle()).cells(formatter) + [
      vehiclePickupEta.map { formatter.clock.relative($0.seconds) }, formatter.distance(distance),
    ]
  }
}

extension DeliveryTask: SearchResult {
  package static let titles = ["NAME", "STATE", "TYPE", "OUTCOME", "VEHICLE", "SHIPMENT", "PLACE"]

  package func cells(_ formatter: TripFormatter) -> [String?] {
    [
      name, formatter.words(state), formatter.words(type), formatter.words(taskOutcome),
      deliveryVehicleId, trackingId, formatter.point(plannedLocation?.point),
    ]
  }
}

extension DeliveryVehicle: SearchResult {
  package static let titles = ["NAME", "TYPE", "NAVIGATION", "LOCATION", "AGE"]

  package func cells(_ formatter: TripFormatter) -> [String?] {
    [name, formatter.words(type), formatter.words(navigationStatus)]
      + formatter.cells(lastLocation.map(VehicleLocation.init))
  }
}

extension TripFormatter {
  /// The place, and the time since it was reported.
  fileprivate func cells(_ location: VehicleLocation?) -> [String?] {
    [point(location?.location), location?.reportTime.map { clock.relative($0) }]
  }
}
