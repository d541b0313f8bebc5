import CommandShell
import Tripwire

extension DeliveryTask {
  func table(_ facts: ResourceFacts, _ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("task", name)
    table.add("type", formatter.words(type))
    table.add("state", formatter.words(state))
    table.add("outcome", formatter.outcome(facts))
    let source = formatter.words(taskOutcomeLocationSource)
    table.add(
      "outcome at",
      formatter.point(taskOutcomeLocation?.point).map { $0 + (source.map { ", by \($0)" } ?? "") })
    table.add("shipment", trackingId)
    table.add("vehicle", deliveryVehicleId)
    table.add("place", formatter.point(plannedLocation?.point))
    table.add("time window", formatter.window(targetTimeWindow))
    table.add("takes", formatter.duration(taskDuration))
    if let sharing = journeySharingInfo {
      table.add(sharing.lastLocation.map(VehicleLocation.init), formatter)
      table.add(
        "on route",
        sharing.lastLocation == nil ? nil : formatter.flag(sharing.lastLocationSnappable))
      table.add("stops left", formatter.stops(sharing.remainingVehicleJourneySegments))
    }
    return table
  }
}
