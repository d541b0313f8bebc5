import Tripwire
import WireProtobuf

/// The changes of one trip, call by call. A response has only the changes since the stamps in the
/// request, so responses are merged as in the library.
final class TripHistory {
  /// Consecutive calls that failed in the same way.
  private struct Outage {
    var code: StatusCode
    var message: String
    let start: Timestamp?
    var count = 1
  }

  /// The stop of an ETA.
  private enum ETAStop: Equatable {
    case stop(StopIdentity)
    /// The next stop of a trip whose stops are unknown: its kind in the status, PICKUP, and the number of
    /// stops before it.
    case next(String, index: Int32)
  }

  private var merge = TripMerge()
  /// The parts for which the last request had stamps; nil before the first request.
  private var requestedParts: [VersionStamp.Part]?
  private var outage: Outage?
  /// The ETA that was reported last.
  private var eta: (time: Timestamp?, stop: ETAStop)?
  private var lastResponse: Timestamp?
  private var gaps = ResponseGaps()
  private var locationAge = LocationAge()
  private var checks = TripChecks()

  /// The trip as known after all responses so far.
  var trip: Trip? { merge.held?.trip }

  // MARK: Calls

  func send(_ request: GetTripRequest) -> [TripEvent] {
    let stamps = request.versionStamps
    let parts = stamps.map(\.part)
    defer { requestedParts = parts }
    guard parts != requestedParts else { return [] }
    let isMidway = requestedParts == nil && !stamps.isEmpty
    return (isMidway ? [.beginsMidway] : []) + [.requested(stamps)]
  }

  /// - Parameters:
  ///   - sent: when the call began.
  ///   - isRegular: whether the call is one of many at regular intervals.
  func receive(
    _ response: Trip, to request: GetTripRequest, at time: Timestamp?, sent: Timestamp?,
    isRegular: Bool = true
  ) -> [TripEvent] {
    let latency = sent.flatMap { sent in time.flatMap { elapsed(from: sent, to: $0) } }
    var events: [TripEvent] = []
    var findings: [RecordingCheck.Finding] = []
    if isRegular {
      let interval = lastResponse.flatMap { last in time.flatMap { elapsed(from: last, to: $0) } }
      events = gaps.receive(after: interval, latency, isRecovery: outage != nil)
      events += recover(at: time)
      lastResponse = time
      findings = time.map { checks.respond(afterGap: gaps.usualBeforeGap, at: $0) } ?? []
    }
    let before = trip
    switch merge.take(response, to: request) {
    case .merged(let held):
      let lastMove = locationAge.lastMove
      events += changes(from: before, to: held.trip, at: time)
      guard let time else { break }
      findings += checks.receive(
        from: before, to: held.trip, events, lastMove: lastMove, at: time, sent: sent)
    case .wholeNeeded: events.append(.missingBase)
    case .outdated: events.append(.outdatedResponse)
    }
    return events + findings.map(TripEvent.check)
  }

  func fail(
    _ code: StatusCode, _ message: String, isLocal: Bool, at time: Timestamp?
  ) -> [TripEvent] {
    if let time { checks.fail(code, message, isLocal: isLocal, at: time) }
    if let last = outage, last.code == code, isSameText(last.message, message) {
      outage?.count += 1
      return []
    }
    let start = outage == nil ? time : outage?.start
    outage = Outage(code: code, message: message, start: start, count: (outage?.count ?? 0) + 1)
    return [.failed(code, message: message, isLocal: isLocal)]
  }

  /// The events at the end of the recording.
  func end(at time: Timestamp?) -> [TripEvent] {
    var events = gaps.end()
    if let outage, let duration = duration(of: outage, until: time) {
      events.append(.failingAtEnd(duration, errors: outage.count))
    }
    if trip?.tripStatus.isFinal == false { events += locationAge.end(at: time) }
    let findings = time.map { checks.end(at: $0) } ?? []
    return events + findings.map(TripEvent.check)
  }

  private func recover(at time: Timestamp?) -> [TripEvent] {
    guard let outage else { return [] }
    self.outage = nil
    return [.recovered(after: duration(of: outage, until: time), errors: outage.count)]
  }

  /// Since the last response, or since the first error if there was none before.
  private func duration(of outage: Outage, until time: Timestamp?) -> Duration? {
    guard let start = lastResponse ?? outage.start, let time else { return nil }
    return elapsed(from: start, to: time)
  }

  // MARK: Changes

  private func changes(from old: Trip?, to new: Trip, at time: Timestamp?) -> [TripEvent] {
    let changed = TripPropertyFields.differences(between: old, and: new)
    let fields = ChangedFields.names(from: old ?? Trip(), to: new)
    var events: [TripEvent] = fields.isEmpty ? [] : [.changed(fields: fields)]
    if changed.contains(.tripStatus) {
      events.append(.status(new.tripStatus, previous: old?.tripStatus))
    }
    if changed.contains(.vehicleID) { events.append(.vehicle(id: new.vehicleId)) }
    let stops = new.remainingWaypoints
    if stops.map(StopIdentity.init) != (old?.remainingWaypoints ?? []).map(StopIdentity.init) {
      events.append(.stops(stops))
    }
    events += etaChange(of: new)
    if changed.contains(.activeRoute) {
      events.append(.route(new.activeRoute, version: new.currentRouteSegmentVersion))
    }
    let hasMoved = changed.contains(.lastVehicleLocation) && new.lastLocation != nil
    events += locationAge.receive(new, hasMoved: hasMoved, at: time)
    return events
  }

  /// Changes of less than a minute are too frequent to report. Only ETAs at the same stop are compared.
  private func etaChange(of trip: Trip) -> [TripEvent] {
    let new = trip.etaToNextWaypoint
    let stop = Self.etaStop(of: trip)
    let change = ETAChange(
      eta: new, previous: eta?.stop == stop ? eta?.time : nil, stop: trip.nextTripWaypoint,
      remainingMeters: trip.remainingDistanceOfActiveRoute)
    if let delay = change.delay {
      guard delay.magnitude >= 60 else { return [] }
    } else if new == nil, eta?.time == nil {
      return []
    }
    eta = (new, stop)
    return [.eta(change)]
  }

  private static func etaStop(of trip: Trip) -> ETAStop {
    if let stop = trip.nextTripWaypoint ?? trip.nextWaypoint { return .stop(StopIdentity(stop)) }
    let name = trip.tripStatus.name?.split(separator: "_").last.map(String.init) ?? ""
    return .next(name, index: trip.intermediateDestinationIndex)
  }
}
