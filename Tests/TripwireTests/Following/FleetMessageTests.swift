import FleetEngineAPI
import Testing

@testable import Tripwire

@Suite struct FleetMessageTests {
  @Test(arguments: ResourceKind.allCases)
  func eachKindHasItsMessage(kind: ResourceKind) {
    let type = kind.messageType
    #expect(type.kind == kind)
    #expect(type.init().resource.kind == kind)
    #expect(kind.messageName == type.messageName)
  }

  @Test func kindsNameTheirMethods() {
    #expect(
      ResourceKind.allCases.map(\.getPath) == [
        TripServiceMethods.getTrip.path, VehicleServiceMethods.getVehicle.path,
        DeliveryServiceMethods.getTask.path, DeliveryServiceMethods.getDeliveryVehicle.path,
        DeliveryServiceMethods.getTaskTrackingInfo.path,
      ])
    #expect(
      ResourceKind.deliveryVehicle.path(of: "Update")
        == DeliveryServiceMethods.updateDeliveryVehicle.path)
  }

  @Test func onlyTripsTakeOptions() {
    let options = TripRequestOptions(view: .sdk, routeFormat: .encodedPolylineType)
    #expect(Trip.requestOptions(options) == options)
    #expect(Vehicle.requestOptions(options) == NoRequestOptions())
  }
}
