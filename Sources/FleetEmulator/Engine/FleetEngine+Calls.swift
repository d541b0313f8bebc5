import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireGRPC
package import WireProtobuf

extension FleetEngine {
  /// Executes a call.
  ///
  /// - Parameters:
  ///   - path: that of the method, such as `/maps.fleetengine.v1.TripService/GetTrip`.
  ///   - request: in binary form.
  /// - Returns: the response in binary form.
  /// - Throws: ``EngineError``, UNIMPLEMENTED for a method that Fleet Engine does not have.
  package mutating func call(
    _ path: String, _ request: [UInt8], at now: Timestamp
  ) throws(EngineError) -> [UInt8] {
    guard let method = Self.methods[path] else {
      throw EngineError(.unimplemented, "unknown method \(path)")
    }
    return try method(&self, request, now)
  }

  /// The paths of all methods.
  package static var paths: [String] { methods.keys.sorted() }

  package static func hasMethod(_ path: String) -> Bool { methods[path] != nil }

  private typealias Method =
    @Sendable (inout FleetEngine, [UInt8], Timestamp) throws(EngineError) -> [UInt8]

  private static let methods = Dictionary(
    uniqueKeysWithValues: [
      encodedMethod(TripServiceMethods.getTrip) { try $0.getTrip($1, at: $2) },
      method(TripServiceMethods.createTrip) { try $0.createTrip($1, at: $2) },
      method(TripServiceMethods.updateTrip) { try $0.updateTrip($1, at: $2) },
      method(TripServiceMethods.deleteTrip) { try $0.deleteTrip($1, at: $2) },
      method(TripServiceMethods.reportBillableTrip) { try $0.reportBillableTrip($1, at: $2) },
      method(TripServiceMethods.searchTrips) { try $0.searchTrips($1, at: $2) },
      method(VehicleServiceMethods.getVehicle) { try $0.getVehicle($1, at: $2) },
      method(VehicleServiceMethods.createVehicle) { try $0.createVehicle($1, at: $2) },
      method(VehicleServiceMethods.updateVehicle) { try $0.updateVehicle($1, at: $2) },
      method(VehicleServiceMethods.updateVehicleAttributes) {
        try $0.updateVehicleAttributes($1, at: $2)
      },
      method(VehicleServiceMethods.deleteVehicle) { try $0.deleteVehicle($1, at: $2) },
      method(VehicleServiceMethods.listVehicles) { try $0.listVehicles($1, at: $2) },
      method(VehicleServiceMethods.searchVehicles) { try $0.searchVehicles($1, at: $2) },
      method(DeliveryServiceMethods.createDeliveryVehicle) {
        try $0.createDeliveryVehicle($1, at: $2)
      },
      method(DeliveryServiceMethods.getDeliveryVehicle) { try $0.getDeliveryVehicle($1, at: $2) },
      method(DeliveryServiceMethods.updateDeliveryVehicle) {
        try $0.updateDeliveryVehicle($1, at: $2)
      },
      method(DeliveryServiceMethods.deleteDeliveryVehicle) {
        try $0.deleteDeliveryVehicle($1, at: $2)
      },
      method(DeliveryServiceMethods.listDeliveryVehicles) {
        try $0.listDeliveryVehicles($1, at: $2)
      },
      method(DeliveryServiceMethods.createTask) { try $0.createTask($1, at: $2) },
      method(DeliveryServiceMethods.batchCreateTasks) { try $0.batchCreateTasks($1, at: $2) },
      method(DeliveryServiceMethods.getTask) { try $0.getTask($1, at: $2) },
      method(DeliveryServiceMethods.updateTask) { try $0.updateTask($1, at: $2) },
      method(DeliveryServiceMethods.deleteTask) { try $0.deleteTask($1, at: $2) },
      method(DeliveryServiceMethods.listTasks) { try $0.listTasks($1, at: $2) },
      method(DeliveryServiceMethods.getTaskTrackingInfo) { try $0.getTaskTrackingInfo($1, at: $2) },
    ])

  private static func method<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor<Request, Response>,
    _ body: @escaping @Sendable (inout FleetEngine, Request, Timestamp) throws -> Response
  ) -> (String, Method) {
    encodedMethod(descriptor) { try body(&$0, $1, $2).serializedBytes() }
  }

  private static func encodedMethod<Request: Message, Response: Message>(
    _ descriptor: MethodDescriptor<Request, Response>,
    _ body: @escaping @Sendable (inout FleetEngine, Request, Timestamp) throws -> [UInt8]
  ) -> (String, Method) {
    (
      descriptor.path,
      { engine, bytes, now throws(EngineError) in
        do {
          return try body(&engine, Request(serializedBytes: bytes), now)
        } catch let error as EngineError {
          throw error
        } catch {
          throw EngineError(.invalidArgument, "\(error)")
        }
      }
    )
  }
}
