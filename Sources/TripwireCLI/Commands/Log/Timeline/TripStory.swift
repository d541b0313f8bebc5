import Recording
import Tripwire
import WireProtobuf

/// The story of a trip, of all calls that are about it.
final class TripStory: LogView {
  /// A call about the trip that is not over.
  private final class Call {
    let name: String
    let method: String
    /// Of GetTrip.
    let request: GetTripRequest?
    let start: Timestamp?
    var answer: Trip?
    var time: Timestamp?

    init(_ name: String, _ method: String, _ request: GetTripRequest?, at start: Timestamp?) {
      self.start = start
      self.name = name
      self.method = method
      self.request = request
    }
  }

  private static let ofServer = " (server)"

  private let wanted: String
  private let interval: LogInterval
  private let isJSON: Bool
  private let types: MessageTypes
  private let clock: WallClock
  private var days: LogDays
  private let output: LogOutput
  private var calls: [Int: Call] = [:]
  /// By the name of the trip; " (server)" follows that where a server wrote the entries.
  private var histories: [String: TripHistory] = [:]
  /// Their keys, in the order in which they began.
  private var keys: [String] = []
  private var trips = NamesMet()
  private var lastTime: Timestamp?
  private var isToldAny = false
  private let console: Console

  /// - Parameters:
  ///   - wanted: the trip's whole name, or its ID.
  ///   - interval: what is told is of these times; what was before still makes the trip what it is.
  init(
    _ types: MessageTypes, of wanted: String, in interval: LogInterval, isJSON: Bool,
    _ console: Console
  ) {
    self.types = types
    self.wanted = wanted
    self.interval = interval
    self.console = console
    self.isJSON = isJSON
    clock = console.clock()
    days = LogDays(clock)
    output = LogOutput(console)
  }

  func add(_ entry: LogFile.Entry) throws(ErrorReport) {
    let value = entry.value
    let number = entry.call.number
    interval.note(value.timestamp)
    switch (value.type, value.payload) {
    case (.clientMessage, .message(let message)) where calls[number] == nil:
      try begin(message, entry)
    case (.serverMessage, .message(let message)):
      guard let call = calls[number], call.request != nil else { return }
      call.answer = entry.isWhole ? try? Trip(serializedBytes: message.data) : nil
      call.time = value.timestamp
    case (.serverTrailer, .trailer(let trailer)):
      guard let call = calls.removeValue(forKey: number) else { return }
      try tell(end(of: call, trailer, entry), call.name, entry)
    case (.cancel, _):
      guard let call = calls.removeValue(forKey: number) else { return }
      let event = StoryEvent("cancelled", "\(call.method) cancelled by the client")
      try tell([event], call.name, entry)
    default: break
    }
  }

  func pause() throws(ErrorReport) { try output.flush() }

  func end(calls count: Int) throws(ErrorReport) {
    guard !histories.isEmpty else {
      throw ErrorReport(
        local: "--trip \(shortened(wanted)): not in the recording, which contains"
          + " \(trips.others(of: "trips"))")
    }
    for key in keys {
      for event in histories[key]?.end(at: lastTime) ?? [] {
        try write(event, key, at: lastTime, call: nil)
      }
    }
    for number in 0...count {
      guard let call = calls[number] else { continue }
      let event = StoryEvent("unfinished", "\(call.method) has no end in the recording")
      try write(event, call.name, at: lastTime, call: number)
    }
    try output.flush()
    if interval.isGiven, !isToldAny { console.warn("the trip has no events in the selected time") }
  }

  // MARK: Calls

  private func begin(
    _ message: BinlogMessage, _ entry: LogFile.Entry
  ) throws(ErrorReport) {
    guard entry.isWhole, let path = entry.call.method,
      path.hasPrefix("/maps.fleetengine.v1.TripService/"),
      let name = types.resource(of: entry)
    else { return }
    let isWanted = isWanted(name)
    trips.meet(name, isWanted: isWanted)
    guard isWanted else { return }
    let key = entry.value.logger == .server ? name + Self.ofServer : name
    let method = path.split(separator: "/").last.map(String.init) ?? path
    let request = method == "GetTrip" ? try? GetTripRequest(serializedBytes: message.data) : nil
    calls[entry.call.number] = Call(key, method, request, at: entry.value.timestamp)
    let history = history(key)
    let events = request.map { history.ask($0, at: entry.value.timestamp) } ?? []
    try tell(events, key, entry)
  }

  private func isWanted(_ name: String) -> Bool {
    guard name.utf8.count <= 1_024 else { return false }
    return name == wanted || name.hasSuffix("/trips/" + wanted)
  }

  private func history(_ key: String) -> TripHistory {
    if let history = histories[key] { return history }
    let history = TripHistory(clock)
    histories[key] = history
    keys.append(key)
    return history
  }

  private func end(
    of call: Call, _ trailer: BinlogTrailer, _ entry: LogFile.Entry
  ) -> [StoryEvent] {
    let time = entry.value.timestamp
    let isLocal = entry.isLocalStatus
    let code = StatusCode(rawValue: Int(trailer.statusCode))
    let history = history(call.name)
    guard let request = call.request else {
      let message = trailer.statusMessage
      let words =
        code.words(isLocal: isLocal) + (message.isEmpty ? "" : ": " + shortened(message, to: 200))
      return [
        StoryEvent(
          "call", "\(call.method): \(words)", ("method", quoted(call.method)),
          ("code", quoted(code.description)), ("local", isLocal ? "true" : nil))
      ]
    }
    guard code.named == .ok else {
      return history.fail(code, trailer.statusMessage, isLocal: isLocal, at: time)
    }
    guard let answer = call.answer else {
      return [StoryEvent("unreadable", "an answer that is not whole, or no trip")]
    }
    let answered = call.time ?? time
    let latency = call.start.flatMap { start in answered.flatMap { elapsed(from: start, to: $0) } }
    return history.answer(answer, to: request, at: answered, after: latency)
  }

  // MARK: Telling

  private func tell(
    _ events: [StoryEvent], _ key: String, _ entry: LogFile.Entry
  ) throws(ErrorReport) {
    lastTime = entry.value.timestamp ?? lastTime
    for event in events {
      try write(event, key, at: entry.value.timestamp, call: entry.call.number)
    }
  }

  private func write(
    _ event: StoryEvent, _ key: String, at time: Timestamp?, call: Int?
  ) throws(ErrorReport) {
    guard interval.contains(time) else { return }
    isToldAny = true
    guard isJSON else {
      if let day = days.line(for: time) { try output.write(line: day) }
      let number = call.map { "call \($0)" } ?? ""
      // Of several trips of this ID, or views of it, each line says of which.
      let label = histories.count > 1 ? shortened(key) + "  " : ""
      let start = days.time(time) + "  " + padded(number, to: 10)
      return try output.write(start, label + event.words)
    }
    var object = JSONObject()
    object.add("time", StoryEvent.json(time))
    let isOfServer = key.hasSuffix(Self.ofServer)
    object.add("name", quoted(isOfServer ? String(key.dropLast(Self.ofServer.count)) : key))
    object.add("call", call.map { String($0) })
    if isOfServer { object.add("logger", "\"server\"") }
    object.add("event", quoted(event.kind))
    for member in event.members { object.add(member.name, member.json) }
    try output.write(json: object.text + "\n")
  }
}
