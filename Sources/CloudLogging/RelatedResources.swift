import FleetEngineAPI
import WireProtobuf

/// The resources that log entries connect with the wanted ones: the vehicles of a trip, the tasks of a delivery vehicle,
/// and the delivery vehicles of a task.
struct RelatedResources: Sendable {
  static let limit = 500

  /// Each once, in the order of the entries.
  private(set) var found: [LoggedResource] = []
  /// How many more there are than ``limit``.
  private(set) var omittedCount = 0
  private let wanted: Set<LoggedResource>
  private var seen: Set<LoggedResource>

  init(of wanted: [LoggedResource]) {
    self.wanted = Set(wanted)
    seen = self.wanted
  }

  mutating func add(_ entry: LogEntry) {
    let payload = entry.jsonPayload
    let request = payload?.object("request")
    let response = payload?.object("response")
    func label(_ kind: ResourceKind) -> String? { entry.labels[kind.idField] }

    if isWanted(.trip, label(.trip) ?? request?.id("tripId", "trip_id")) {
      for id in [
        label(.vehicle), response?.id("vehicleId", "vehicle_id"),
        request?.object("trip")?.id("vehicleId", "vehicle_id"),
      ] {
        add(.vehicle, id)
      }
    }
    if isWanted(.deliveryVehicle, label(.deliveryVehicle)) {
      add(.task, label(.task))
      for vehicle in [request?.object("deliveryVehicle", "delivery_vehicle"), response] {
        for id in vehicle?.taskIDs ?? [] { add(.task, id) }
      }
    }
    if isWanted(.task, label(.task)) {
      let names = ("deliveryVehicleId", "delivery_vehicle_id")
      for id in [
        label(.deliveryVehicle), response?.id(names.0, names.1),
        request?.object("task")?.id(names.0, names.1),
      ] {
        add(.deliveryVehicle, id)
      }
    }
  }

  private func isWanted(_ kind: ResourceKind, _ id: String?) -> Bool {
    guard let id else { return false }
    return [kind, nil].contains { LoggedResource($0, id: id).map(wanted.contains) == true }
  }

  private mutating func add(_ kind: ResourceKind, _ id: String?) {
    guard let id, !id.isEmpty, let resource = LoggedResource(kind, id: id),
      seen.insert(resource).inserted
    else { return }
    if found.count < Self.limit { found.append(resource) } else { omittedCount += 1 }
  }
}

extension Struct {
  /// - Parameter names: the name of the member, in each form that it may have.
  fileprivate func object(_ names: String...) -> Struct? {
    names.lazy.compactMap { fields[$0]?.structValue }.first
  }

  fileprivate func list(_ names: String...) -> [Value] {
    names.lazy.compactMap { fields[$0]?.listValue }.first?.values ?? []
  }

  /// Returns the ID in a member, which may be the name of a resource.
  fileprivate func id(_ names: String...) -> String? {
    let text = names.lazy.compactMap { fields[$0]?.stringValue }.first
    return text.flatMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// The tasks at the stops of a delivery vehicle.
  fileprivate var taskIDs: [String] {
    list("remainingVehicleJourneySegments", "remaining_vehicle_journey_segments").flatMap {
      $0.structValue?.object("stop")?.list("tasks").compactMap {
        $0.structValue?.id("taskId", "task_id")
      } ?? []
    }
  }
}
