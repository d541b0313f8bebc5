import FleetEngineAPI
import Tripwire
import WireGRPC
import WireProtobuf

/// A fault that calls have for some time.
struct Fault: Sendable {
  /// What happens to a call.
  enum Effect: Sendable {
    /// It fails with this status. The engine does not execute it.
    case failure(EngineError)
    /// Its answer is sent later.
    case latency(Duration)
    /// It gets no answer.
    case silence
    /// Its connection is closed.
    case disconnect
  }

  let effect: Effect
  /// The paths of the methods; nil for all.
  var methods: Set<String>?
  /// The resource of the call; nil for all.
  var resource: ResourceName?
  /// Nil for no end.
  var end: Timestamp?
  /// The number of calls that are left; nil for all.
  var count: Int?

  func isOver(at now: Timestamp) -> Bool { count == 0 || end.map { $0 <= now } ?? false }

  /// - Parameter context: the resources of the call; nil for an invalid request.
  func matches(_ path: String, _ context: AuthorizationContext?) -> Bool {
    methods?.contains(path) != false
      && (resource.map { context?.concerns($0) ?? false } ?? true)
  }
}

/// The faults of an emulator.
struct Faults: Sendable {
  private var active: [Fault] = []

  mutating func add(_ fault: Fault) { active.append(fault) }

  mutating func removeAll() { active = [] }

  /// Removes those of one resource only.
  mutating func remove(of resource: ResourceName) { active.removeAll { $0.resource == resource } }

  /// Returns what happens to a call. The first fault that ends the call decides how; delays add up.
  mutating func effects(
    of path: String, _ request: [UInt8], at now: Timestamp
  ) -> (delay: Duration, end: Fault.Effect?) {
    active.removeAll { $0.isOver(at: now) }
    guard !active.isEmpty else { return (.zero, nil) }
    let context = FleetMethod.all[path]?.context(request)
    var delay = Duration.zero
    for index in active.indices where active[index].matches(path, context) {
      active[index].count? -= 1
      guard case .latency(let time) = active[index].effect else {
        return (delay, active[index].effect)
      }
      delay += time
    }
    return (delay, nil)
  }
}

extension AuthorizationContext {
  /// Whether a call uses a resource, or creates it.
  fileprivate func concerns(_ name: ResourceName) -> Bool {
    let isOfCall =
      switch name.kind {
      case .trip: tripID == name.id
      case .vehicle: vehicleID == name.id
      case .deliveryVehicle: deliveryVehicleID == name.id
      case .task: taskID == name.id || taskIDs.contains(name.id)
      case .taskTrackingInfo: trackingID == name.id
      }
    return isOfCall
      && resourceName.split(separator: "/").dropFirst().first.map(String.init) == name.providerID
  }
}
