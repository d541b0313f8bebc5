import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireGRPC
import WireProtobuf

/// Reads the requests of the methods of Fleet Engine.
package struct RequestReader: Sendable {
  /// The request and the response of the method.
  let types: [any Message.Type]
  /// Returns nil for bytes that are not a request of the method.
  let form: @Sendable ([UInt8]) -> RequestForm?
  /// Returns the names of the top-level fields in which two requests differ, header and version stamps
  /// included; empty if they are equal or invalid.
  let changes: @Sendable ([UInt8], [UInt8]) -> [String]
  /// Returns the fields in which a request differs from the most similar of some others.
  let differences: @Sendable ([UInt8], [[UInt8]]) -> [RequestDifference]

  /// Returns the name of the resource in a request, "providers/p/trips/t1"; nil if it has none.
  package static func resource(of request: [UInt8], to path: String) -> String? {
    form(path, request).flatMap { $0.resource.isEmpty ? nil : $0.resource }
  }

  /// Returns nil for an unknown method, and for bytes that are not a request of the method.
  static func form(_ path: String, _ bytes: [UInt8]) -> RequestForm? {
    all[path]?.form(bytes)
  }

  /// By the path of the method.
  static let all = {
    var readers: [String: RequestReader] = [:]
    readers.addTripMethods()
    readers.addVehicleMethods()
    readers.addDeliveryMethods()
    return readers
  }()
}

extension [String: RequestReader] {
  private mutating func add<Request, Response>(
    _ method: MethodDescriptor<Request, Response>,
    named name: (@Sendable (Request) -> String)? = nil,
    without strip: @escaping @Sendable (inout Request) -> Void
  ) {
    self[method.path] = RequestReader(
      types: [Request.self, Response.self],
      form: { bytes in
        guard var request = try? Request(serializedBytes: bytes) else { return nil }
        strip(&request)
        return RequestForm(
          canonical: request.serializedBytes(),
          resource: (name ?? method.routing?.value)?(request) ?? "")
      },
      changes: { RequestDifference.changedFields(Request.self, $0, $1) },
      differences: { RequestDifference.all(Request.self, of: $0, from: $1) })
  }

  // A request to create a resource has the name of the new resource. Version stamps name the parts of a trip that
  // the client has. The response recorded for other stamps may repeat or leave out some parts, but is better than
  // none.

  fileprivate mutating func addTripMethods() {
    typealias Trips = TripServiceMethods
    add(
      Trips.createTrip, named: { "\($0.parent)/trips/\($0.tripId)" },
      without: { $0.header = nil })
    add(Trips.getTrip) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.currentRouteSegmentTrafficVersion = nil
      $0.remainingWaypointsVersion = nil
      $0.remainingWaypointsRouteVersion = nil
    }
    add(Trips.deleteTrip) { $0.header = nil }
    add(Trips.reportBillableTrip) { _ in }
    add(Trips.searchTrips) { $0.header = nil }
    add(Trips.updateTrip) { $0.header = nil }
  }

  fileprivate mutating func addVehicleMethods() {
    typealias Vehicles = VehicleServiceMethods
    add(
      Vehicles.createVehicle, named: { "\($0.parent)/vehicles/\($0.vehicleId)" },
      without: { $0.header = nil })
    add(Vehicles.getVehicle) {
      $0.header = nil
      $0.currentRouteSegmentVersion = nil
      $0.waypointsVersion = nil
    }
    add(Vehicles.deleteVehicle) { $0.header = nil }
    add(Vehicles.updateVehicle) { $0.header = nil }
    add(Vehicles.updateVehicleAttributes) { $0.header = nil }
    add(Vehicles.listVehicles) { $0.header = nil }
    add(Vehicles.searchVehicles) { $0.header = nil }
  }

  fileprivate mutating func addDeliveryMethods() {
    typealias Deliveries = DeliveryServiceMethods
    add(
      Deliveries.createDeliveryVehicle,
      named: { "\($0.parent)/deliveryVehicles/\($0.deliveryVehicleId)" },
      without: { $0.header = nil })
    add(Deliveries.getDeliveryVehicle) { $0.header = nil }
    add(Deliveries.deleteDeliveryVehicle) { $0.header = nil }
    add(Deliveries.updateDeliveryVehicle) { $0.header = nil }
    add(Deliveries.listDeliveryVehicles) { $0.header = nil }
    add(
      Deliveries.createTask, named: { "\($0.parent)/tasks/\($0.taskId)" },
      without: { $0.header = nil })
    add(Deliveries.batchCreateTasks) { request in
      request.header = nil
      for index in request.requests.indices { request.requests[index].header = nil }
    }
    add(Deliveries.getTask) { $0.header = nil }
    add(Deliveries.deleteTask) { $0.header = nil }
    add(Deliveries.updateTask) { $0.header = nil }
    add(Deliveries.listTasks) { $0.header = nil }
    add(Deliveries.getTaskTrackingInfo) { $0.header = nil }
  }
}
