import CommandShell
import Tripwire

extension DeliveryVehicle {
  func table(_ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("vehicle", name)
    table.add("type", formatter.words(type))
    table.add("navigation", formatter.words(navigationStatus))
    table.add(lastLocation.map(VehicleLocation.init), formatter)
    table.add("distance left", formatter.distance(remainingDistanceMeters))
    table.add("time to next stop", formatter.duration(remainingDuration))
    table.add(
      "stops left", formatter.stops(remainingVehicleJourneySegments, of: self))
    return table
  }
}
