import Tripwire

/// The followed trips for people: one with its details, or one line for each of several.
struct FollowView {
  /// The labels of the trips: the ID, unless two providers have it.
  private let labels: [String: String]
  /// Errors and stale trips stand out.
  private let palette: Palette

  init(_ names: [String], _ palette: Palette) {
    self.palette = palette
    var labels: [String: String] = [:]
    let ids = Dictionary(grouping: names) { Self.parts($0).id }
    for name in names {
      let (provider, id) = Self.parts(name)
      labels[name] = ids[id]?.count == 1 ? String(id) : "\(provider)/\(id)"
    }
    self.labels = labels
  }

  private static func parts(_ name: String) -> (provider: Substring, id: Substring) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return ("", name[...]) }
    return (parts[1], parts[3])
  }

  /// Returns lines without line ends.
  ///
  /// - Parameters:
  ///   - columns: the width of the terminal.
  ///   - rows: the largest number of lines.
  func lines(_ trips: [FollowedTrip], _ clock: WallClock, columns: Int, rows: Int) -> [String] {
    if trips.count == 1, let trip = trips.first {
      return detail(trip.displayed, clock, columns: columns, rows: rows)
    }
    let shown = trips.prefix(max(1, rows - 1)).map(\.displayed)
    var lines = table(shown, clock, columns: columns, rows: rows - 1)
    let left = trips.dropFirst(lines.count)
    if !left.isEmpty {
      let failing = left.count { $0.model.failure != nil }
      lines.append(["… and \(left.count) more" + (failing > 0 ? ", \(failing) with errors" : "")])
    }
    return Array(lines.joined())
  }

  /// Returns the details of one trip. With too few rows the last facts are left out, but not the age and
  /// the error.
  func detail(
    _ trip: DisplayedTrip, _ clock: WallClock, columns: Int = .max, rows: Int = .max
  ) -> [String] {
    let formatter = TripFormatter(clock: clock)
    let known = trip.trip
    var table = TextTable()
    table.add("trip", trip.name)
    table.add("status", status(known, formatter))
    table.add(Self.widestName, formatter.time(known?.etaToNextWaypoint))
    table.add("distance left", formatter.distance(known?.remainingDistanceOfActiveRoute))
    table.add("next stop", known?.nextTripWaypoint.flatMap { stop($0, formatter) })
    table.add("vehicle", known?.vehicleId)
    table.add(known?.lastLocation, formatter)
    let factCount = table.lines.count
    table.add("refreshed", trip.age.map { ago($0) + (trip.isStale ? ", stale" : "") })
    let width = max(20, columns - Self.widestName.utf8.count - 2)
    table.add("error", trip.problem.map { Self.prose(words($0), width: width) } ?? [])
    if let hint = trip.problem?.report.hint { table.add("hint", Self.prose(hint, width: width)) }
    let lines = table.lines
    let health = lines[factCount...].map { emphasized($0, of: trip) }
    return Array((lines[..<min(factCount, max(1, rows - health.count))] + health).prefix(rows))
  }

  private static let widestName = "ETA at next stop"

  /// Returns at most four lines, because a server may send messages of any length.
  private static func prose(_ text: String, width: Int) -> [String] {
    let lines = wrapped(escaped(text), width: width)
    return lines.count > 4 ? lines.prefix(3) + [lines[3] + " …"] : lines
  }

  /// Returns one line for each trip, and a second one if it has an error or is stale, for as many trips as
  /// there are rows.
  func table(
    _ trips: [DisplayedTrip], _ clock: WallClock, columns: Int, rows: Int = .max
  ) -> [[String]] {
    let notes = trips.map { trip in
      note(trip).map { emphasized("  " + escaped($0), of: trip) }
    }
    let needed = notes.map { $0 == nil ? 1 : 2 }
    var count = 0
    var left = max(1, rows)
    while count < trips.count, count == 0 || needed[count] <= left {
      left -= needed[count]
      count += 1
    }
    let shown = trips.prefix(count).map { cells($0, TripFormatter(clock: clock)) }
    return zip(FollowColumns.fitted(shown, to: columns), notes).map { line, note in
      [line, note].compactMap { $0 }
    }
  }

  /// Returns one trip as one line.
  func line(_ trip: DisplayedTrip, _ clock: WallClock) -> String {
    (cells(trip, TripFormatter(clock: clock))
      + (note(trip).map { [emphasized(escaped($0), of: trip)] } ?? []))
      .filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns the change in an update between failing, stale and current; nil without one.
  func health(_ update: TripUpdate) -> String? {
    if update.failureChanged, update.failure == nil { return "recovered" }
    guard update.stalenessChanged else { return nil }
    return update.isStale ? "stale: no response for three intervals" : "no longer stale"
  }

  /// Returns the cells in the order of ``FollowColumns``.
  private func cells(_ trip: DisplayedTrip, _ formatter: TripFormatter) -> [String] {
    let label = escaped(labels[trip.name] ?? trip.name)
    guard let known = trip.trip else { return [label, TextTable.unset] }
    let location = known.lastLocation
    let seen = location?.updateTime ?? location?.serverTime
    return [
      label, escaped(status(known, formatter) ?? TextTable.unset),
      "ETA " + (formatter.time(known.etaToNextWaypoint) ?? TextTable.unset),
      formatter.distance(known.remainingDistanceOfActiveRoute) ?? TextTable.unset,
      "to " + (known.nextTripWaypoint.flatMap { kind($0, formatter) } ?? TextTable.unset),
      "seen " + (seen.map { formatter.clock.relative($0.seconds) } ?? TextTable.unset),
    ]
  }

  private func emphasized(_ text: String, of trip: DisplayedTrip) -> String {
    if trip.problem != nil { return palette.painted(text, .error) }
    return trip.isStale ? palette.painted(text, .warning) : text
  }

  private func status(_ trip: Trip?, _ formatter: TripFormatter) -> String? {
    trip.flatMap { formatter.words($0.tripStatus.name, $0.tripStatus.rawValue) }
  }

  private func kind(_ stop: TripWaypoint, _ formatter: TripFormatter) -> String? {
    formatter.words(stop.waypointType.name, stop.waypointType.rawValue)
  }

  private func stop(_ stop: TripWaypoint, _ formatter: TripFormatter) -> String? {
    let parts = [kind(stop, formatter), formatter.place(stop.location)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  private func note(_ trip: DisplayedTrip) -> String? {
    if let problem = trip.problem { return words(problem) }
    guard trip.isStale, let age = trip.age else { return nil }
    return "stale: refreshed \(ago(age))"
  }

  /// Returns "UNAVAILABLE (server/network error for 1 min 5 s, retry in 28 s): no connection …", or
  /// "PERMISSION_DENIED (client error for 1 min 5 s: fix it; next poll in 4 s): …".
  private func words(_ problem: DisplayedTrip.Problem) -> String {
    var text = "\(problem.error.code) (\(problem.report.kind.rawValue) error"
    if problem.age >= .seconds(1) { text += " for \(Self.words(problem.age))" }
    if let next = problem.next {
      // Only the user can end a client error, but the polls do not wait for that.
      let isLasting = problem.report.isLasting
      if isLasting { text += ": fix it" }
      if next >= .seconds(1) {
        text += (isLasting ? "; next poll in " : ", retry in ") + Self.words(next)
      } else if isLasting {
        text += "; polling continues"
      }
    }
    return text + (problem.report.message.isEmpty ? ")" : "): " + problem.report.message)
  }

  private func ago(_ age: Duration) -> String {
    age < .seconds(1) ? "now" : Self.words(age) + " ago"
  }

  private static func words(_ time: Duration) -> String {
    Units.duration(seconds: UInt64(max(0, time.components.seconds)))
  }
}
