import Recording
import Tripwire
import WireProtobuf

/// Collects the evidence about a resource in one pass over the calls of both sides.
package final class TripEvidenceCollector {
  private struct Call {
    var value: LoggedCall
    var request: [UInt8]?
    var response: [UInt8]?
    var received: Double?
  }

  private let types: MessageTypes
  private let wanted: ResourceSelector
  private let timeline: ResourceTimeline
  private var calls = OpenCalls<Call>()
  private var evidence = TripEvidence()
  /// The updates of each vehicle, by its ID.
  private var updates: [String: [TripEvidence.Update]] = [:]
  /// The IDs of the vehicles of the resource.
  private var vehicles: Set<String> = []
  /// The times of the first and the last call about the resource.
  private var range: ClosedRange<Double>?
  /// When each side first had the last state of the resource.
  private var clientEnd: Double?
  private var serverEnd: Double?
  private var lastTime = 0.0

  package init(_ types: MessageTypes, of wanted: ResourceSelector) {
    self.types = types
    self.wanted = wanted
    timeline = ResourceTimeline(
      types, of: wanted, in: LogInterval(since: nil, until: nil, LocalTime(now: 0) { _ in 0 }))
  }

  /// The first resources of the recording that could be wanted, while it has no call about the wanted one.
  package var otherNames: [String] { timeline.otherNames }
  package var hasTruncatedMessage: Bool { timeline.hasTruncatedMessage }

  package func add(_ entry: LoggedEntry) {
    let number = entry.call.number
    let items = timeline.add(entry)
    let time = entry.value.timestamp?.secondsSince1970 ?? lastTime
    lastTime = time
    if entry.value.logger == .server {
      evidence.hasServer = true
    } else {
      evidence.hasClient = true
    }
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
  }

  /// Returns nil if no call is about the resource.
  package func finish(_ clock: ClockOffset?) -> TripEvidence? {
    for call in calls.all { finish(call, at: lastTime) }
    guard let resource = timeline.resources.first, let range else { return nil }
    evidence.name = resource.name
    evidence.kind = resource.kind
    evidence.clock = clock
    evidence.start = range.lowerBound
    // The client may see the last state later than the server.
    let end = clientEnd ?? (evidence.polls.isEmpty ? serverEnd : nil) ?? range.upperBound
    let whole = range.lowerBound...max(range.lowerBound, end)
    evidence.end = whole.upperBound
    evidence.updates = vehicles.flatMap { updates[$0] ?? [] }.sorted { $0.time < $1.time }
      .filter { whole ~= $0.time }
    evidence.polls.sort { $0.start < $1.start }
    evidence.polls.removeAll { $0.start > whole.upperBound }
    evidence.answers.removeAll { $0.start > whole.upperBound }
    return evidence
  }

  /// Notes the vehicle and the end of a resource that has changed.
  private func note(_ key: ResourceTimeline.Key, at time: Double) {
    extend(to: time)
    guard let resource = timeline.merged(key) else { return }
    switch resource {
    case .vehicle, .deliveryVehicle: vehicles.insert(Self.id(ofName: resource.name))
    default:
      let id = resource.facts(at: nil).vehicleID
      if !id.isEmpty { vehicles.insert(id) }
    }
    guard resource.isFinal else { return }
    if key.isOfServer { serverEnd = serverEnd ?? time } else { clientEnd = clientEnd ?? time }
  }

  private func extend(to time: Double) {
    range = min(range?.lowerBound ?? time, time)...max(range?.upperBound ?? time, time)
  }

  private func finish(_ call: Call, at time: Double) {
    guard let path = call.value.method, let name = call.value.resourceName,
      let kind = ResourceKind(ofName: name)
    else { return }
    let outcome = TripEvidence.Outcome(call.value)
    let start = call.value.start?.secondsSince1970 ?? time
    if path == kind.getPath, wanted.isNamed(name, kind) {
      let key = ResourceTimeline.Key(kind, name: name, isOfServer: call.value.isOfServer)
      var poll = TripEvidence.Poll(
        call: call.value.number, start: start, end: call.received ?? time, outcome: outcome)
      poll.location =
        call.value.isOfServer
        ? call.response.flatMap { RecordedResources.resource(in: $0, of: path)?.lastLocation }
        : timeline.merged(key)?.lastLocation
      extend(to: poll.start)
      extend(to: poll.end)
      if call.value.isOfServer {
        evidence.answers.append(poll)
      } else {
        evidence.polls.append(poll)
      }
    } else if call.value.isOfServer, path == kind.path(of: "Update"), let request = call.request {
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
