public import Tripwire

extension FleetEmulator {
  /// A method of Fleet Engine.
  public enum Method: String, CaseIterable, Sendable {
    case batchCreateTasks = "maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks"
    case createDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/CreateDeliveryVehicle"
    case createTask = "maps.fleetengine.delivery.v1.DeliveryService/CreateTask"
    case createTrip = "maps.fleetengine.v1.TripService/CreateTrip"
    case createVehicle = "maps.fleetengine.v1.VehicleService/CreateVehicle"
    case deleteDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/DeleteDeliveryVehicle"
    case deleteTask = "maps.fleetengine.delivery.v1.DeliveryService/DeleteTask"
    case deleteTrip = "maps.fleetengine.v1.TripService/DeleteTrip"
    case deleteVehicle = "maps.fleetengine.v1.VehicleService/DeleteVehicle"
    case getDeliveryVehicle = "maps.fleetengine.delivery.v1.DeliveryService/GetDeliveryVehicle"
    case getTask = "maps.fleetengine.delivery.v1.DeliveryService/GetTask"
    case getTaskTrackingInfo = "maps.fleetengine.delivery.v1.DeliveryService/GetTaskTrackingInfo"
    case getTrip = "maps.fleetengine.v1.TripService/GetTrip"
    case getVehicle = "maps.fleetengine.v1.VehicleService/GetVehicle"
    case listDeliveryVehicles = "maps.fleetengine.delivery.v1.DeliveryService/ListDeliveryVehicles"
    case listTasks = "maps.fleetengine.delivery.v1.DeliveryService/ListTasks"
    case listVehicles = "maps.fleetengine.v1.VehicleService/ListVehicles"
    case reportBillableTrip = "maps.fleetengine.v1.TripService/ReportBillableTrip"
    case searchTrips = "maps.fleetengine.v1.TripService/SearchTrips"
    case searchVehicles = "maps.fleetengine.v1.VehicleService/SearchVehicles"
    case updateDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/UpdateDeliveryVehicle"
    case updateTask = "maps.fleetengine.delivery.v1.DeliveryService/UpdateTask"
    case updateTrip = "maps.fleetengine.v1.TripService/UpdateTrip"
    case updateVehicle = "maps.fleetengine.v1.VehicleService/UpdateVehicle"
    case updateVehicleAttributes = "maps.fleetengine.v1.VehicleService/UpdateVehicleAttributes"

    var path: String { "/\(rawValue)" }
  }

  /// Makes calls fail.
  ///
  ///     fleet.fail(.getTrip, with: .unavailable, for: .seconds(20))
  ///
  /// - Parameters:
  ///   - methods: the methods that fail; all if there is none.
  ///   - code: not OK.
  ///   - message: the message of the status.
  ///   - duration: how long they fail; nil for no end.
  ///   - count: the number of calls that fail; nil for all.
  public func fail(
    _ methods: Method..., with code: StatusCode, _ message: String = "failed on purpose",
    for duration: Duration? = nil, times count: Int? = nil
  ) {
    add(.failure(EngineError(code, message)), methods, duration, count)
  }

  /// Makes calls wait for their answers.
  ///
  /// - Parameters:
  ///   - methods: the methods that wait; all if there is none.
  ///   - latency: the time from the request to the answer.
  ///   - duration: how long there is the latency; nil for no end.
  public func delay(_ methods: Method..., by latency: Duration, for duration: Duration? = nil) {
    add(.latency(latency), methods, duration, nil)
  }

  /// Leaves calls without an answer.
  ///
  /// - Parameters:
  ///   - methods: the methods without an answer; all if there is none.
  ///   - duration: how long new calls get none; nil for no end.
  public func hang(_ methods: Method..., for duration: Duration? = nil) {
    add(.silence, methods, duration, nil)
  }

  /// Closes the connections of calls.
  ///
  /// - Parameter duration: how long; nil for no end.
  public func disconnect(for duration: Duration? = nil, times count: Int? = nil) {
    add(.disconnect, [], duration, count)
  }

  /// Ends all faults.
  public func recover() {
    fleet.change { state, _ in state.faults.removeAll() }
  }

  private func add(
    _ effect: Fault.Effect, _ methods: [Method], _ duration: Duration?, _ count: Int?
  ) {
    fleet.change { state, now in
      state.faults.add(
        Fault(
          effect: effect, methods: methods.isEmpty ? nil : Set(methods.map(\.path)),
          end: duration.map { now + $0 }, count: count))
    }
  }
}
