import FleetEngineDeliveryAPI
import WireProtobuf

/// A task, without the journey of its vehicle.
struct StoredTask: Sendable, Equatable {
  private var packed: PackedMessage<DeliveryTask>
  private(set) var isOpen: Bool
  /// The vehicle that executes or executed it; empty before it is assigned.
  private(set) var vehicleID: String

  init(_ task: DeliveryTask) {
    packed = PackedMessage(task)
    (isOpen, vehicleID) = (task.state == .open, task.deliveryVehicleId)
  }

  var task: DeliveryTask {
    get { packed.content }
    set { self = StoredTask(newValue) }
  }

  /// The binary form.
  var bytes: [UInt8] { packed.bytes }

  /// Whether it is on the journey of a vehicle.
  var isAssigned: Bool { isOpen && !vehicleID.isEmpty }
}
