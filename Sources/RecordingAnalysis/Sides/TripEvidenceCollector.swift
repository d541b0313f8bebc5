import Recording
import Tripwire
import WireProtobuf

/// Collects the evidence about resources in one pass over the calls of both sides.
package final class TripEvidenceCollector {
  private struct Call {
    var value: LoggedCall
    var request: [UInt8]?
    var response: [UInt8]?
    var received: Double?
  }

  private struct Record {
    var polls: [TripEvidence.Poll] = []
    var answers: [TripEvidence.Poll] = []
    /// The IDs of the vehicles of the resource.
    var vehicles: Set<String> = []
    /// The times of the first and the last call about the resource.
    var range: ClosedRange<Double>
    /// When each side first had the last state of the resource.
    var clientEnd: Double?
    var serverEnd: Double?

    mutating func extend(to time: Double) {
      range = min(range.lowerBound, time)...max(range.upperBound, time)
    }
  }

  /// Merges the responses of the same calls.
  package let timeline: ResourceTimeline
  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  /// By the name of the resource.
  private var records: [String: Record] = [:]
  /// The updates of each vehicle, by its ID.
  private var updates: [String: [TripEvidence.Update]] = [:]
  /// The IDs of the vehicles of tasks, by the tracking ID: a shipment does not name its vehicle.
  private var trackedVehicles: [String: Set<String>] = [:]
  private var hasClient = false
  private var hasServer = false
  private var lastTime = 0.0

  /// - Parameter wanted: nil for the first ``ResourceTimeline/limit`` resources.
  package init(_ types: MessageTypes, of wanted: ResourceSelector?) {
    self.types = types
    timeline = ResourceTimeline(types, of: wanted)
  }

  /// Adds an entry, and returns its events.
  @discardableResult package func add(_ entry: LoggedEntry) -> [ResourceTimeline.Item] {
    let items = timeline.add(entry)
    let number = entry.call.number
    let time = entry.value.timestamp?.secondsSince1970 ?? lastTime
    lastTime = time
    if entry.value.logger == .server { hasServer = true } else { hasClient = true }
    for item in items { note(item.resource, at: time) }
    if entry.call.isNew { calls[number] = Call(value: LoggedCall(entry)) }
    calls[number]?.value.add(entry, types)
    if case .message(let message) = entry.value.payload, entry.isComplete {
      if entry.value.type == .clientMessage {
        calls[number]?.request = message.data
      } else {
        calls[number]?.response = message.data
        calls[number]?.received = time
      }
    }
    if let call = calls.end(at: entry) { finish(call, at: time) }
    return items
  }

  /// The evidence about each resource, in the order in which they began.
  package func finish() -> [TripEvidence] {
    for call in calls.all { finish(call, at: lastTime) }
    var names: Set<String> = []
    return timeline.resources.filter { names.insert($0.name).inserted }.compactMap { key in
      records[key.name].map { evidence(key, $0) }
    }
  }

  private func evidence(_ key: ResourceTimeline.Key, _ record: Record) -> TripEvidence {
    // The client may see the last state later than the server.
    let end =
      record.clientEnd ?? (record.polls.isEmpty ? record.serverEnd : nil) ?? record.range.upperBound
    let vehicles = record.vehicles.union(trackedVehicles[Self.id(ofName: key.name)] ?? [])
    let start = record.range.lowerBound
    let whole = start...max(start, end)
    return TripEvidence(
      name: key.name, kind: key.kind,
      polls: record.polls.filter { $0.start <= whole.upperBound }.sorted { $0.start < $1.start },
      answers: record.answers.filter { $0.start <= whole.upperBound },
      updates: vehicles.flatMap { updates[$0] ?? [] }.filter { whole ~= $0.time }
        .sorted { $0.time < $1.time },
      hasClient: hasClient, hasServer: hasServer, start: start, end: whole.upperBound)
  }

  /// Notes the vehicle and the end of a resource that has changed.
  private func note(_ key: ResourceTimeline.Key, at time: Double) {
    var record = records[key.name] ?? Record(range: time...time)
    defer { records[key.name] = record }
    record.extend(to: time)
    guard let resource = timeline.merged(key) else { return }
    switch resource {
    case .vehicle, .deliveryVehicle: record.vehicles.insert(Self.id(ofName: resource.name))
    default:
      let id = resource.facts(at: nil).vehicleID
      if !id.isEmpty { record.vehicles.insert(id) }
    }
    guard resource.isFinal else { return }
    if key.isOfServer {
      record.serverEnd = record.serverEnd ?? time
    } else {
      record.clientEnd = record.clientEnd ?? time
    }
  }

  /// Notes the vehicles of the tasks in a response.
  private func noteTasks(in response: [UInt8], of path: String) {
    guard path.hasPrefix("/maps.fleetengine.delivery."), path.mentions("Task") else { return }
    let resources =
      RecordedResources.list(in: response, of: path)
      + [RecordedResources.resource(in: response, of: path)].compactMap(\.self)
    for case .task(let task) in resources
    where !task.trackingId.isEmpty && !task.deliveryVehicleId.isEmpty {
      trackedVehicles[task.trackingId, default: []].insert(task.deliveryVehicleId)
    }
  }

  private func finish(_ call: Call, at time: Double) {
    if call.value.isOfServer, let path = call.value.method, let response = call.response {
      noteTasks(in: response, of: path)
    }
    guard let path = call.value.method, let name = call.value.resourceName,
      let kind = ResourceKind(ofName: name)
    else { return }
    let outcome = TripEvidence.Outcome(call.value)
    let start = call.value.start?.secondsSince1970 ?? time
    let isOfServer = call.value.isOfServer
    let key = ResourceTimeline.Key(kind, name: name, isOfServer: isOfServer)
    if path == kind.getPath, timeline.contains(key) {
      let location =
        isOfServer
        ? call.response.flatMap { RecordedResources.resource(in: $0, of: path)?.lastLocation }
        : timeline.merged(key)?.lastLocation
      let poll = TripEvidence.Poll(
        call: call.value.number, start: start, end: call.received ?? time, outcome: outcome,
        location: location)
      var record = records[name] ?? Record(range: start...start)
      record.extend(to: start)
      record.extend(to: poll.end)
      if isOfServer { record.answers.append(poll) } else { record.polls.append(poll) }
      records[name] = record
    } else if isOfServer, path == kind.path(of: "Update"), let request = call.request {
      guard let sent = Self.location(in: request, kind) else { return }
      let accepted = call.response.flatMap {
        RecordedResources.resource(in: $0, of: path)?.lastLocation
      }
      updates[Self.id(ofName: name), default: []].append(
        TripEvidence.Update(
          call: call.value.number, time: start, outcome: outcome, sent: sent, accepted: accepted))
    }
  }

  /// Returns the location in a request that updates a vehicle; nil if it has none.
  private static func location(in request: [UInt8], _ kind: ResourceKind) -> VehicleLocation? {
    switch kind {
    case .vehicle:
      (try? UpdateVehicleRequest(serializedBytes: request))?.vehicle?.lastLocation
    case .deliveryVehicle:
      (try? UpdateDeliveryVehicleRequest(serializedBytes: request))?.deliveryVehicle?.lastLocation
        .map(VehicleLocation.init)
    default: nil
    }
  }

  private static func id(ofName name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? ""
  }
}

extension TripEvidence.Outcome {
  fileprivate init(_ call: LoggedCall) {
    if case .ended(let code) = call.status { self.code = code }
    message = String(call.statusMessage.unicodeScalars.prefix(200))
    isLocal = call.isLocal
  }
}
