import CommandResources
import CommandShell
import DynamicProtobuf
import MapPage
import Recording
import RecordingAnalysis
import Tripwire
import WireProtobuf

/// Shows a log on the page with a map.
final class RecordedMapView: LogView {
  /// A call that has no end yet, and the JSON of its first messages.
  private struct OpenCall {
    var call: LoggedCall
    var requests: [[UInt8]] = []
    var responses: [[UInt8]] = []
  }

  /// A resource as one side of the calls recorded it.
  fileprivate struct ShownResource {
    let label: String
    /// The members of the JSON of the merged resource, by their names.
    var members: [String: [UInt8]] = [:]
    /// When the last response with the resource came.
    var updated: Double?
    var failingSince: Double?
  }

  /// The number of messages of a stream that are shown.
  private static let messageLimit = 10

  private let types: MessageTypes
  private let page: RecordedMapPage
  /// The index of the observer that made the log, if two logs are compared.
  private let observer: Int?
  private let console: Console
  private let routeWarnings: RouteWarnings
  private var calls = OpenCalls<OpenCall>()
  private var resources: [ResourceTimeline.Key: ShownResource] = [:]
  private let collector: TripEvidenceCollector
  private var timeline: ResourceTimeline { collector.timeline }
  private var findings = RecordingFindings()
  private var lastTime = 0.0
  /// The states of each resource, by its name, if two logs are compared.
  private(set) var states: [String: ObserverStates] = [:]

  init(
    _ types: MessageTypes, on page: RecordedMapPage, observer: Int? = nil, _ console: Console
  ) {
    self.types = types
    self.page = page
    self.observer = observer
    self.console = console
    routeWarnings = RouteWarnings(console)
    collector = TripEvidenceCollector(types, of: nil)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    let items = collector.add(entry)
    for item in items { findings.add(item) }
    if observer != nil { noteStates(after: items) }
    if entry.value.type == .serverMessage { addFrames(ofResourcesIn: items) }
    let number = entry.call.number
    if entry.call.isNew { calls[number] = OpenCall(call: LoggedCall(entry)) }
    lastTime = entry.value.timestamp?.secondsSince1970 ?? lastTime
    calls[number]?.call.add(entry, types)
    if case .message(let message) = entry.value.payload { try add(message, of: entry) }
    if let call = calls.end(at: entry) { try finish(call, items) }
  }

  var output: String? { page.file.name }

  func end(calls count: Int) throws(ErrorReport) {
    for call in calls.all { try finish(call, []) }
    for item in timeline.end() { findings.add(item) }
    for list in findings.lists { page.map.add(check(list)) }
    addAnalyses()
    for name in states.keys { states[name]?.end = lastTime }
    page.end(timeline, resources.keys.map(\.name))
    // Otherwise another log follows.
    if observer == nil { try page.write() }
  }

  private func check(_ list: RecordingFindings.List) -> RecordedMap.Check {
    RecordedMap.Check(
      id: list.check.rawValue, title: list.check.title, explanation: list.check.explanation,
      findings: list.findings.map { key, finding in
        RecordedMap.Check.Finding(
          time: finding.time.secondsSince1970, until: finding.until.secondsSince1970,
          trip: resources[key]?.label,
          text: finding.text)
      }, omitted: list.omitted)
  }

  /// Adds what happened to the locations of each resource.
  private func addAnalyses() {
    var analysis = LocationAnalysis(console.clock())
    for evidence in collector.finish() {
      let isOfServer = evidence.polls.isEmpty
      let key = ResourceTimeline.Key(evidence.kind, name: evidence.name, isOfServer: isOfServer)
      guard let label = resources[key]?.label else { continue }
      page.map.add(analysis: analysis.json(of: evidence, label: label), to: label)
    }
    for check in analysis.checks { page.map.add(check) }
  }

  private func noteStates(after items: [ResourceTimeline.Item]) {
    for item in items {
      guard let time = item.time, let resource = timeline.merged(item.resource) else { continue }
      states[item.resource.name, default: ObserverStates()].add(resource, at: time)
    }
  }

  // MARK: Calls

  private func add(_ message: BinlogMessage, of entry: LoggedEntry) throws(ErrorReport) {
    let isRequest = entry.value.type == .clientMessage
    let messages: WritableKeyPath<OpenCall, [[UInt8]]> = isRequest ? \.requests : \.responses
    guard let count = calls[entry.call.number]?[keyPath: messages].count,
      count < Self.messageLimit, let json = json(message, of: entry)
    else { return }
    calls[entry.call.number]?[keyPath: messages].append(json)
    try mapError(calls.hold(json.count, in: entry.call.number)) { (error: OpenCallsOverflow) in
      ErrorReport(error)
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

  /// - Parameter items: the changes that the end of the call caused.
  private func finish(
    _ open: OpenCall, _ items: [ResourceTimeline.Item]
  ) throws(ErrorReport) {
    try page.add(result(of: open, items))
  }

  private func result(of open: OpenCall, _ items: [ResourceTimeline.Item]) -> RecordedMap.Call {
    let start = open.call.start?.secondsSince1970 ?? lastTime
    var call = RecordedMap.Call(
      number: open.call.number, start: start,
      method: String((open.call.method ?? "unknown method").drop { $0 == "/" }),
      code: open.call.status.description + (open.call.isLocal ? " (local)" : ""))
    call.end = open.call.latency.map { start + $0 / .seconds(1) }
    call.message = open.call.statusMessage
    call.request = Self.joined(open.requests, of: open.call.requests.messages)
    call.response = Self.joined(open.responses, of: open.call.responses.messages)
    call.summary = open.call.resourceName ?? ""
    if let name = open.call.resourceName {
      if let kind = ResourceKind(ofName: name) {
        let key = ResourceTimeline.Key(kind, name: name, isOfServer: open.call.isOfServer)
        // A name in `resources` was checked before, and checking it takes longer than the lookup.
        if resources[key] != nil || (try? ResourceName(name)) != nil {
          show(key, after: open.call, items.map(\.event), &call)
        }
      }
    }
    return call
  }

  /// Adds the state of a resource after a call about it.
  private func show(
    _ key: ResourceTimeline.Key, after logged: LoggedCall, _ events: [TimelineEvent],
    _ call: inout RecordedMap.Call
  ) {
    var shown = resources[key] ?? ShownResource(label: label(of: key))
    call.trip = shown.label
    if timeline.isBeyondLimit(key) {
      page.map.add(
        note: "Only the first \(ResourceTimeline.limit) resources of a recording are merged.",
        to: shown.label)
    }
    defer { resources[key] = shown }
    guard logged.method == key.kind.getPath || events.hasChange else { return }
    let end = call.end ?? call.start
    if logged.status != .ended(.ok) { call.summary = call.message }
    // A call that was canceled or has no end is ignored if a later call has returned the resource.
    guard shown.updated ?? end <= end else { return }
    let resource = timeline.merged(key)
    if logged.status == .ended(.ok) {
      (shown.updated, shown.failingSince) = (end, nil)
      call.summary = Self.summary(events, of: key.kind)
      call.changes = resource.flatMap { shown.changes(to: $0) }
    } else {
      shown.failingSince = min(shown.failingSince ?? end, end)
    }
    let failure = shown.failingSince.map {
      MapFacts.Failure(code: call.code, message: call.message, since: $0)
    }
    routeWarnings.check(
      page.map.add(
        MapFacts(resource, updated: shown.updated, failure: failure),
        of: shown.label, by: observer(of: key), at: end))
  }

  /// Adds the states of resources that a list has, and of trips after the update of a vehicle in Fleet
  /// Engine's own logs.
  private func addFrames(ofResourcesIn items: [ResourceTimeline.Item]) {
    for item in items where [item.event].hasChange {
      guard let time = item.time?.secondsSince1970 else { continue }
      var shown = resources[item.resource] ?? ShownResource(label: label(of: item.resource))
      shown.updated = time
      resources[item.resource] = shown
      routeWarnings.check(
        page.map.add(
          MapFacts(timeline.merged(item.resource), updated: time),
          of: shown.label, by: observer(of: item.resource), at: time))
    }
  }

  /// Returns the names of the fields that a response changed, or a note that it was ignored.
  private static func summary(_ events: [TimelineEvent], of kind: ResourceKind) -> String {
    for event in events {
      if case .changed(let fields) = event { return fields.joined(separator: ", ") }
      if let text = event.textOfIgnoredResponse(of: kind) { return text }
    }
    return "no change"
  }

  /// The index of the observer that had the resource; nil if there is only one.
  private func observer(of key: ResourceTimeline.Key) -> Int? {
    page.observers.isEmpty ? nil : observer ?? (key.isOfServer ? 1 : 0)
  }

  /// The name of the resource, and the observer if there is another one.
  private func label(of key: ResourceTimeline.Key) -> String {
    if let observer = observer(of: key) {
      return "\(key.name) (\(page.observers[observer].name))"
    }
    let other = ResourceTimeline.Key(key.kind, name: key.name, isOfServer: !key.isOfServer)
    return resources[other] == nil
      ? key.name : "\(key.name) (\(key.isOfServer ? "server" : "client"))"
  }

  /// - Parameter count: the number of all messages.
  private static func joined(_ messages: [[UInt8]], of count: Int) -> [UInt8]? {
    guard count > 1, !messages.isEmpty else { return messages.first }
    return JSONWriter.bytes { json in
      json.beginArray()
      for message in messages {
        json.next()
        json.put(json: message)
      }
      if count > messages.count {
        json.next()
        json.put(string: "… \(count - messages.count) more")
      }
      json.endArray()
    }
  }
}

extension RecordedMapView.ShownResource {
  /// Returns the difference to the last state as a JSON merge patch (RFC 7396) of its members.
  fileprivate mutating func changes(to resource: FleetResource) -> [UInt8]? {
    guard let json = try? resource.message.jsonUTF8Bytes() else { return nil }
    let members = Self.members(of: json)
    var patch = members.filter { self.members[$0.key] != $0.value }
    for name in self.members.keys where members[name] == nil { patch[name] = Array("null".utf8) }
    self.members = members
    guard !patch.isEmpty else { return nil }
    // Dictionaries have no order, and the same recording has to give the same file.
    let sorted = patch.sorted { $0.key < $1.key }
    return JSONWriter.objectBytes { json in
      for (name, value) in sorted { json.member(name, json: ShortenedJSON.shortened(value)) }
    }
  }

  /// - Parameter json: a valid JSON object without white space, with names that need no escapes.
  private static func members(of json: [UInt8]) -> [String: [UInt8]] {
    var scanner = JSONScanner(json)
    var members: [String: [UInt8]] = [:]
    _ = scanner.next()
    while scanner.next() == .string {
      let name = String(decoding: json[scanner.range].dropFirst().dropLast(), as: UTF8.self)
      _ = scanner.next()
      guard let value = scanner.skipValue() else { break }
      members[name] = Array(json[value])
      _ = scanner.next()
    }
    return members
  }
}

extension [TimelineEvent] {
  fileprivate var hasChange: Bool {
    contains { event in
      if case .changed = event { true } else { false }
    }
  }
}
