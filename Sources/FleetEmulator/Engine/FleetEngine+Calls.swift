import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireGRPC
import WireProtobuf

extension FleetEngine {
  /// Executes a call.
  ///
  /// - Parameters:
  ///   - path: that of the method, such as `/maps.fleetengine.v1.TripService/GetTrip`.
  ///   - request: in binary form.
  ///   - authorize: throws if the caller lacks a claim.
  /// - Returns: the response in binary form.
  /// - Throws: ``EngineError``, UNIMPLEMENTED for a method that Fleet Engine does not have.
  mutating func call(
    _ path: String, _ request: [UInt8], at now: Timestamp,
    authorize: (() -> TokenClaim) throws(EngineError) -> Void = { _ in }
  ) throws(EngineError) -> [UInt8] {
    guard let method = Self.method(path) else {
      throw .noMethod(path)
    }
    return try method(&self, request, now, authorize)
  }

  /// The paths of all methods.
  package static var paths: [String] { methods.keys.sorted() }

  /// Returns the method at a path; nil if there is none.
  static func method(_ path: String) -> Method? { methods[path] }

  typealias Method =
    @Sendable (
      inout FleetEngine, [UInt8], Timestamp, (() -> TokenClaim) throws(EngineError) -> Void
    ) throws(EngineError) -> [UInt8]

  private static let methods = Dictionary(
    uniqueKeysWithValues: [
      encodedMethod(TripServiceMethods.getTrip, { .one(.trip, named: $0.name) }) {
        try $0.getTrip($1, at: $2)
      },
      method(TripServiceMethods.createTrip, { .one(.trip, $0.tripId) }) {
        try $0.createTrip($1, at: $2)
      },
      method(TripServiceMethods.updateTrip, { .one(.trip, named: $0.name) }) {
        try $0.updateTrip($1, at: $2)
      },
      method(TripServiceMethods.deleteTrip, { .one(.trip, named: $0.name) }) {
        try $0.deleteTrip($1, at: $2)
      },
      method(TripServiceMethods.reportBillableTrip, { .one(.trip, named: $0.name) }) {
        try $0.reportBillableTrip($1, at: $2)
      },
      method(
        TripServiceMethods.searchTrips,
        { $0.vehicleId.isEmpty ? .all(.trip) : .one(.vehicle, $0.vehicleId) }
      ) { try $0.searchTrips($1, at: $2) },
      method(VehicleServiceMethods.getVehicle, { .one(.vehicle, named: $0.name) }) {
        try $0.getVehicle($1, at: $2)
      },
      method(VehicleServiceMethods.createVehicle, { .one(.vehicle, $0.vehicleId) }) {
        try $0.createVehicle($1, at: $2)
      },
      method(VehicleServiceMethods.updateVehicle, { .one(.vehicle, named: $0.name) }) {
        try $0.updateVehicle($1, at: $2)
      },
      method(VehicleServiceMethods.updateVehicleAttributes, { .one(.vehicle, named: $0.name) }) {
        try $0.updateVehicleAttributes($1, at: $2)
      },
      method(VehicleServiceMethods.deleteVehicle, { .one(.vehicle, named: $0.name) }) {
        try $0.deleteVehicle($1, at: $2)
      },
      method(VehicleServiceMethods.listVehicles, { _ in .all(.vehicle) }) {
        try $0.listVehicles($1, at: $2)
      },
      method(VehicleServiceMethods.searchVehicles, { _ in .all(.vehicle) }) {
        try $0.searchVehicles($1, at: $2)
      },
      method(
        DeliveryServiceMethods.createDeliveryVehicle,
        { .one(.deliveryVehicle, $0.deliveryVehicleId) }
      ) {
        try $0.createDeliveryVehicle($1, at: $2)
      },
      method(DeliveryServiceMethods.getDeliveryVehicle, { .one(.deliveryVehicle, named: $0.name) })
      { try $0.getDeliveryVehicle($1, at: $2) },
      method(
        DeliveryServiceMethods.updateDeliveryVehicle,
        { .one(.deliveryVehicle, named: $0.deliveryVehicle?.name ?? "") }
      ) {
        try $0.updateDeliveryVehicle($1, at: $2)
      },
      method(
        DeliveryServiceMethods.deleteDeliveryVehicle, { .one(.deliveryVehicle, named: $0.name) }
      ) {
        try $0.deleteDeliveryVehicle($1, at: $2)
      },
      method(DeliveryServiceMethods.listDeliveryVehicles, { _ in .all(.deliveryVehicle) }) {
        try $0.listDeliveryVehicles($1, at: $2)
      },
      method(DeliveryServiceMethods.createTask, { .one(.task, $0.taskId) }) {
        try $0.createTask($1, at: $2)
      },
      method(DeliveryServiceMethods.batchCreateTasks, { .tasks($0.requests.map(\.taskId)) }) {
        try $0.batchCreateTasks($1, at: $2)
      },
      method(DeliveryServiceMethods.getTask, { .one(.task, named: $0.name) }) {
        try $0.getTask($1, at: $2)
      },
      method(DeliveryServiceMethods.updateTask, { .one(.task, named: $0.task?.name ?? "") }) {
        try $0.updateTask($1, at: $2)
      },
      method(DeliveryServiceMethods.deleteTask, { .one(.task, named: $0.name) }) {
        try $0.deleteTask($1, at: $2)
      },
      method(DeliveryServiceMethods.listTasks, { _ in .all(.task) }) {
        try $0.listTasks($1, at: $2)
      },
      method(
        DeliveryServiceMethods.getTaskTrackingInfo, { .one(.taskTrackingInfo, named: $0.name) }
      ) { try $0.getTaskTrackingInfo($1, at: $2) },
    ])

  private static func method<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor<Request, Response>,
    _ claim: @escaping @Sendable (Request) -> TokenClaim,
    _ body: @escaping @Sendable (inout FleetEngine, Request, Timestamp) throws -> Response
  ) -> (String, Method) {
    encodedMethod(descriptor, claim) { try body(&$0, $1, $2).serializedBytes() }
  }

  private static func encodedMethod<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor<Request, Response>,
    _ claim: @escaping @Sendable (Request) -> TokenClaim,
    _ body: @escaping @Sendable (inout FleetEngine, Request, Timestamp) throws -> [UInt8]
  ) -> (String, Method) {
    // A closure next to the descriptor would copy it in each call.
    let path = descriptor.path
    let isQuery = ["Get", "List", "Search"].contains { descriptor.method.hasPrefix($0) }
    return (
      path,
      { engine, bytes, now, authorize throws(EngineError) in
        do {
          let request = try Request(serializedBytes: bytes)
          if !isQuery { try check(timesOf: request) }
          try authorize { claim(request) }
          return try body(&engine, request, now)
        } catch let error as EngineError {
          throw error
        } catch {
          throw EngineError(.invalidArgument, "\(error)")
        }
      }
    )
  }

  /// Timestamps outside the years 1 to 9999 and such durations have no JSON form (google/protobuf/timestamp.proto), and
  /// would make the answers of others unreadable.
  private static func check(timesOf request: some Message) throws(EngineError) {
    do throws(JSONEncodingError) {
      _ = try request.jsonString()
    } catch  where [Timestamp.messageName, WireDuration.messageName].contains(error.messageName) {
      // Without the type of the request.
      throw .invalid(String(error.fieldPath.drop { $0 != "." }.dropFirst()), error.reason)
    } catch {}
  }
}
