import DynamicProtobuf
import MapPage
import Recording
import RecordingAnalysis
import Tripwire
import WireGRPC
import WireProtobuf

/// Writes a page that shows the recording on a map, with its calls.
final class RecordedMapView: LogView {
  /// A call that has no end yet.
  private struct OpenCall {
    var call: LoggedCall
    var requests: [[UInt8]] = []
    var responses: [[UInt8]] = []
    /// Of GetTrip.
    var request: GetTripRequest?
    var response: Trip?
  }

  /// A trip as one side of the calls recorded it.
  fileprivate struct MergedTrip {
    let label: String
    var merge = TripMerge()
    /// The members of the JSON of the merged trip, by their names.
    var members: [[UInt8]: [UInt8]] = [:]
    /// When the last response with a trip came.
    var updated: Double?
    var failingSince: Double?
  }

  private struct TripKey: Hashable {
    let name: String
    let isOfServer: Bool
  }

  /// The largest size of the data in bytes: a browser has to hold it.
  private static let limit = 256 << 20
  /// The number of messages of a stream that are shown.
  private static let messageLimit = 10

  private let types: MessageTypes
  private let path: String
  private let options: MapOptions
  private let leaflet: LeafletFiles
  private let console: Console
  private var map = RecordedMap()
  private var calls: [Int: OpenCall] = [:]
  private var trips: [TripKey: MergedTrip] = [:]
  private var lastTime = 0.0

  /// - Throws: a report if Leaflet is not installed.
  init(
    _ types: MessageTypes, to path: String, _ options: MapOptions, _ console: Console
  ) throws(ErrorReport) {
    self.types = types
    self.path = path
    self.options = options
    self.console = console
    leaflet = try options.leafletFiles()
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    let number = entry.call.number
    if entry.call.isNew { calls[number] = OpenCall(call: LoggedCall(entry)) }
    lastTime = entry.value.timestamp?.inSeconds ?? lastTime
    guard calls[number] != nil else { return }
    calls[number]?.call.add(entry, types)
    if case .message(let message) = entry.value.payload { add(message, of: entry) }
    if let call = calls[number], call.call.isOver {
      calls[number] = nil
      try finish(call)
    }
  }

  func end(calls count: Int) throws(ErrorReport) {
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) { try finish(call) }
    guard map.callCount > 0 else {
      throw ErrorReport(local: "--map \(escaped(path)): the recording contains no calls")
    }
    let json = map.json
    let page = MapDocument.html(
      leaflet, options.page, gzippedRecording: Deflater.gzip(json) ?? json)
    let file = try NewFile(path)
    try file.write(page)
    try file.flush()
    let contents = [
      Units.count(map.callCount, "call"), Units.count(map.tripCount, "trip"),
      Units.bytes(page.count),
    ]
    console.error("\(escaped(path)): \(contents.joined(separator: ", "))\n")
    if map.tripCount == 0 {
      console.warn("the recording has no trips, so the map is empty")
    }
  }

  // MARK: Calls

  private func add(_ message: BinlogMessage, of entry: LoggedEntry) {
    let number = entry.call.number
    let isGetTrip = entry.call.method == TripServiceMethods.getTrip.path && entry.isComplete
    let json = json(message, of: entry)
    if entry.value.type == .clientMessage {
      if isGetTrip {
        calls[number]?.request = try? GetTripRequest(serializedBytes: message.data)
      }
      if let json { calls[number]?.requests.append(json) }
    } else {
      if isGetTrip { calls[number]?.response = try? Trip(serializedBytes: message.data) }
      if let json { calls[number]?.responses.append(json) }
    }
  }

  /// Returns nil if the type of the message is unknown, or the message is not of its type.
  private func json(_ message: BinlogMessage, of entry: LoggedEntry) -> [UInt8]? {
    guard let type = types.type(of: entry) else { return nil }
    let bytes = entry.isComplete ? message.data : message.data.wholeFields
    guard let reading = try? types.read(bytes, as: type),
      let json = try? reading.message.jsonUTF8Bytes(
        options: DynamicJSONOptions(showsUnknownTypes: true))
    else { return nil }
    return ShortenedJSON.shortened(json)
  }

  private func finish(_ open: OpenCall) throws(ErrorReport) {
    let start = open.call.start?.inSeconds ?? lastTime
    var call = RecordedMap.Call(
      number: open.call.number, start: start,
      method: String((open.call.method ?? "unknown method").drop { $0 == "/" }),
      code: open.call.status.description + (open.call.isLocal ? " (local)" : ""))
    call.end = open.call.latency.map { start + $0 / .seconds(1) }
    call.message = open.call.statusMessage
    call.request = Self.joined(open.requests)
    call.response = Self.joined(open.responses)
    call.summary = open.call.resourceName ?? ""
    if let name = open.call.resourceName, (try? TripName(name)) != nil {
      show(open, ofTrip: TripKey(name: name, isOfServer: open.call.isOfServer), as: &call)
    }
    map.add(call)
    guard map.size <= Self.limit else {
      throw ErrorReport(
        local: "--map \(escaped(path)): the map needs more than \(Self.limit >> 20) MiB",
        hint: "select fewer calls with --since, --until or --resource")
    }
  }

  /// Adds the state of the trip after a call about it.
  private func show(_ open: OpenCall, ofTrip key: TripKey, as call: inout RecordedMap.Call) {
    var trip = trips[key] ?? MergedTrip(label: label(of: key))
    call.trip = trip.label
    defer { trips[key] = trip }
    guard let request = open.request, let end = call.end else { return }
    let before = trip.merge.held?.trip
    if case .ended(.ok) = open.call.status {
      guard let response = open.response else {
        call.summary = "incomplete, or not a trip"
        return
      }
      switch trip.merge.take(response, to: request) {
      case .merged(let held):
        let changed = ChangedFields.names(from: before ?? Trip(), to: held.trip)
        call.summary = changed.isEmpty ? "no change" : changed.joined(separator: ", ")
        call.changes = trip.changes(to: held.trip)
      case .wholeNeeded: call.summary = "ignored: changes to a trip that is unknown"
      case .outdated: call.summary = "ignored: older than the known trip"
      }
      (trip.updated, trip.failingSince) = (end, nil)
    } else {
      trip.failingSince = trip.failingSince ?? end
      call.summary = call.message
    }
    let failure = trip.failingSince.map {
      MapFacts.Failure(code: call.code, message: call.message, since: $0)
    }
    let facts = MapFacts(trip.merge.held?.trip, updated: trip.updated, failure: failure)
    map.add(facts, of: trip.label, at: end)
  }

  /// The name of the trip, and the side if both sides recorded it.
  private func label(of key: TripKey) -> String {
    let isOnOtherSide = trips[TripKey(name: key.name, isOfServer: !key.isOfServer)] != nil
    return isOnOtherSide ? "\(key.name) (\(key.isOfServer ? "server" : "client"))" : key.name
  }

  private static func joined(_ messages: [[UInt8]]) -> [UInt8]? {
    guard messages.count > 1 else { return messages.first }
    var array = Array("[".utf8) + Array(messages.prefix(messageLimit).joined(separator: [0x2c]))
    if messages.count > messageLimit {
      array += Array(",\"… \(messages.count - messageLimit) more\"".utf8)
    }
    return array + Array("]".utf8)
  }
}

extension RecordedMapView.MergedTrip {
  /// Returns the difference to the last trip as a JSON merge patch (RFC 7396) of its members.
  fileprivate mutating func changes(to trip: Trip) -> [UInt8]? {
    guard let json = try? trip.jsonUTF8Bytes() else { return nil }
    let members = Dictionary(
      ShortenedJSON.members(of: json).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    var patch: [[UInt8]] = []
    for (name, value) in members where self.members[name] != value {
      patch.append(name + [UInt8(ascii: ":")] + value)
    }
    for name in self.members.keys where members[name] == nil {
      patch.append(name + Array(":null".utf8))
    }
    self.members = members
    guard !patch.isEmpty else { return nil }
    // Dictionaries have no order, and the same recording has to give the same file.
    patch.sort { $0.lexicographicallyPrecedes($1) }
    return [UInt8(ascii: "{")] + patch.joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: "}")]
  }
}
