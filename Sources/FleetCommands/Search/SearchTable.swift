import CommandLine
import CommandResources
import CommandShell
import Tripwire

/// Formats results in columns, page by page.
struct SearchTable {
  /// A wider cell is cut.
  private static let widest = 200

  private var widths: [Int] = []

  /// Returns the lines of one page, below the titles if it is the first. A column never becomes narrower.
  mutating func lines(_ results: [SearchResult], _ clock: WallClock) -> [String] {
    guard let first = results.first else { return [] }
    let formatter = TripFormatter(clock: clock)
    let rows =
      (widths.isEmpty ? [first.titles] : [])
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

extension SearchResult {
  private static let vehicleTitles = ["NAME", "STATE", "TYPE", "TRIPS", "LOCATION", "AGE"]

  fileprivate var titles: [String] {
    switch self {
    case .trip: ["NAME", "STATUS", "TYPE", "VEHICLE", "LOCATION", "AGE"]
    case .vehicle: Self.vehicleTitles
    case .match: Self.vehicleTitles + ["PICKUP", "DISTANCE"]
    case .task: ["NAME", "STATE", "TYPE", "OUTCOME", "VEHICLE", "SHIPMENT", "PLACE"]
    case .deliveryVehicle: ["NAME", "TYPE", "NAVIGATION", "LOCATION", "AGE"]
    }
  }

  fileprivate func cells(_ formatter: TripFormatter) -> [String?] {
    switch self {
    case .trip(let trip):
      return [
        trip.name, formatter.words(trip.tripStatus),
        formatter.words(trip.tripType), trip.vehicleId,
      ] + Self.cells(trip.lastLocation, formatter)
    case .vehicle(let vehicle):
      return Self.cells(vehicle, formatter)
    case .match(let match):
      let distance =
        match.vehiclePickupDistanceMeters ?? match.vehiclePickupStraightLineDistanceMeters
      return Self.cells(match.vehicle ?? Vehicle(), formatter) + [
        match.vehiclePickupEta.map { formatter.clock.relative($0.seconds) },
        formatter.distance(distance),
      ]
    case .task(let task):
      return [
        task.name, formatter.words(task.state),
        formatter.words(task.type),
        formatter.words(task.taskOutcome),
        task.deliveryVehicleId, task.trackingId, formatter.point(task.plannedLocation?.point),
      ]
    case .deliveryVehicle(let vehicle):
      return [
        vehicle.name, formatter.words(vehicle.type),
        formatter.words(vehicle.navigationStatus),
      ] + Self.cells(vehicle.lastLocation.map(VehicleLocation.init), formatter)
    }
  }

  private static func cells(_ vehicle: Vehicle, _ formatter: TripFormatter) -> [String?] {
    let category = vehicle.vehicleType?.category
    return [
      vehicle.name, formatter.words(vehicle.vehicleState),
      category.flatMap { formatter.words($0) },
      vehicle.currentTrips.joined(separator: ","),
    ] + cells(vehicle.lastLocation, formatter)
  }

  /// The place, and the time since it was reported.
  private static func cells(
    _ location: VehicleLocation?, _ formatter: TripFormatter
  ) -> [String?] {
    [
      formatter.point(location?.location),
      location?.reportTime.map { formatter.clock.relative($0) },
    ]
  }
}
