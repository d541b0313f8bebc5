import Recording
package import Tripwire
package import WireProtobuf

/// The events of a trip, from all calls of a recording that are about it.
package final class TripTimeline {
  /// An event and where it belongs.
  package struct Item {
    package let event: TripEvent
    package let trip: TripKey
    package let time: Timestamp?
    /// The number of the call; nil for events at the end of the recording.
    package let call: Int?
  }

  /// A trip as one side of the calls recorded it.
  package struct TripKey: Hashable {
    /// "providers/p/trips/t1".
    package let name: String
    /// Whether the server recorded it.
    package let isOfServer: Bool

    package init(name: String, isOfServer: Bool) {
      self.name = name
      self.isOfServer = isOfServer
    }
  }

  /// A call about the trip that has no end yet.
  private struct Call {
    let trip: TripKey
    let method: String
    /// The request of GetTrip; nil for other methods.
    let request: GetTripRequest?
    let start: Timestamp?
    /// Whether the response is a trip that the history has.
    let hasTrip: Bool
    var response: Trip?
    var responseTime: Timestamp?
  }

  /// Nil for all trips.
  private let wanted: String?
  private let interval: LogInterval
  /// How many trips are merged at most when all are wanted.
  package static let tripLimit = 1_000

  /// Whether the trip is also taken from calls of other methods; see ``ServerUpdates``.
  private let isOfServer: Bool

  private let types: MessageTypes
  private var calls: [Int: Call] = [:]
  private var histories: [TripKey: TripHistory] = [:]
  private var names = SeenNames()
  private var lastTime: Timestamp?
  /// In the order in which they began.
  package private(set) var trips: [TripKey] = []
  /// Whether trips were left out because of the limit.
  package private(set) var isLimited = false

  /// - Parameters:
  ///   - wanted: the trip's whole name, or its ID; nil for the first ``tripLimit`` trips.
  ///   - interval: the events of these times are returned; earlier calls still determine the trip.
  ///   - isOfServer: whether the recording has the updates of trips and vehicles, as the logs of Fleet
  ///     Engine have.
  package init(
    _ types: MessageTypes, of wanted: String?, in interval: LogInterval, isOfServer: Bool = false
  ) {
    self.isOfServer = isOfServer
    self.types = types
    self.wanted = wanted
    self.interval = interval
  }

  /// The trip with all responses so far; nil before the first one.
  package func merged(_ trip: TripKey) -> Trip? { histories[trip]?.trip }

  /// Whether the trip was left out because of ``tripLimit``.
  package func isBeyondLimit(_ trip: TripKey) -> Bool { isLimited && histories[trip] == nil }

  /// The first trips of the recording, while it has no call about the wanted one.
  package var otherTrips: [String] { names.others }

  package func add(_ entry: LoggedEntry) -> [Item] {
    let value = entry.value
    let number = entry.call.number
    interval.note(value.timestamp)
    switch (value.type, value.payload) {
    case (.clientMessage, .message(let message)) where calls[number] == nil:
      return begin(message, entry)
    case (.serverMessage, .message(let message))
    where isOfServer && ServerUpdates.vehiclePaths.contains(entry.call.method ?? ""):
      return entry.isComplete ? update(try? Vehicle(serializedBytes: message.data), entry) : []
    case (.serverMessage, .message(let message)) where calls[number]?.hasTrip == true:
      let trip = entry.isComplete ? try? Trip(serializedBytes: message.data) : nil
      calls[number]?.response = trip
      calls[number]?.responseTime = value.timestamp
    case (.serverTrailer, .trailer(let trailer)):
      guard let call = calls.removeValue(forKey: number) else { return [] }
      return items(end(of: call, trailer, entry), call.trip, entry)
    case (.cancel, _):
      guard let call = calls.removeValue(forKey: number) else { return [] }
      return items([.canceled(method: call.method)], call.trip, entry)
    default: break
    }
    return []
  }

  /// The events at the end of the recording.
  package func end() -> [Item] {
    var items: [Item] = []
    for trip in trips {
      items += (histories[trip]?.end(at: lastTime) ?? []).map {
        Item(event: $0, trip: trip, time: lastTime, call: nil)
      }
    }
    for (number, call) in calls.sorted(by: { $0.key < $1.key }) {
      items.append(
        Item(event: .unfinished(method: call.method), trip: call.trip, time: lastTime, call: number)
      )
    }
    return items.filter { interval.contains($0.time) }
  }

  // MARK: Calls

  private func begin(_ message: BinlogMessage, _ entry: LoggedEntry) -> [Item] {
    guard entry.isComplete, let path = entry.call.method,
      path.hasPrefix("/maps.fleetengine.v1.TripService/"),
      let name = types.resource(of: entry)
    else { return [] }
    let isWanted = isWanted(name, entry)
    names.add(name, isWanted: isWanted)
    guard isWanted else { return [] }
    guard let trip = key(name, entry) else { return [] }
    let method = path.split(separator: "/").last.map(String.init) ?? path
    let request = method == "GetTrip" ? try? GetTripRequest(serializedBytes: message.data) : nil
    calls[entry.call.number] = Call(
      trip: trip, method: method, request: request, start: entry.value.timestamp,
      hasTrip: request != nil || isOfServer && ServerUpdates.tripMethods.contains(method))
    let history = self.history(of: trip)
    return items(request.map { history.send($0) } ?? [], trip, entry)
  }

  /// Returns nil for a trip beyond the limit.
  private func key(_ name: String, _ entry: LoggedEntry) -> TripKey? {
    let trip = TripKey(name: name, isOfServer: entry.value.logger == .server)
    if wanted != nil || histories[trip] != nil || trips.count < Self.tripLimit { return trip }
    isLimited = true
    return nil
  }

  private func update(_ vehicle: Vehicle?, _ entry: LoggedEntry) -> [Item] {
    guard let vehicle else { return [] }
    return ServerUpdates.trips(of: vehicle).flatMap { name -> [Item] in
      guard isWanted(name, entry), let key = key(name, entry) else { return [] }
      names.add(name, isWanted: true)
      let history = history(of: key)
      let trip = ServerUpdates.trip(name, history.trip, with: vehicle)
      let time = entry.value.timestamp
      return items(
        history.receive(trip, to: GetTripRequest(), at: time, sent: time), key, entry)
    }
  }

  private func isWanted(_ name: String, _ entry: LoggedEntry) -> Bool {
    guard name.utf8.count <= 1_024 else { return false }
    guard let wanted else {
      // To check a name takes longer than to know it.
      let trip = TripKey(name: name, isOfServer: entry.value.logger == .server)
      return histories[trip] != nil || (try? TripName(name)) != nil
    }
    return name == wanted || name.hasSuffix("/trips/" + wanted)
  }

  private func history(of trip: TripKey) -> TripHistory {
    if let history = histories[trip] { return history }
    let history = TripHistory()
    histories[trip] = history
    trips.append(trip)
    return history
  }

  private func end(
    of call: Call, _ trailer: BinlogTrailer, _ entry: LoggedEntry
  ) -> [TripEvent] {
    let isLocal = entry.isLocalStatus
    let code = StatusCode(rawValue: Int(trailer.statusCode))
    let message = trailer.statusMessage
    let time = entry.value.timestamp
    guard let request = call.request else {
      return [.otherCall(method: call.method, code, message: message, isLocal: isLocal)]
        + failure(of: call, code, message, isLocal, at: time) + update(of: call, at: time)
    }
    let history = history(of: call.trip)
    guard code.named == .ok else {
      return history.fail(code, message, isLocal: isLocal, at: time)
    }
    guard var response = call.response else { return [.unreadableResponse] }
    if isOfServer {
      response = ServerUpdates.response(response, to: request, after: history.trip)
    }
    let received = call.responseTime ?? time
    return history.receive(response, to: request, at: received, sent: call.start)
  }

  /// The changes by a call that created or updated the trip.
  private func update(of call: Call, at time: Timestamp?) -> [TripEvent] {
    guard let response = call.response else { return [] }
    let history = history(of: call.trip)
    let trip = ServerUpdates.trip(response, after: history.trip)
    return history.receive(
      trip, to: GetTripRequest(), at: time, sent: call.start, isRegular: false)
  }

  /// The finding about a failed call of a method other than GetTrip.
  private func failure(
    of call: Call, _ code: StatusCode, _ message: String, _ isLocal: Bool, at time: Timestamp?
  ) -> [TripEvent] {
    guard code.named != .ok, let time else { return [] }
    let finding = RecordingCheck.Finding(
      time: call.start ?? time, until: time,
      detail: .otherCall(method: call.method, code, message: message, isLocal: isLocal))
    return [.check(finding)]
  }

  /// The events that the interval contains.
  private func items(_ events: [TripEvent], _ trip: TripKey, _ entry: LoggedEntry) -> [Item] {
    lastTime = entry.value.timestamp ?? lastTime
    guard interval.contains(entry.value.timestamp) else { return [] }
    return events.map {
      Item(event: $0, trip: trip, time: entry.value.timestamp, call: entry.call.number)
    }
  }
}
