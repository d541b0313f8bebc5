import Recording
package import Tripwire
package import WireProtobuf

/// The events of a resource, from all calls of a recording that are about it.
package final class ResourceTimeline {
  /// An event and where it belongs.
  package struct Item {
    package let event: TimelineEvent
    package let resource: Key
    package let time: Timestamp?
    /// The number of the call; nil for events at the end of the recording.
    package let call: Int?
  }

  /// A resource as one side of the calls recorded it.
  package struct Key: Hashable {
    package let kind: ResourceKind
    /// "providers/p/trips/t1".
    package let name: String
    /// Whether the server recorded it.
    package let isOfServer: Bool

    package init(_ kind: ResourceKind, name: String, isOfServer: Bool) {
      self.kind = kind
      self.name = name
      self.isOfServer = isOfServer
    }
  }

  /// A call about the resource that has no end yet.
  private struct Call {
    let number: Int
    let resource: Key
    let method: String
    /// The request of a call that gets the resource; nil for other methods.
    let request: ResourceRequest?
    let start: Timestamp?
    var response: FleetResource?
    var responseTime: Timestamp?
    var isCanceled = false
  }

  /// Nil for all resources.
  private let wanted: ResourceSelector?
  private let interval: LogInterval
  /// How many resources are merged at most when all are wanted.
  package static let limit = 1_000

  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  private var histories: [Key: ResourceHistory] = [:]
  private var names = SeenNames()
  private var lastTime: Timestamp?
  /// In the order in which they began.
  package private(set) var resources: [Key] = []
  /// Whether resources were left out because of the limit.
  package private(set) var isLimited = false
  /// Whether a message may name a resource, but is truncated.
  package private(set) var hasTruncatedMessage = false

  /// - Parameters:
  ///   - wanted: nil for the first ``limit`` resources.
  ///   - interval: the events of these times are returned; earlier calls still determine the resource.
  package init(
    _ types: MessageTypes, of wanted: ResourceSelector?, in interval: LogInterval = LogInterval()
  ) {
    self.types = types
    self.wanted = wanted
    self.interval = interval
  }

  /// The resource with all responses so far; nil before the first one.
  package func merged(_ resource: Key) -> FleetResource? { histories[resource]?.resource }

  /// Whether a call is about the resource.
  func contains(_ resource: Key) -> Bool { histories[resource] != nil }

  /// Whether the resource was left out because of ``limit``.
  package func isBeyondLimit(_ resource: Key) -> Bool { isLimited && histories[resource] == nil }

  /// The first resources of the recording that could be wanted, while it has no call about the wanted one.
  package var otherNames: [String] { names.others }

  package func add(_ entry: LoggedEntry) -> [Item] {
    let value = entry.value
    let number = entry.call.number
    interval.note(value.timestamp)
    if !entry.isComplete { hasTruncatedMessage = true }
    switch (value.type, value.payload) {
    case (.clientMessage, .message(let message)) where calls[number] == nil:
      return begin(message, entry)
    case (.serverMessage, .message(let message)): return respond(message, entry)
    case (.serverTrailer, .trailer(let trailer)):
      guard let call = calls.end(at: entry) else { return [] }
      return items(end(of: call, trailer, entry), call.resource, entry)
    case (.cancel, _):
      guard let call = calls[number], !call.isCanceled else { return [] }
      calls[number]?.isCanceled = true
      _ = calls.end(at: entry)
      return items([.canceled(method: call.method)], call.resource, entry)
    default: return []
    }
  }

  /// The events at the end of the recording.
  package func end() -> [Item] {
    var items: [Item] = []
    for resource in resources {
      items += (histories[resource]?.end(at: lastTime) ?? []).map {
        Item(event: $0, resource: resource, time: lastTime, call: nil)
      }
    }
    for call in calls.all where !call.isCanceled {
      items.append(
        Item(
          event: .unfinished(method: call.method), resource: call.resource, time: lastTime,
          call: call.number))
    }
    return items.filter { interval.contains($0.time) }
  }

  // MARK: Calls

  private func begin(_ message: BinlogMessage, _ entry: LoggedEntry) -> [Item] {
    guard entry.isComplete, let path = entry.call.method, path.hasPrefix("/maps.fleetengine."),
      let name = types.resource(of: entry), let kind = ResourceKind(ofName: name),
      isWanted(name, kind, entry), let key = key(kind, name, entry)
    else { return [] }
    let method = lastSegment(of: path) ?? path
    let request = ResourceRequest(message.data, of: path)
    calls[entry.call.number] = Call(
      number: entry.call.number, resource: key, method: method, request: request,
      start: entry.value.timestamp)
    let history = self.history(of: key)
    return items(request.map { history.send($0) } ?? [], key, entry)
  }

  private func respond(_ message: BinlogMessage, _ entry: LoggedEntry) -> [Item] {
    guard let path = entry.call.method else { return [] }
    let number = entry.call.number
    var items: [Item] = []
    let data = entry.isComplete ? message.data : nil
    if entry.value.logger == .server, ServerUpdates.vehiclePaths.contains(path) {
      items = update(data.flatMap { try? Vehicle(serializedBytes: $0) }, by: path, entry)
    }
    guard let call = calls[number] else {
      return items + (data.map { list(RecordedResources.list(in: $0, of: path), entry) } ?? [])
    }
    let resource = data.flatMap { RecordedResources.resource(in: $0, of: path) }
    calls[number]?.response = resource?.kind == call.resource.kind ? resource : nil
    calls[number]?.responseTime = entry.value.timestamp
    return items
  }

  /// The changes by a call that returned several resources.
  private func list(_ resources: [FleetResource], _ entry: LoggedEntry) -> [Item] {
    resources.flatMap { resource -> [Item] in
      let (kind, name) = (resource.kind, resource.name)
      guard ResourceKind(ofName: name) == kind, isWanted(name, kind, entry),
        let key = key(kind, name, entry)
      else { return [] }
      let time = entry.value.timestamp
      return items(
        history(of: key).receive(resource, to: .list, at: time, sent: time, in: nil),
        key, entry)
    }
  }

  /// Returns nil for a resource beyond the limit.
  private func key(_ kind: ResourceKind, _ name: String, _ entry: LoggedEntry) -> Key? {
    let key = Key(kind, name: name, isOfServer: entry.value.logger == .server)
    if wanted != nil || histories[key] != nil || resources.count < Self.limit { return key }
    isLimited = true
    return nil
  }

  /// The changes of the trips of a vehicle.
  private func update(_ vehicle: Vehicle?, by path: String, _ entry: LoggedEntry) -> [Item] {
    guard let vehicle else { return [] }
    let series = ResponseSeries.Kind(method: lastSegment(of: path))
    return ServerUpdates.trips(of: vehicle).flatMap { name -> [Item] in
      guard isWanted(name, .trip, entry), let key = key(.trip, name, entry) else { return [] }
      let history = history(of: key)
      let trip = ServerUpdates.trip(name, history.resource?.trip, with: vehicle)
      let time = entry.value.timestamp
      return items(
        history.receive(.trip(trip), to: .whole, at: time, sent: time, in: series), key, entry)
    }
  }

  private func isWanted(_ name: String, _ kind: ResourceKind, _ entry: LoggedEntry) -> Bool {
    guard name.utf8.count <= 1_024 else { return false }
    guard let wanted else {
      // A name in `histories` was checked before, and checking it takes longer than the lookup.
      let key = Key(kind, name: name, isOfServer: entry.value.logger == .server)
      return histories[key] != nil || (try? ResourceName(name)) != nil
    }
    let isWanted = wanted.isNamed(name, kind)
    if wanted.isOfAnyKind || kind == wanted.kind { names.add(name, isWanted: isWanted) }
    return isWanted
  }

  private func history(of key: Key) -> ResourceHistory {
    if let history = histories[key] { return history }
    let history = ResourceHistory()
    histories[key] = history
    resources.append(key)
    return history
  }

  private func end(
    of call: Call, _ trailer: BinlogTrailer, _ entry: LoggedEntry
  ) -> [TimelineEvent] {
    let isLocal = entry.isLocalStatus
    let code = StatusCode(rawValue: Int(trailer.statusCode))
    let message = trailer.statusMessage
    let time = entry.value.timestamp
    // Some clients also record CANCELLED for a call that they canceled. The cancellation already has an
    // event.
    if call.isCanceled, code.named == .cancelled { return [] }
    guard let request = call.request else {
      return [.otherCall(method: call.method, code, message: message, isLocal: isLocal)]
        + failure(of: call, code, message, isLocal, at: time) + update(of: call, at: time)
    }
    let history = history(of: call.resource)
    guard code.named == .ok else {
      return history.fail(code, message, isLocal: isLocal, at: time)
    }
    guard var response = call.response else { return [.unreadableResponse] }
    if call.resource.isOfServer, case .trip(let trip) = response, case .trip(let request) = request
    {
      response = .trip(ServerUpdates.response(trip, to: request, after: history.resource?.trip))
    }
    let received = call.responseTime ?? time
    return history.receive(response, to: request, at: received, sent: call.start)
  }

  /// The changes by a call that created or updated the resource.
  private func update(of call: Call, at time: Timestamp?) -> [TimelineEvent] {
    guard var response = call.response else { return [] }
    let history = history(of: call.resource)
    // Such a trip may lack parts, and later responses to GetTrip are not based on its stamps.
    var request = ResourceRequest.whole
    if let trip = response.trip {
      if call.resource.isOfServer {
        response = .trip(ServerUpdates.trip(trip, after: history.resource?.trip))
      } else {
        request = .list
      }
    }
    return history.receive(response, to: request, at: time, sent: call.start, in: nil)
  }

  /// The finding about a failed call of a method that does not get the resource.
  private func failure(
    of call: Call, _ code: StatusCode, _ message: String, _ isLocal: Bool, at time: Timestamp?
  ) -> [TimelineEvent] {
    guard code.named != .ok, let time else { return [] }
    let detail = RecordingCheck.Detail.otherCall(
      method: call.method, code, message: message, isLocal: isLocal)
    return [.check(Finding(detail, from: call.start ?? time, to: time))]
  }

  /// The events that the interval contains.
  private func items(_ events: [TimelineEvent], _ resource: Key, _ entry: LoggedEntry) -> [Item] {
    lastTime = entry.value.timestamp ?? lastTime
    guard interval.contains(entry.value.timestamp) else { return [] }
    return events.map {
      Item(event: $0, resource: resource, time: entry.value.timestamp, call: entry.call.number)
    }
  }
}
