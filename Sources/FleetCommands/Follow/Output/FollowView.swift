import CommandLine
import CommandResources
import CommandShell
import Tripwire

/// The followed resources for people: one with its details, or one line for each of several.
struct FollowView {
  /// The labels of the resources: the ID, unless several have it.
  private let labels: [String: String]
  /// Errors and stale resources stand out.
  private let palette: Palette

  private static let (nameColumn, statusColumn, stopColumn) = (0, 1, 4)

  /// The columns that are cut on a narrow terminal. The stop is part of the status, too.
  private static let shrinking: [(column: Int, least: Int)] = [
    (stopColumn, 0), (nameColumn, 20), (statusColumn, 17), (nameColumn, 9),
  ]

  init(_ names: [String], _ palette: Palette) {
    self.palette = palette
    var counts: [String: Int] = [:]
    for label in names.flatMap(Self.labels) { counts[label, default: 0] += 1 }
    labels = Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, Self.labels(of: name).first { counts[$0] == 1 } ?? name)
      })
  }

  /// Returns "t1", "p/t1" and "trips/t1".
  private static func labels(of name: String) -> [String] {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return [] }
    return [String(parts[3]), "\(parts[1])/\(parts[3])", "\(parts[2])/\(parts[3])"]
  }

  /// Returns lines without line ends.
  ///
  /// - Parameters:
  ///   - columns: the width of the terminal.
  ///   - rows: the largest number of lines.
  ///   - endsOnFailure: whether no request follows a failure.
  func lines(
    _ targets: [FollowTarget], _ clock: WallClock, columns: Int, rows: Int, endsOnFailure: Bool
  ) -> [String] {
    let shown = targets.prefix(max(1, rows - 1)).map { target in
      target.displayed(after: target.current(), endsOnFailure: endsOnFailure)
    }
    if targets.count == 1, let target = shown.first {
      return detail(target, clock, columns: columns, rows: rows)
    }
    var lines = table(shown, clock, columns: columns, rows: rows - 1)
    let left = targets.dropFirst(lines.count)
    if !left.isEmpty {
      let failing = left.count { $0.current().failure != nil }
      lines.append(["… and \(left.count) more" + (failing > 0 ? ", \(failing) with errors" : "")])
    }
    return Array(lines.joined())
  }

  /// Returns the details of one resource. With too few rows the last facts are left out, but not the age and
  /// the error.
  func detail(
    _ target: DisplayedTarget, _ clock: WallClock, columns: Int = .max, rows: Int = .max
  ) -> [String] {
    var table = facts(target, TripFormatter(clock: clock))
    let factCount = table.lines.count
    table.add(
      "refreshed",
      target.age.map { target.isStale ? "\(agoOfStale($0)), stale" : ago($0) })
    let width = max(20, columns - table.nameWidth - 2)
    table.add("error", target.problem.map { Self.prose(words($0), width: width) } ?? [])
    if let hint = target.problem?.report.hint { table.add("hint", Self.prose(hint, width: width)) }
    let lines = table.lines
    let health = lines[factCount...].map { emphasized($0, of: target) }
    return Array((lines[..<min(factCount, max(1, rows - health.count))] + health).prefix(rows))
  }

  /// Returns the facts of one resource: those of a trip that change, and all of others.
  private func facts(_ target: DisplayedTarget, _ formatter: TripFormatter) -> TextTable {
    if target.kind != .trip, let resource = target.resource { return resource.table(formatter) }
    var table = TextTable()
    table.add(target.kind.noun, target.name)
    guard target.kind == .trip else { return table }
    let known = target.resource?.trip
    table.add(
      "status", known.flatMap { formatter.words($0.tripStatus) })
    table.add("ETA at next stop", formatter.time(known?.etaToNextWaypoint))
    table.add("distance left", formatter.distance(known?.remainingDistanceOfActiveRoute))
    table.add("next stop", known?.nextTripWaypoint.flatMap { stop($0, formatter) })
    table.add("vehicle", known?.vehicleId)
    table.add(known?.lastLocation, formatter)
    return table
  }

  /// Returns at most four lines, because a server may send messages of any length.
  private static func prose(_ text: String, width: Int) -> [String] {
    let lines = wrapped(escaped(text), width: width)
    return lines.count > 4 ? lines.prefix(3) + [lines[3] + " …"] : lines
  }

  /// Returns one line for each resource, and a second one if it has an error or is stale, for as many as
  /// there are rows.
  func table(
    _ targets: [DisplayedTarget], _ clock: WallClock, columns: Int, rows: Int = .max
  ) -> [[String]] {
    let notes = targets.map { target in
      note(target).map { emphasized("  " + escaped($0), of: target) }
    }
    let needed = notes.map { $0 == nil ? 1 : 2 }
    var count = 0
    var left = max(1, rows)
    while count < targets.count, count == 0 || needed[count] <= left {
      left -= needed[count]
      count += 1
    }
    let shown = targets.prefix(count).map { target in
      [label(target)] + cells(target, TripFormatter(clock: clock)).map(\.text)
    }
    let widths = fitted(columnWidths(shown), to: columns, shrinking: Self.shrinking)
    return zip(drawn(shown, widths: widths), notes).map { line, note in
      [line, note].compactMap { $0 }
    }
  }

  /// Returns one resource as one line, with the facts that are known.
  func line(_ target: DisplayedTarget, _ clock: WallClock) -> String {
    let facts = cells(target, TripFormatter(clock: clock)).compactMap(\.fact)
    let note = note(target).map { emphasized(escaped($0), of: target) }
    let known = [facts.isEmpty ? TextTable.unset : nil] + facts + [note]
    return ([label(target)] + known.compactMap { $0 }).joined(separator: "  ")
  }

  /// Returns the change in an update between failing, stale and current; nil without one.
  func health(_ update: FollowUpdate) -> String? {
    if update.failureChanged, update.failure == nil { return "recovered" }
    guard update.stalenessChanged else { return nil }
    return update.isStale ? "stale: no response for three intervals" : "no longer stale"
  }

  private func label(_ target: DisplayedTarget) -> String {
    escaped(labels[target.name] ?? target.name)
  }

  /// A fact of a resource in a table.
  private struct Cell {
    var prefix = ""
    let value: String?

    /// Nil if the value is unknown.
    var fact: String? { value.map { prefix + $0 } }
    var text: String { prefix + (value ?? TextTable.unset) }
  }

  /// Returns the cells after the name of a table: status, ETA, distance, stop and location; one without a
  /// response.
  private func cells(_ target: DisplayedTarget, _ formatter: TripFormatter) -> [Cell] {
    guard let resource = target.resource else { return [Cell(value: nil)] }
    let summary = ResourceSummary(resource, formatter)
    let location = resource.lastLocation
    let seen = location?.updateTime ?? location?.serverTime
    return [
      Cell(value: summary.status.map { escaped($0) }),
      Cell(prefix: "ETA ", value: summary.eta),
      Cell(value: summary.distance),
      Cell(value: summary.stop),
      Cell(prefix: "seen ", value: seen.map { formatter.clock.relative($0.seconds) }),
    ]
  }

  private func emphasized(_ text: String, of target: DisplayedTarget) -> String {
    if target.problem != nil { return palette.painted(text, .error) }
    return target.isStale ? palette.painted(text, .warning) : text
  }

  private func stop(_ stop: TripWaypoint, _ formatter: TripFormatter) -> String? {
    let parts = [formatter.words(stop.waypointType), formatter.place(stop.location)].compactMap {
      $0
    }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  private func note(_ target: DisplayedTarget) -> String? {
    let stale = target.isStale ? target.age.map { "stale: last response \(agoOfStale($0))" } : nil
    let parts = [stale, target.problem.map(words)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Returns "UNAVAILABLE (server/network error for 1 min 5 s, retry in 28 s): no connection …", or
  /// "PERMISSION_DENIED (client error for 1 min 5 s: fix it; next poll in 4 s): …".
  private func words(_ problem: DisplayedTarget.Problem) -> String {
    var text = "\(problem.error.code.named) (\(problem.report.kind.rawValue) error"
    if problem.age >= .seconds(1) { text += " for \(Self.words(problem.age))" }
    if let next = problem.next {
      // The polls continue, although only the user can fix a client error.
      let isLasting = problem.report.isLasting
      if isLasting { text += ": fix it" }
      if next >= .seconds(1) {
        text += (isLasting ? "; next poll in " : ", retry in ") + Self.words(next)
      } else if isLasting {
        text += "; polling continues"
      }
    }
    text += problem.report.message.isEmpty ? ")" : "): " + problem.report.message
    return ([text] + problem.report.origin.lines(besides: text)).joined(separator: "; ")
  }

  private func ago(_ age: Duration) -> String {
    age < .seconds(1) ? "now" : Self.words(age) + " ago"
  }

  /// A resource that is stale is not refreshed "now", even with a short interval.
  private func agoOfStale(_ age: Duration) -> String {
    age < .seconds(1) ? "less than 1 s ago" : ago(age)
  }

  private static func words(_ time: Duration) -> String {
    Units.duration(seconds: UInt64(max(0, time.components.seconds)))
  }
}
