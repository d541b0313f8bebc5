package import Tripwire
import WireProtobuf

extension FleetResource {
  /// Returns the JSON names of the fields that differ from those of an older state.
  ///
  /// - Parameter old: of the same kind; nil if there is none.
  package func changedFields(since old: FleetResource?) -> [String] {
    switch (self, old) {
    case (.trip(let new), .trip(let old)): ChangedFields.names(from: old, to: new)
    case (.trip(let new), _): ChangedFields.names(from: Trip(), to: new)
    case (.vehicle(let new), .vehicle(let old)): Vehicle.changes(from: old, to: new).jsonNames
    case (.vehicle(let new), _): Vehicle.changes(from: Vehicle(), to: new).jsonNames
    case (.deliveryVehicle(let new), .deliveryVehicle(let old)):
      DeliveryVehicle.changes(from: old, to: new).jsonNames
    case (.deliveryVehicle(let new), _):
      DeliveryVehicle.changes(from: DeliveryVehicle(), to: new).jsonNames
    case (.task(let new), .task(let old)): DeliveryTask.changes(from: old, to: new).jsonNames
    case (.task(let new), _): DeliveryTask.changes(from: DeliveryTask(), to: new).jsonNames
    case (.taskTrackingInfo(let new), .taskTrackingInfo(let old)):
      TaskTrackingInfo.changes(from: old, to: new).jsonNames
    case (.taskTrackingInfo(let new), _):
      TaskTrackingInfo.changes(from: TaskTrackingInfo(), to: new).jsonNames
    }
  }
}

extension FieldMask {
  /// The paths in lowerCamelCase.
  fileprivate var jsonNames: [String] {
    let text = (try? jsonString()) ?? ""
    return text.dropFirst().dropLast().split(separator: ",").map(String.init)
  }
}
