import CommandShell
import Tripwire

extension TaskTrackingInfo {
  func table(_ formatter: TripFormatter) -> TextTable {
    var table = TextTable()
    table.add("shipment", name)
    table.add("state", formatter.words(state))
    table.add("outcome", formatter.outcome(taskOutcome, taskOutcomeTime))
    table.add("place", formatter.point(plannedLocation?.point))
    table.add("time window", formatter.window(targetTimeWindow))
    table.add("ETA", formatter.time(estimatedArrivalTime))
    table.add("completed at", formatter.time(estimatedTaskCompletionTime).map { "about \($0)" })
    table.add("stops left", remainingStopCount.map { String($0) })
    table.add("distance left", formatter.distance(remainingDrivingDistanceMeters))
    table.add(vehicleLocation.map(VehicleLocation.init), formatter)
    table.add("route", formatter.route(routePolylinePoints))
    table.add("attributes", formatter.attributes(attributes))
    return table
  }
}
