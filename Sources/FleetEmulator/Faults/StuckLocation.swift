import FleetEngineAPI
import WireProtobuf

/// A time in which the reported locations of vehicles are discarded.
struct StuckLocation: Sendable {
  /// Nil for all vehicles.
  let resource: FaultResource?
  let begin: Timestamp
  /// Nil for no end.
  let end: Timestamp?

  func concerns(_ vehicle: ResourceName, at now: Timestamp) -> Bool {
    begin <= now && end.map { now < $0 } ?? true && resource.map { $0.isOf(vehicle) } ?? true
  }
}

extension FleetEngine {
  /// Returns the part of an update that is not discarded.
  func accepted(_ mask: FieldMask, of vehicle: ResourceName, at now: Timestamp) -> FieldMask {
    stuckLocations.contains { $0.concerns(vehicle, at: now) }
      ? mask.without(["last_location"]) : mask
  }
}
