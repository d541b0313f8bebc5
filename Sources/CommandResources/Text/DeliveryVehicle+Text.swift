import CommandShell
import Tripwire

extension DeliveryVehicle {
  /// Returns the fields of the vehicle for people.
  func table(_ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("vehicle", name)
    table.add("type", formatter.words(type.name, type.rawValue))
    table.add("navigation", formatter.words(navigationStatus.name, navigationStatus.rawValue))
    table.add(lastLocation.map(VehicleLocation.init), formatter)
    table.add("distance left", formatter.distance(remainingDistanceMeters))
    table.add("time to next stop", formatter.duration(remainingDuration))
    table.add(
      "stops left", formatter.stops(remainingVehicleJourneySegments, of: self))
    table.add(
      "attributes",
      attributes.map { attribute in
        let value =
          switch attribute.deliveryVehicleAttributeValue {
          case .stringValue(let text): text
          case .boolValue(let flag): String(flag)
          case .numberValue(let number): Units.trimmed(String(number))
          case nil: attribute.value
          }
        return "\(attribute.key) = \(value)"
      })
    return table
  }
}
