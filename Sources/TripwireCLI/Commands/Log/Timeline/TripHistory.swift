import Tripwire
import WireProtobuf

/// What became of one trip, call by call, as the answers say that are put together as the library does
/// it: each holds only what changed since the stamps that were sent.
final class TripHistory {
  /// Calls that failed in the same way, one after another.
  private struct Outage {
    var code: StatusCode
    var message: String
    let start: Timestamp?
    var count = 1
  }

  private let say: Phrases
  private let days: LogDays
  private var merge = TripMerge()
  /// Which parts the last request had stamps of; nil before the first.
  private var stamped: [String]?
  private var outage: Outage?
  /// The ETA that was told last, and of which stop.
  private var eta: (time: Timestamp?, stop: String)?
  private var lastAnswer: Timestamp?
  private var gaps = Gaps()
  private var vehicle: VehicleSilence

  init(_ clock: WallClock) {
    say = Phrases(clock: clock)
    days = LogDays(clock)
    vehicle = VehicleSilence(days)
  }

  private var trip: Trip? { merge.held?.trip }

  // MARK: Calls

  func ask(_ request: GetTripRequest, at time: Timestamp?) -> [StoryEvent] {
    let stamps = request.stamps
    let parts = stamps.map(\.part)
    defer { stamped = parts }
    guard parts != stamped else { return [] }
    let members = stamps.compactMap { stamp in
      StoryEvent.json(stamp.time).map { "\"\(stamp.field)\":\($0)" }
    }
    var events: [StoryEvent] = []
    if stamped == nil, !stamps.isEmpty {
      events.append(
        StoryEvent(
          "midway",
          "the recording begins midway: stops and route are not known until they change"))
    }
    let words = stamps.isEmpty ? "the whole trip" : "changes since \(self.words(request, at: time))"
    return events + [
      StoryEvent("asked", "asked for \(words)", ("since", "{\(members.joined(separator: ","))}"))
    ]
  }

  /// "09:30:15", or "09:30:15 (route, traffic), 09:30:20 (stops)".
  private func words(_ request: GetTripRequest, at time: Timestamp?) -> String {
    var parts: [(time: Timestamp, names: [String])] = []
    for stamp in request.stamps {
      if let index = parts.firstIndex(where: { $0.time == stamp.time }) {
        parts[index].names.append(stamp.part)
      } else {
        parts.append((stamp.time, [stamp.part]))
      }
    }
    return parts.map { part in
      let clock = days.time(part.time, inLineOf: time)
      return part.names.count == 4 ? clock : "\(clock) (\(part.names.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  /// - Parameter latency: how long the call took.
  func answer(
    _ answer: Trip, to request: GetTripRequest, at time: Timestamp?, after latency: Duration?
  ) -> [StoryEvent] {
    let interval = lastAnswer.flatMap { last in time.flatMap { elapsed(from: last, to: $0) } }
    var events = gaps.answer(after: interval, latency, isRecovery: outage != nil)
    events += recovery(at: time)
    lastAnswer = time
    let before = trip
    switch merge.take(answer, to: request) {
    case .merged(let held):
      events += changes(from: before, to: held.trip, at: time)
    case .wholeNeeded:
      events.append(
        StoryEvent("partial", "an increment came without its base: a whole answer is needed"))
    case .outdated:
      events.append(StoryEvent("outdated", "the answer is older than what is known: not taken"))
    }
    return events
  }

  func fail(
    _ code: StatusCode, _ message: String, isLocal: Bool, at time: Timestamp?
  ) -> [StoryEvent] {
    if let last = outage, last.code == code, isSameText(last.message, message) {
      outage?.count += 1
      return []
    }
    let start = outage == nil ? time : outage?.start
    outage = Outage(
      code: code, message: message, start: start, count: (outage?.count ?? 0) + 1)
    let words =
      code.words(isLocal: isLocal) + (message.isEmpty ? "" : ": " + shortened(message, to: 200))
    return [
      StoryEvent(
        "error", "error: \(words)", ("code", quoted(code.description)),
        ("message", quoted(message)), ("local", isLocal ? "true" : nil))
    ]
  }

  /// What is not over when the recording is.
  func end(at time: Timestamp?) -> [StoryEvent] {
    var events: [StoryEvent] = []
    events += gaps.end()
    if let outage, let lasted = withoutAnswer(outage, at: time) {
      let time = lasted > .zero ? ", no answer for \(Units.latency(lasted))" : ""
      events.append(
        StoryEvent(
          "failing", "still failing at the end: \(words(outage))\(time)",
          ("seconds", StoryEvent.json(lasted)), ("errors", String(outage.count))))
    }
    if trip?.tripStatus.isFinal == false { events += vehicle.end(at: time) }
    return events
  }

  private func recovery(at time: Timestamp?) -> [StoryEvent] {
    guard let outage else { return [] }
    self.outage = nil
    let lasted = withoutAnswer(outage, at: time)
    let words = lasted.map { " after \(Units.latency($0)) without an answer" } ?? ""
    return [
      StoryEvent(
        "recovered", "recovered\(words), \(self.words(outage))",
        ("seconds", lasted.map(StoryEvent.json)), ("errors", String(outage.count)))
    ]
  }

  private func words(_ outage: Outage) -> String { Units.count(outage.count, "error") }

  /// Since the last answer; since the first error where there was none before.
  private func withoutAnswer(_ outage: Outage, at time: Timestamp?) -> Duration? {
    guard let start = lastAnswer ?? outage.start, let time else { return nil }
    return elapsed(from: start, to: time)
  }

  // MARK: Changes

  private func changes(
    from old: Trip?, to new: Trip, at time: Timestamp?
  ) -> [StoryEvent] {
    let changed = TripPropertyFields.differences(between: old, and: new)
    var events: [StoryEvent] = []
    if changed.contains(.tripStatus) {
      events.append(.status(new.tripStatus, after: old?.tripStatus, say))
    }
    if changed.contains(.vehicleID) {
      events.append(
        StoryEvent(
          "vehicle",
          new.vehicleId.isEmpty ? "no vehicle" : "vehicle: \(shortened(new.vehicleId))",
          ("vehicleId", quoted(new.vehicleId))))
    }
    if stops(new) != old.map(stops) ?? [] {
      let count = new.remainingWaypoints.count
      let types = new.remainingWaypoints.map(StoryEvent.type)
      events.append(
        StoryEvent(
          "stops",
          "\(Units.count(count, "stop")) left" + (nextStop(new).map { ", next: \($0)" } ?? ""),
          ("stops", String(count)),
          ("waypointTypes", "[\(types.joined(separator: ","))]")))
    }
    events += newETA(new, at: time)
    if changed.contains(.activeRoute) { events.append(route(new)) }
    events += vehicle.answer(
      new, hasMoved: changed.contains(.lastVehicleLocation) && new.lastLocation != nil, at: time)
    return events
  }

  /// Of each stop what makes it another one.
  private func stops(_ trip: Trip) -> [String] {
    trip.remainingWaypoints.map { words($0) }
  }

  private func words(_ stop: TripWaypoint) -> String {
    "\(stop.waypointType.rawValue) \(say.place(stop.location) ?? "") \(stop.tripId)"
  }

  private func nextStop(_ trip: Trip) -> String? {
    trip.nextWaypoint.flatMap { say.words($0.waypointType.name, $0.waypointType.rawValue) }
  }

  /// From a minute on: less it changes all the time. How much it does is told of one stop only.
  private func newETA(_ trip: Trip, at time: Timestamp?) -> [StoryEvent] {
    let new = trip.etaToNextWaypoint
    let stop = self.stop(trip)
    let before = eta?.stop == stop ? eta?.time : nil
    var shift = ""
    if let new, let before {
      let difference = new.seconds.subtractingReportingOverflow(before.seconds).partialValue
      guard difference.magnitude >= 60 else { return [] }
      shift =
        ", \(Units.duration(seconds: difference.magnitude)) \(difference < 0 ? "earlier" : "later")"
    } else if new == nil, eta?.time == nil {
      return []
    }
    eta = (new, stop)
    let clock = new.map { days.time($0, inLineOf: time) } ?? TextTable.unset
    return [
      StoryEvent(
        "eta", "ETA at next stop: \(clock)\(shift)",
        ("eta", StoryEvent.json(new) ?? "null"), ("before", StoryEvent.json(before)),
        ("waypointType", trip.nextTripWaypoint.map(StoryEvent.type)),
        ("distanceMeters", trip.remainingDistanceOfActiveRoute.map { String($0) }))
    ]
  }

  /// What the ETA is at; of a trip whose stops are not known the status tells.
  private func stop(_ trip: Trip) -> String {
    if let stop = trip.nextTripWaypoint ?? trip.nextWaypoint { return words(stop) }
    let goal = trip.tripStatus.name?.split(separator: "_").last ?? ""
    return "\(goal) \(trip.intermediateDestinationIndex)"
  }

  private func route(_ trip: Trip) -> StoryEvent {
    let path = trip.activeRoute
    guard !path.isEmpty else {
      return StoryEvent("route", "no route", ("points", "0"), ("distanceMeters", "0"))
    }
    do {
      let points = try path.points()
      return StoryEvent(
        "route", "route: \(say.route(points) ?? TextTable.unset)",
        ("points", String(points.count)),
        ("distanceMeters", Units.fixed(length(of: points), decimals: 0)),
        ("version", StoryEvent.json(trip.currentRouteSegmentVersion)))
    } catch {
      return StoryEvent("route", "route that cannot be read: \(escaped("\(error)"))")
    }
  }
}
