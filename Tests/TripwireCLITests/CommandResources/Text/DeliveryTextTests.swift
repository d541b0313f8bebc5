import Testing
import WireProtobuf

@testable import CommandResources
@testable import CommandShell
@testable import Tripwire

@Suite struct DeliveryTextTests {
  private let clock = WallClock(now: 1_767_225_600) { _ in 0 }  // 2026-01-01T00:00:00Z

  @Test func showsATask() throws {
    let task = try DeliveryTask(
      jsonString: """
        {"name":"providers/p/tasks/t1","type":"DELIVERY","state":"CLOSED","taskOutcome":"FAILED",
         "taskOutcomeTime":"2026-01-01T00:00:00Z","taskOutcomeLocationSource":"LAST_VEHICLE_LOCATION",
         "taskOutcomeLocation":{"point":{"latitude":1,"longitude":2}},"trackingId":"S-1",
         "deliveryVehicleId":"v1","plannedLocation":{"point":{"latitude":3,"longitude":4}},
         "taskDuration":"90s","targetTimeWindow":{"startTime":"2026-01-01T00:10:00Z"},
         "attributes":[{"key":"floor","numberValue":3}]}
        """)
    #expect(
      FleetResource.task(task).text(clock) == """
        task         providers/p/tasks/t1
        type         delivery
        state        closed
        outcome      failed, 00:00:00 (now)
        outcome at   1.000000, 2.000000, by last vehicle location
        shipment     S-1
        vehicle      v1
        place        3.000000, 4.000000
        time window  from 00:10:00 (in 10 min)
        takes        1 min 30 s
        attributes   floor = 3
        time zone    UTC

        """)
  }

  /// The second stop is reached after the drive, the task at the first stop, and another drive.
  @Test func showsTheStopsOfAVehicle() throws {
    let vehicle = try DeliveryVehicle(
      jsonString: """
        {"name":"providers/p/deliveryVehicles/v1","type":"AUTO","navigationStatus":"NO_GUIDANCE",
         "remainingVehicleJourneySegments":[
          {"drivingDuration":"60s","drivingDistanceMeters":500,"stop":{"state":"ENROUTE",
           "plannedLocation":{"point":{"latitude":1,"longitude":2}},
           "tasks":[{"taskId":"a","taskDuration":"30s"},{"taskId":"b"}]}},
          {"drivingDuration":"120s","stop":{"state":"NEW"}}, {"stop":{}}]}
        """)
    #expect(
      FleetResource.deliveryVehicle(vehicle).text(clock) == """
        vehicle            providers/p/deliveryVehicles/v1
        type               auto
        navigation         no guidance
        vehicle at         —
        heading            —
        speed              —
        location from      —
        distance left      —
        time to next stop  —
        stops left         1  enroute  1.000000, 2.000000  500 m  1 min  ETA about 00:01:00 (in 1 min)       task a, task b
                           2  new      —                   —      2 min  ETA about 00:03:30 (in 3 min 30 s)
                           3  —        —                   —      —      —
        attributes         —
        time zone          UTC

        """)
  }

  @Test func firstStopHasTheRemainingDistanceAndTimeOfTheVehicle() throws {
    let vehicle = try DeliveryVehicle(
      jsonString: """
        {"remainingDistanceMeters":120,"remainingDuration":"20s","remainingVehicleJourneySegments":[
          {"drivingDuration":"60s","drivingDistanceMeters":500},
          {"drivingDuration":"120s","drivingDistanceMeters":900}]}
        """)
    let text = FleetResource.deliveryVehicle(vehicle).text(clock)
    #expect(text.contains("1  —  —  120 m  20 s   ETA about 00:00:20 (in 20 s)"))
    #expect(text.contains("2  —  —  900 m  2 min  ETA about 00:02:20 (in 2 min 20 s)"))
  }

  @Test func showsTheTrackingOfAShipment() throws {
    let tracking = try TaskTrackingInfo(
      jsonString: """
        {"name":"providers/p/taskTrackingInfo/S-1","state":"OPEN","remainingStopCount":2,
         "remainingDrivingDistanceMeters":1500,"estimatedArrivalTime":"2026-01-01T00:05:00Z",
         "targetTimeWindow":{"startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T00:10:00Z"}}
        """)
    #expect(
      FleetResource.taskTrackingInfo(tracking).text(clock) == """
        shipment       providers/p/taskTrackingInfo/S-1
        state          open
        outcome        —
        place          —
        time window    from 00:00:00 (now) to 00:10:00 (in 10 min)
        ETA            00:05:00 (in 5 min)
        completed at   —
        stops left     2
        distance left  1.5 km
        vehicle at     —
        heading        —
        speed          —
        location from  —
        route          —
        attributes     —
        time zone      UTC

        """)
  }
}
