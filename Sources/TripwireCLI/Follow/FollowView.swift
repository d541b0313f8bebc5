import Tripwire

/// The trips that are followed, for people: one in some detail, several in a line each.
struct FollowView {
  private var names: [String]
  private var updates: [String: (update: TripUpdate, report: ErrorReport?)] = [:]

  init(_ names: [String]) {
    self.names = names
  }

  mutating func show(_ name: String, _ update: TripUpdate, _ report: ErrorReport?) {
    updates[name] = (update, report)
  }

  /// Lines without their ends.
  ///
  /// - Parameter rows: how many there may be.
  func lines(_ clock: WallClock, rows: Int = .max) -> [String] {
    let say = Phrases(clock: clock)
    if names.count == 1, let name = names.first { return Array(detail(name, say).prefix(rows)) }
    let shown = names.prefix(max(1, rows - 1))
    var lines = aligned(shown.map { cells($0, say) }).map(escaped)
    if shown.count < names.count { lines.append("… and \(names.count - shown.count) more") }
    return lines
  }

  /// One line of one trip.
  func line(_ name: String, _ clock: WallClock) -> String {
    escaped(
      cells(name, Phrases(clock: clock)).filter { !$0.isEmpty }.joined(separator: "  "))
  }

  private func detail(_ name: String, _ say: Phrases) -> [String] {
    let (update, report) = updates[name] ?? (nil, nil)
    let trip = update?.trip
    var table = TextTable()
    table.add("trip", name)
    table.add("status", status(trip, say))
    table.add("ETA at next stop", say.time(trip?.etaToNextWaypoint))
    table.add("distance left", say.distance(trip?.remainingDistanceOfActiveRoute))
    table.add("next stop", trip?.nextTripWaypoint.flatMap { stop($0, say) })
    table.add("vehicle", trip?.vehicleId)
    table.add(trip?.lastLocation, say)
    table.add("refreshed", update.flatMap(age))
    table.add("error", update.flatMap { error($0, report) })
    return table.description.split(separator: "\n").map(String.init)
  }

  private func cells(_ name: String, _ say: Phrases) -> [String] {
    guard let (update, report) = updates[name] else { return [name, TextTable.unset] }
    let trip = update.trip
    let location = trip?.lastLocation
    let seen = location?.updateTime ?? location?.serverTime
    return [
      trip?.tripID ?? name, status(trip, say) ?? TextTable.unset,
      "ETA " + (say.time(trip?.etaToNextWaypoint) ?? TextTable.unset),
      say.distance(trip?.remainingDistanceOfActiveRoute) ?? TextTable.unset,
      "to " + (trip?.nextTripWaypoint.flatMap { kind($0, say) } ?? TextTable.unset),
      "seen " + (seen.map { say.clock.relative($0.seconds) } ?? TextTable.unset),
      error(update, report) ?? (update.isStale ? age(update) ?? "" : ""),
    ]
  }

  private func status(_ trip: Trip?, _ say: Phrases) -> String? {
    trip.flatMap { say.words($0.tripStatus.name, $0.tripStatus.rawValue) }
  }

  private func kind(_ stop: TripWaypoint, _ say: Phrases) -> String? {
    say.words(stop.waypointType.name, stop.waypointType.rawValue)
  }

  private func stop(_ stop: TripWaypoint, _ say: Phrases) -> String? {
    let parts = [kind(stop, say), say.place(stop.location)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  /// "3 s ago", "1 min 5 s ago, stale".
  private func age(_ update: TripUpdate) -> String? {
    guard let refreshed = update.refreshed else { return nil }
    return ago(.now - refreshed) + (update.isStale ? ", stale" : "")
  }

  private func error(_ update: TripUpdate, _ report: ErrorReport?) -> String? {
    guard let failure = update.failure else { return nil }
    var text = failure.error.code.description
    if !failure.error.message.isEmpty { text += ": " + failure.error.message }
    text += " (since " + ago(.now - failure.since)
    text += ", \(report?.kind.rawValue ?? "") error)"
    return text
  }

  private func ago(_ age: Duration) -> String {
    let seconds = max(0, age.components.seconds)
    return seconds == 0 ? "now" : Units.duration(seconds: UInt64(seconds)) + " ago"
  }
}
