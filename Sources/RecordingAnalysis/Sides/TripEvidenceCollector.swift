import Recording
import Tripwire
import WireGRPC
import WireProtobuf

/// Collects the evidence about resources in one pass over the calls of both sides.
package final class TripEvidenceCollector {
  private struct Call {
    var value: LoggedCall
    /// The first entry.
    let header: BinlogGrpcLogEntry
    /// The location in a request that updates a vehicle.
    var sent: VehicleLocation?
    /// The location in the last response; only of a call that the server recorded.
    var answered: VehicleLocation?
    /// When the last response came.
    var received: Double?
    /// How long the server asked the client to wait before a retry.
    var retryDelay: Duration?
  }

  /// The calls of the client, or those that the server logged.
  private struct Side {
    var polls: [TripEvidence.Poll] = []
    /// The vehicles of the resource, "p/v1", and since when it had them, in seconds since 1970.
    var vehicles: [(id: String, since: Double)] = []
    /// The first time of the last state.
    var end: Double?

    mutating func note(vehicle: String, at time: Double) {
      if !vehicle.isEmpty, vehicle != vehicles.last?.id { vehicles.append((vehicle, time)) }
    }
  }

  private struct Record {
    var client = Side()
    var server = Side()
    var clients = ClientCount()
    /// The times of the first and the last call about the resource.
    var range: ClosedRange<Double>

    mutating func extend(to time: Double) {
      range = min(range.lowerBound, time)...max(range.upperBound, time)
    }

    mutating func change(isOfServer: Bool, _ body: (inout Side) -> Void) {
      if isOfServer { body(&server) } else { body(&client) }
    }
  }

  /// Merges the responses of the same calls.
  package let timeline: ResourceTimeline
  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  /// By the name of the resource.
  private var records: [String: Record] = [:]
  /// The updates of each vehicle, by its provider and ID: "p/v1".
  private var updates: [String: [TripEvidence.Update]] = [:]
  /// The times of the updates without a location.
  private var emptyUpdates: [String: [Double]] = [:]
  /// The vehicles of tasks, by the tracking ID, both with their provider: a shipment does not name its vehicle.
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
    if entry.call.isNew { calls[number] = Call(value: LoggedCall(entry), header: entry.value) }
    calls[number]?.value.add(entry, types)
    if case .message(let message) = entry.value.payload, entry.isComplete {
      if entry.value.type == .clientMessage {
        if entry.value.logger == .server, let path = entry.call.method {
          calls[number]?.sent = RecordedResources.sentLocation(in: message.data, of: path)
        }
      } else {
        calls[number]?.received = time
        if entry.value.logger == .server { note(message.data, of: entry) }
      }
    }
    if case .trailer(let trailer) = entry.value.payload, !trailer.statusDetails.isEmpty {
      calls[number]?.retryDelay = Self.retryDelay(in: trailer.statusDetails)
    }
    if let call = calls.end(at: entry) { finish(call, at: time) }
    return items
  }

  /// The evidence about each resource, in the order in which they began. It is made one by one: that about a trip has
  /// the updates of its vehicle, too.
  package func finish() -> some Sequence<TripEvidence> {
    for call in calls.all { finish(call, at: lastTime) }
    var names: Set<String> = []
    return timeline.resources.filter { names.insert($0.name).inserted }.lazy.compactMap { key in
      self.records[key.name].map { self.evidence(key, $0) }
    }
  }

  private func evidence(_ key: ResourceTimeline.Key, _ record: Record) -> TripEvidence {
    // The client may see the last state later than the server, or never.
    let end = record.client.end ?? record.server.end ?? record.range.upperBound
    let vehicles = vehicles(of: key, record)
    let start = record.range.lowerBound
    let whole = start...max(start, end)
    return TripEvidence(
      name: key.name, kind: key.kind,
      polls: record.client.polls.filter { $0.start <= whole.upperBound }.sorted {
        $0.start < $1.start
      },
      answers: record.server.polls.filter { $0.start <= whole.upperBound },
      updates: vehicles.flatMap { vehicle in
        (updates[vehicle.id] ?? []).filter { whole ~= $0.time && vehicle.times ~= $0.time }
      }.sorted { $0.time < $1.time },
      emptyUpdates: vehicles.flatMap { vehicle in
        (emptyUpdates[vehicle.id] ?? []).filter { whole ~= $0 && vehicle.times ~= $0 }
      }.sorted(),
      hasClient: hasClient, isOfSeveralClients: record.clients.isSeveral, hasServer: hasServer,
      start: start, end: whole.upperBound)
  }

  /// The vehicles of a resource, each with the times in which it was that of the resource.
  private func vehicles(
    of key: ResourceTimeline.Key, _ record: Record
  ) -> [(id: String, times: Range<Double>)] {
    // The client learns later of another vehicle.
    let known =
      record.server.vehicles.isEmpty ? record.client.vehicles : record.server.vehicles
    guard !known.isEmpty else {
      let tracked = trackedVehicles[Self.id(ofName: key.name)] ?? []
      return tracked.sorted().map { ($0, -.infinity..<(.infinity)) }
    }
    return known.enumerated().map { index, vehicle in
      let start = index == 0 ? -.infinity : vehicle.since
      let end = index + 1 < known.count ? known[index + 1].since : .infinity
      return (vehicle.id, start..<max(start, end))
    }
  }

  /// Notes the vehicle and the end of a resource that has changed.
  private func note(_ key: ResourceTimeline.Key, at time: Double) {
    records[key.name, default: Record(range: time...time)].extend(to: time)
    guard let resource = timeline.merged(key) else { return }
    records[key.name]?.change(isOfServer: key.isOfServer) { side in
      side.note(vehicle: Self.vehicle(of: resource, named: key.name), at: time)
      if resource.isFinal { side.end = side.end ?? time }
    }
  }

  /// Whether a resource has a vehicle, or a shipment a location: it does not name its vehicle, and each answer has all
  /// of it. Where a recording names no vehicle, there may still be one.
  private func hasVehicle(_ key: ResourceTimeline.Key, _ location: VehicleLocation?) -> Bool {
    guard let resource = timeline.merged(key) else { return true }
    if key.kind == .taskTrackingInfo { return location != nil }
    let isNamed = records[key.name].map {
      !$0.client.vehicles.isEmpty || !$0.server.vehicles.isEmpty
    }
    return isNamed != true || !Self.vehicle(of: resource, named: key.name).isEmpty
  }

  /// The vehicle of a resource, "p/v1"; empty if it has none, or does not name it.
  private static func vehicle(of resource: FleetResource, named name: String) -> String {
    switch resource {
    case .vehicle, .deliveryVehicle: id(ofName: name)
    case .trip(let trip): id(trip.vehicleId, inProviderOf: name)
    case .task(let task): id(task.deliveryVehicleId, inProviderOf: name)
    case .taskTrackingInfo: ""
    }
  }

  /// Notes the location of a vehicle in a response, and the vehicles of tasks.
  private func note(_ response: [UInt8], of entry: LoggedEntry) {
    guard let path = entry.call.method else { return }
    let resource = RecordedResources.resource(in: response, of: path)
    calls[entry.call.number]?.answered = resource?.lastLocation
    guard path.hasPrefix("/maps.fleetengine.delivery."), path.mentions("Task") else { return }
    let resources =
      RecordedResources.list(in: response, of: path) + [resource].compactMap(\.self)
    for case .task(let task) in resources
    where !task.trackingId.isEmpty && !task.deliveryVehicleId.isEmpty {
      trackedVehicles[Self.id(task.trackingId, inProviderOf: task.name), default: []].insert(
        Self.id(task.deliveryVehicleId, inProviderOf: task.name))
    }
  }

  private func finish(_ call: Call, at time: Double) {
    guard let path = call.value.method, let name = call.value.resourceName,
      let kind = ResourceKind(ofName: name)
    else { return }
    let outcome = TripEvidence.Outcome(call.value, retryDelay: call.retryDelay)
    let start = call.value.start?.secondsSince1970 ?? time
    let isOfServer = call.value.isOfServer
    let key = ResourceTimeline.Key(kind, name: name, isOfServer: isOfServer)
    if path == kind.getPath, timeline.contains(key) {
      let resource = timeline.merged(key)
      let location = isOfServer ? call.answered : resource?.lastLocation
      let poll = TripEvidence.Poll(
        call: call.value.number, start: start, end: max(start, call.received ?? time),
        outcome: outcome, location: location.map(LocationReport.init),
        hasVehicle: hasVehicle(key, location))
      // In place: a copy of all calls for each one is quadratic.
      records[name, default: Record(range: start...start)].extend(to: start)
      records[name]?.extend(to: poll.end)
      records[name]?.change(isOfServer: isOfServer) { $0.polls.append(poll) }
      if !isOfServer { records[name]?.clients.add(call.header) }
    } else if isOfServer, path == kind.path(of: "Update"),
      kind == .vehicle || kind == .deliveryVehicle
    {
      guard let sent = call.sent else {
        emptyUpdates[Self.id(ofName: name), default: []].append(start)
        return
      }
      updates[Self.id(ofName: name), default: []].append(
        TripEvidence.Update(
          call: call.value.number, time: start, end: max(start, time), outcome: outcome,
          sent: LocationReport(sent), accepted: call.answered.map(LocationReport.init)))
    }
  }

  /// - Parameter details: a google.rpc.Status.
  private static func retryDelay(in details: [UInt8]) -> Duration? {
    (try? RPCStatus(serializedBytes: details))?.details.map(ErrorDetail.init).retryDelay
  }

  /// "p/v1" for "providers/p/vehicles/v1".
  private static func id(ofName name: String) -> String {
    id(lastSegment(of: name) ?? "", inProviderOf: name)
  }

  /// The ID with that of the provider; empty for an empty one.
  private static func id(_ id: String, inProviderOf name: String) -> String {
    guard !id.isEmpty else { return "" }
    let octets = name.utf8Span.span
    let provider = octets.segment(from: octets.segment(from: 0).upperBound + 1)
    return "\(octets.text(provider) ?? "")/\(id)"
  }
}

extension TripEvidence.Outcome {
  fileprivate init(_ call: LoggedCall, retryDelay: Duration?) {
    if case .ended(let code) = call.status { self.code = code }
    message = String(call.statusMessage.unicodeScalars.prefix(200))
    isLocal = call.isLocal
    self.retryDelay = retryDelay.map { $0 / .seconds(1) }
  }
}
