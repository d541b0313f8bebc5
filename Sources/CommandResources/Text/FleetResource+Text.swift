package import CommandShell
import JourneySharing
import Tripwire

extension FleetResource {
  /// Returns the resource for people: aligned fields with units, in local time.
  package func text(_ clock: WallClock) -> String {
    var table = table(TripFormatter(clock: clock))
    table.add("time zone", clock.zone)
    return table.description
  }

  package func table(_ formatter: TripFormatter) -> TextTable {
    switch self {
    case .trip(let trip): trip.table(formatter)
    case .vehicle(let vehicle): vehicle.table(formatter)
    case .deliveryVehicle(let vehicle): vehicle.table(formatter)
    case .task(let task): task.table(formatter)
    case .taskTrackingInfo(let info): info.table(formatter)
    }
  }

  package func picture(_ clock: WallClock) -> String { trip?.picture(clock) ?? journey().picture }
}
