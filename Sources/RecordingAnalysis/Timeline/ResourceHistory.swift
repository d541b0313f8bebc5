import Tripwire
import WireProtobuf

/// The changes of one resource, call by call. A response has only the changes since the stamps in the
/// request, so responses are merged as in the library.
final class ResourceHistory {
  private typealias Failure = (code: StatusCode, message: String, isLocal: Bool)

  /// Consecutive calls that failed.
  private struct Outage {
    let first: Failure
    var reported: Failure?
    let start: Timestamp?
    var end: Timestamp?
    var count = 0

    func findings(until time: Timestamp) -> [Finding] {
      guard let start else { return [] }
      let (code, message, isLocal) = first
      return [
        Finding(
          .errors(count: count, code, message: message, isLocal: isLocal), from: start,
          to: max(end ?? time, time))
      ]
    }
  }

  /// The effect of a response.
  private enum Outcome {
    case merged(FleetResource)
    case ignored(TimelineEvent)
  }

  /// Only trips and vehicles of trips have stamps.
  private var tripMerge = ResourceMerge<Trip>()
  private var vehicleMerge = ResourceMerge<Vehicle>()
  /// The parts for which the last request had stamps; nil before the first request.
  private var requestedParts: [VersionStamp.Part]?
  private var outage: Outage?
  /// The ETA that was reported last.
  private var eta: (time: Timestamp?, stop: ResourceFacts.NextStop)?
  private var series: [ResponseSeries.Kind: ResponseSeries] = [:]
  private var locationAge = LocationAge()
  private var checks = ResourceChecks()

  /// The resource as known after all responses so far.
  private(set) var resource: FleetResource?
  private var facts: ResourceFacts?

  // MARK: Calls

  func send(_ request: ResourceRequest) -> [TimelineEvent] {
    guard let stamps = request.versionStamps else { return [] }
    let parts = stamps.map(\.part)
    defer { requestedParts = parts }
    guard parts != requestedParts else { return [] }
    let isMidway = requestedParts == nil && !stamps.isEmpty
    return (isMidway ? [.beginsMidway] : []) + [.requested(stamps)]
  }

  /// - Parameters:
  ///   - sent: when the call began.
  ///   - kind: nil for a call that is not one of many at regular intervals.
  func receive(
    _ response: FleetResource, to request: ResourceRequest, at time: Timestamp?, sent: Timestamp?,
    in kind: ResponseSeries.Kind? = .polls
  ) -> [TimelineEvent] {
    var events: [TimelineEvent] = []
    var findings: [Finding] = []
    if let kind {
      let outage = kind == .polls ? outage : nil
      let length = outage.flatMap { duration(of: $0, until: time) }
      (events, findings) = series[kind, default: ResponseSeries(of: kind)].receive(
        at: time, sent: sent, isRecovery: outage != nil)
      if let outage {
        events.append(.recovered(after: length, errors: outage.count))
        findings += time.map { outage.findings(until: $0) } ?? []
        self.outage = nil
      }
    }
    let before = resource
    switch merge(response, to: request) {
    case .merged(let merged):
      resource = merged
      let lastMove = locationAge.lastMove
      events += changes(from: before, to: merged, isListed: request.versionStamps == nil, at: time)
      guard let time else { break }
      findings += checks.receive(
        from: before, to: merged, events, nextStop: facts?.nextStop, lastMove: lastMove, at: time,
        sent: sent)
    case .ignored(let event): events.append(event)
    }
    return events + findings.map(TimelineEvent.check)
  }

  func fail(
    _ code: StatusCode, _ message: String, isLocal: Bool, at time: Timestamp?
  ) -> [TimelineEvent] {
    let failure = (code, message, isLocal)
    var outage = self.outage ?? Outage(first: failure, start: time)
    defer { self.outage = outage }
    outage.count += 1
    outage.end = time
    if let last = outage.reported, last.code == code, isSameText(last.message, message) {
      return []
    }
    outage.reported = failure
    return [.failed(code, message: message, isLocal: isLocal)]
  }

  /// The events at the end of the recording.
  func end(at time: Timestamp?) -> [TimelineEvent] {
    var events = series.keys.sorted { $0.method ?? "" < $1.method ?? "" }.flatMap {
      series[$0]?.end() ?? []
    }
    if let outage, let duration = duration(of: outage, until: time) {
      events.append(.failingAtEnd(duration, errors: outage.count))
    }
    if resource?.isFinal == false { events += locationAge.end(at: time) }
    let findings = time.map { (outage?.findings(until: $0) ?? []) + checks.end(at: $0) } ?? []
    return events + findings.map(TimelineEvent.check)
  }

  /// Since the last response, or since the first error if there was none before.
  private func duration(of outage: Outage, until time: Timestamp?) -> Duration? {
    elapsed(from: series[.polls]?.last ?? outage.start, to: time)
  }

  // MARK: Changes

  private func merge(_ response: FleetResource, to request: ResourceRequest) -> Outcome {
    switch response {
    case .trip where request.versionStamps == nil:
      return .merged(response.completed(from: resource))
    case .trip(let trip):
      let stamped = if case .trip(let request) = request { request } else { GetTripRequest() }
      return take(tripMerge.take(trip, to: stamped)) { .trip($0) }
    case .vehicle(let vehicle):
      let stamped = if case .vehicle(let request) = request { request } else { GetVehicleRequest() }
      return take(vehicleMerge.take(vehicle, to: stamped)) { .vehicle($0) }
    default:
      if case .list = request { return .merged(response.completed(from: resource)) }
      return .merged(response)
    }
  }

  private func take<Resource>(
    _ outcome: ResourceMerge<Resource>.Outcome, _ wrap: (Resource) -> FleetResource
  ) -> Outcome {
    switch outcome {
    case .merged(let held): .merged(wrap(held.resource))
    case .wholeNeeded: .ignored(.missingBase)
    case .outdated: .ignored(.outdatedResponse)
    }
  }

  private func changes(
    from old: FleetResource?, to new: FleetResource, isListed: Bool, at time: Timestamp?
  ) -> [TimelineEvent] {
    let fields = new.changedFields(since: old)
    var events: [TimelineEvent] = fields.isEmpty ? [] : [.changed(fields: fields)]
    let newFacts = new.facts(at: time)
    events += newFacts.changes(since: facts, isFinal: new.isFinal)
    events += etaChange(to: newFacts)
    let route = newFacts.stableRoute
    if route != facts?.stableRoute ?? RoutePath() {
      events.append(.route(route, version: newFacts.routeVersion))
    }
    facts = newFacts
    let location = new.lastLocation
    let hasMoved = location != nil && location?.withoutAge != old?.lastLocation?.withoutAge
    let ages = locationAge.receive(location, hasMoved: hasMoved, isFinal: new.isFinal, at: time)
    // Lists come at irregular intervals.
    return isListed ? events : events + ages
  }

  /// Changes of less than a minute are too frequent to report. Only ETAs at the same stop are compared.
  private func etaChange(to facts: ResourceFacts) -> [TimelineEvent] {
    guard !facts.isAtStop else { return [] }
    let stop = facts.nextStop
    let change = ETAChange(
      eta: facts.currentETA, previous: eta?.stop == stop ? eta?.time : nil,
      waypointType: facts.nextStopType, remainingMeters: facts.remainingMeters)
    if let delay = change.delay {
      guard delay.magnitude >= 60 else { return [] }
    } else if facts.currentETA == nil, eta?.time == nil {
      return []
    }
    eta = (facts.currentETA, stop)
    return [.eta(change)]
  }
}
