public import Tripwire
import WireGRPC
import WireProtobuf

extension FleetEmulator {
  /// A method of Fleet Engine.
  public enum Method: String, CaseIterable, Sendable {
    /// Creates several tasks.
    case batchCreateTasks = "maps.fleetengine.delivery.v1.DeliveryService/BatchCreateTasks"
    /// Creates a delivery vehicle.
    case createDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/CreateDeliveryVehicle"
    /// Creates a task.
    case createTask = "maps.fleetengine.delivery.v1.DeliveryService/CreateTask"
    /// Creates a trip.
    case createTrip = "maps.fleetengine.v1.TripService/CreateTrip"
    /// Creates a vehicle.
    case createVehicle = "maps.fleetengine.v1.VehicleService/CreateVehicle"
    /// Deletes a delivery vehicle.
    case deleteDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/DeleteDeliveryVehicle"
    /// Deletes a task.
    case deleteTask = "maps.fleetengine.delivery.v1.DeliveryService/DeleteTask"
    /// Deletes a trip.
    case deleteTrip = "maps.fleetengine.v1.TripService/DeleteTrip"
    /// Deletes a vehicle.
    case deleteVehicle = "maps.fleetengine.v1.VehicleService/DeleteVehicle"
    /// Gets a delivery vehicle.
    case getDeliveryVehicle = "maps.fleetengine.delivery.v1.DeliveryService/GetDeliveryVehicle"
    /// Gets a task.
    case getTask = "maps.fleetengine.delivery.v1.DeliveryService/GetTask"
    /// Gets the tracking information of a shipment.
    case getTaskTrackingInfo = "maps.fleetengine.delivery.v1.DeliveryService/GetTaskTrackingInfo"
    /// Gets a trip.
    case getTrip = "maps.fleetengine.v1.TripService/GetTrip"
    /// Gets a vehicle.
    case getVehicle = "maps.fleetengine.v1.VehicleService/GetVehicle"
    /// Lists delivery vehicles.
    case listDeliveryVehicles = "maps.fleetengine.delivery.v1.DeliveryService/ListDeliveryVehicles"
    /// Lists tasks.
    case listTasks = "maps.fleetengine.delivery.v1.DeliveryService/ListTasks"
    /// Lists vehicles.
    case listVehicles = "maps.fleetengine.v1.VehicleService/ListVehicles"
    /// Reports a trip for billing.
    case reportBillableTrip = "maps.fleetengine.v1.TripService/ReportBillableTrip"
    /// Searches trips.
    case searchTrips = "maps.fleetengine.v1.TripService/SearchTrips"
    /// Searches vehicles for a trip.
    case searchVehicles = "maps.fleetengine.v1.VehicleService/SearchVehicles"
    /// Changes a delivery vehicle.
    case updateDeliveryVehicle =
      "maps.fleetengine.delivery.v1.DeliveryService/UpdateDeliveryVehicle"
    /// Changes a task.
    case updateTask = "maps.fleetengine.delivery.v1.DeliveryService/UpdateTask"
    /// Changes a trip.
    case updateTrip = "maps.fleetengine.v1.TripService/UpdateTrip"
    /// Changes a vehicle.
    case updateVehicle = "maps.fleetengine.v1.VehicleService/UpdateVehicle"
    /// Changes the attributes of a vehicle.
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
  ///   - count: the number of calls that fail; nil for all, and none if it is not positive.
  public func fail(
    _ methods: Method..., with code: StatusCode, _ message: String = "failed on purpose",
    for duration: Duration? = nil, times count: Int? = nil
  ) {
    add(.status(EngineError(code, message).status), methods, duration, count)
  }

  /// Makes calls wait for their answers.
  ///
  /// - Parameters:
  ///   - methods: the methods that wait; all if there is none.
  ///   - latency: the time from the request to the answer, up to one hour.
  ///   - duration: how long new calls are delayed; nil for no end.
  public func delay(_ methods: Method..., by latency: Duration, for duration: Duration? = nil) {
    add(.latency(WireDuration(min(latency, Fault.longestLatency))), methods, duration, nil)
  }

  /// Leaves calls without an answer.
  ///
  /// - Parameters:
  ///   - methods: the methods without an answer; all if there is none.
  ///   - duration: how long new calls get none; nil for no end.
  public func hang(_ methods: Method..., for duration: Duration? = nil) {
    add(.silence(Empty()), methods, duration, nil)
  }

  /// Closes the connections of calls.
  ///
  /// - Parameters:
  ///   - duration: how long; nil for no end.
  ///   - count: the number of calls; nil for all, and none if it is not positive.
  public func disconnect(for duration: Duration? = nil, times count: Int? = nil) {
    add(.disconnect(Empty()), [], duration, count)
  }

  /// Ends all faults. Calls that are already delayed or unanswered stay so.
  public func recover() {
    fleet.change { state, _ in state.faults.deleteAll() }
  }

  private func add(
    _ effect: Fault.Effect, _ methods: [Method], _ duration: Duration?, _ count: Int?
  ) {
    // Zero is no limit in a fault.
    guard count.map({ $0 > 0 }) ?? true else { return }
    let fault = Fault(
      methods: methods.map(\.path), duration: duration.map(WireDuration.init),
      times: Int32(clamping: count ?? 0), effect: effect)
    // A fault without a duration or a latency has no effect.
    _ = try? fleet.execute { state, now throws(EngineError) in
      try state.faults.create(fault, at: now)
    }
  }
}
