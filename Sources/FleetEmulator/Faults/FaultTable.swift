import FleetEngineAPI
import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// The faults of an emulator.
struct FaultTable: Sendable {
  private static let most = 1_000

  private var active: [ActiveFault] = []
  private var count = 0
  /// The resources that a program could not store, with the error of their calls.
  private var notStored: [FaultResource: RPCStatus] = [:]

  /// Adds a fault, and returns it with its name.
  mutating func create(_ fault: Fault, at now: Timestamp) throws(EngineError) -> Fault {
    active.removeAll { $0.isOver(at: now) }
    guard active.count < Self.most else {
      throw EngineError(.resourceExhausted, "there are \(Self.most) faults: delete some")
    }
    let created = try ActiveFault(fault, name: "faults/\(count + 1)", "fault", at: now)
    count += 1
    active.append(created)
    return created.fault
  }

  mutating func list(at now: Timestamp) -> [Fault] {
    active.removeAll { $0.isOver(at: now) }
    return active.map(\.fault)
  }

  mutating func delete(_ name: String, at now: Timestamp) throws(EngineError) {
    active.removeAll { $0.isOver(at: now) }
    guard let index = active.firstIndex(where: { $0.fault.name == name }) else {
      throw EngineError(
        .notFound,
        "\(name.shortened(to: EngineError.longestText).quotedForDisplay) is not the name of a fault"
      )
    }
    active.remove(at: index)
  }

  mutating func deleteAll() { active = [] }

  /// Sets the error of all calls for a resource that a program could not store; nil if it has been stored.
  mutating func setNotStored(_ error: EngineError?, _ name: ResourceName) {
    notStored[FaultResource(name)] = error?.status
  }

  /// Returns what happens to a call: how much later its answer is sent, and its answer if the engine does not execute
  /// it.
  mutating func effects(
    of path: String, _ request: [UInt8], at now: Timestamp
  ) -> (delay: Duration, answer: UnaryAnswer?) {
    active.removeAll { $0.isOver(at: now) }
    guard !active.isEmpty || !notStored.isEmpty else { return (.zero, nil) }
    let context = FleetMethod.all[path]?.context(request)
    if let context, let error = notStored.first(where: { $0.key.isUsed(by: context) })?.value {
      return (.zero, .failure(error))
    }
    var delay = Duration.zero
    for index in active.indices where active[index].matches(path, context, at: now) {
      switch active[index].hit(by: context, at: now) {
      case .delay(let time): delay += time
      case .answer(let answer): return (delay, answer)
      case nil: break
      }
    }
    return (delay, nil)
  }

  /// The faults that keep vehicles where they are.
  var stuckLocations: [StuckLocation] { active.compactMap(\.stuckLocation) }
}
