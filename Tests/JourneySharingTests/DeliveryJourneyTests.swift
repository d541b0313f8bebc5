import JourneySharing
import Testing
import Tripwire
import WireProtobuf

@Suite struct DeliveryJourneyTests {
  private static let path = #"[{"latitude":1,"longitude":1},{"latitude":1,"longitude":2}]"#
  private static let onward = #"[{"latitude":1,"longitude":2},{"latitude":2,"longitude":2}]"#
  private static let location = #"{"location":{"latitude":1,"longitude":1},"heading":90}"#

  @Test func taskHasItsPlaceAndTheWayOfTheVehicle() throws {
    let task = try DeliveryTask(
      jsonString: """
        {"name":"providers/p/tasks/t1","state":"OPEN",
         "plannedLocation":{"point":{"latitude":2,"longitude":2}},
         "journeySharingInfo":{"lastLocation":\(Self.location),"remainingVehicleJourneySegments":[
          {"path":\(Self.path)},{"path":\(Self.onward)}]}}
        """)
    let journey = Journey(task)
    #expect(journey.name == "providers/p/tasks/t1")
    #expect(journey.markers.map(\.kind) == [.dropoff, .vehicle])
    #expect(journey.markers.last?.heading == 90)
    #expect(journey.polylines.map(\.kind) == [.remainingRoute, .activeRoute])
    #expect(journey.camera != nil)
    let json = journey.geoJSONString()
    #expect(json.contains(#""status":"OPEN""#))
  }

  @Test func closedTaskHasOnlyItsPlace() throws {
    let task = try DeliveryTask(
      jsonString: """
        {"state":"CLOSED","plannedLocation":{"point":{"latitude":2,"longitude":2}},
         "journeySharingInfo":{"lastLocation":\(Self.location)}}
        """)
    #expect(Journey(task).markers.map(\.kind) == [.dropoff])
  }

  @Test func vehicleHasItsStops() throws {
    let vehicle = try DeliveryVehicle(
      jsonString: """
        {"lastLocation":\(Self.location),"remainingVehicleJourneySegments":[
          {"path":\(Self.path),"stop":{"plannedLocation":{"point":{"latitude":1,"longitude":2}}}},
          {"stop":{"plannedLocation":{"point":{"latitude":99,"longitude":2}}}},
          {"path":\(Self.onward),"stop":{"plannedLocation":{"point":{"latitude":2,"longitude":2}}}}]}
        """)
    let journey = Journey(vehicle)
    #expect(
      journey.markers.map(\.kind) == [.intermediateDestination, .intermediateDestination, .vehicle])
    #expect(journey.markers.map(\.index) == [0, 2, nil])
    #expect(!journey.geoJSONString().contains("\"status\""))
  }

  @Test func partsWithAHigherIndexAreDrawnOnTop() throws {
    let vehicle = try DeliveryVehicle(
      jsonString: """
        {"lastLocation":\(Self.location),"remainingVehicleJourneySegments":[
          {"path":\(Self.path),"stop":{"plannedLocation":{"point":{"latitude":1,"longitude":2}}}},
          {"path":\(Self.onward)}]}
        """)
    var style = JourneyStyle()
    style.remainingRoute.zIndex = 11
    style.vehicle.zIndex = -1
    let journey = Journey(vehicle, style: style)
    #expect(journey.polylines.map(\.kind) == [.activeRoute, .remainingRoute])
    #expect(journey.markers.map(\.kind) == [.vehicle, .intermediateDestination])
  }

  @Test func trackingHasWhatTheRecipientMaySee() throws {
    let tracking = try TaskTrackingInfo(
      jsonString: #"{"routePolylinePoints":\#(Self.path),"vehicleLocation":\#(Self.location)}"#)
    let journey = Journey(tracking)
    #expect(journey.markers.map(\.kind) == [.vehicle])
    #expect(journey.polylines.map(\.points.count) == [2])
    #expect(Journey(TaskTrackingInfo()).camera == nil)
  }

  @Test func resourcesWithoutAStateHaveNoStatus() {
    for journey in [Journey(DeliveryTask()), Journey(TaskTrackingInfo()), Journey(Vehicle())] {
      #expect(!journey.geoJSONString().contains("\"status\""))
    }
  }

  @Test func vehicleOfATaskIsOnItsRoute() throws {
    var task = try DeliveryTask(
      jsonString: """
        {"state":"OPEN","journeySharingInfo":{
         "lastLocation":{"location":{"latitude":1.001,"longitude":1.5}},"lastLocationSnappable":true,
         "remainingVehicleJourneySegments":[{"path":\(Self.path)}]}}
        """)
    let marker = try #require(Journey(task).markers.last)
    #expect(marker.isSnapped)
    #expect(marker.position == LatLng(1, 1.5))
    #expect(marker.rawPosition == LatLng(1.001, 1.5))
    task.journeySharingInfo?.lastLocationSnappable = false
    #expect(Journey(task).markers.last?.isSnapped == false)
  }

  @Test func captionOfAPictureHasTheState() throws {
    let task = try DeliveryTask(jsonString: #"{"name":"t","state":"CLOSED"}"#)
    #expect(Journey(task).svgString().contains(">t  CLOSED<"))
    #expect(
      Journey(DeliveryVehicle()).svgString().contains(
        "<title>  </title>"))
  }
}
