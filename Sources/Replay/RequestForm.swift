import FleetEngineAPI
import WireGRPC
import WireProtobuf

/// What a request asks for, apart from who asks and what the asker has already.
struct RequestForm {
  /// The request without its header and version stamps, in our own encoding: equal for requests
  /// that want the same thing, whatever order their fields came in.
  var canonical: [UInt8]
  /// The name of what is asked for, such as "providers/p/trips/t1".
  var resource: String
}

/// How to read the requests of one method.
struct RequestReader: Sendable {
  /// Nil when the bytes are not such a request.
  let form: @Sendable ([UInt8]) -> RequestForm?

  /// `strip` takes out what does not change the answer; `resource` names what is asked for,
  /// the field of the routing rule if not given.
  init<Request, Response>(
    _ method: MethodDescriptor<Request, Response>,
    resource: (@Sendable (Request) -> String)? = nil,
    strip: @escaping @Sendable (inout Request) -> Void
  ) {
    let resource = resource ?? method.routing?.value
    form = { bytes in
      guard var request = try? Request(serializedBytes: bytes) else { return nil }
      strip(&request)
      return RequestForm(
        canonical: request.serializedBytes(), resource: resource?(request) ?? "")
    }
  }

  /// Every method of Fleet Engine, by path. Version stamps say what the client has seen; an answer
  /// that was recorded for others may repeat some of it, which a client must bear anyway.
  static let all: [String: RequestReader] = [
    TripServiceMethods.createTrip.path: RequestReader(
      TripServiceMethods.createTrip, resource: { "\($0.parent)/trips/\($0.tripId)" }
    ) { $0.header = nil },
    TripServiceMethods.getTrip.path: RequestReader(TripServiceMethods.getTrip) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.currentRouteSegmentTrafficVersion = nil
      $0.remainingWaypointsVersion = nil
      $0.remainingWaypointsRouteVersion = nil
    },
    TripServiceMethods.deleteTrip.path: RequestReader(TripServiceMethods.deleteTrip) {
      $0.header = nil
    },
    TripServiceMethods.reportBillableTrip.path: RequestReader(
      TripServiceMethods.reportBillableTrip
    ) { _ in },
    TripServiceMethods.searchTrips.path: RequestReader(TripServiceMethods.searchTrips) {
      $0.header = nil
    },
    TripServiceMethods.updateTrip.path: RequestReader(TripServiceMethods.updateTrip) {
      $0.header = nil
    },
    VehicleServiceMethods.createVehicle.path: RequestReader(
      VehicleServiceMethods.createVehicle, resource: { "\($0.parent)/vehicles/\($0.vehicleId)" }
    ) { $0.header = nil },
    VehicleServiceMethods.getVehicle.path: RequestReader(VehicleServiceMethods.getVehicle) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.waypointsVersion = nil
    },
    VehicleServiceMethods.deleteVehicle.path: RequestReader(VehicleServiceMethods.deleteVehicle) {
      $0.header = nil
    },
    VehicleServiceMethods.updateVehicle.path: RequestReader(VehicleServiceMethods.updateVehicle) {
      $0.header = nil
    },
    VehicleServiceMethods.updateVehicleAttributes.path: RequestReader(
      VehicleServiceMethods.updateVehicleAttributes
    ) { $0.header = nil },
    VehicleServiceMethods.listVehicles.path: RequestReader(VehicleServiceMethods.listVehicles) {
      $0.header = nil
    },
    VehicleServiceMethods.searchVehicles.path: RequestReader(
      VehicleServiceMethods.searchVehicles
    ) { $0.header = nil },
  ]
}
