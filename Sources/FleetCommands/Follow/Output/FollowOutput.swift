import CommandCalls
import CommandLine
import CommandResources
import CommandShell
import JourneySharing
import Tripwire
import WireIO

/// Writes the updates of followed resources: as lines for programs, as lines for people, or as a live view on
/// a terminal.
actor FollowOutput: FollowDisplay {
  enum Form {
    case json
    case geojson
    case lines
    case live
  }

  private let form: Form
  nonisolated let printed: PrintedErrors?
  private let failsFast: Bool
  private let isReplayed: Bool
  private let targets: [FollowTarget]
  private let view: FollowView
  private let console: Console
  private var jsonLines: FollowLines
  /// The last line in text of each resource, and the vehicle of its trip, by name.
  private var lastLines: [String: (text: String, vehicle: String)] = [:]
  private let routeWarnings: RouteWarnings
  private let screen = LiveScreen()
  private let loop: EventLoop

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - fields: the fields in JSON of each kind; all of other kinds.
  ///   - failsFast: whether the first error ends the command.
  ///   - isReplayed: whether the resources come from a recording, with times in the past.
  ///   - loop: the loop on which it writes, which may block.
  init(
    _ form: Form, _ targets: [FollowTarget], _ fields: [ResourceKind: ResponseFields],
    failsFast: Bool,
    isReplayed: Bool, _ console: Console, errorFormat: ErrorFormat, on loop: EventLoop
  ) {
    self.loop = loop
    self.form = form
    // Errors go to stderr, because a map has no place for them.
    printed = form == .geojson ? PrintedErrors(console, as: errorFormat) : nil
    self.failsFast = failsFast
    self.isReplayed = isReplayed
    self.targets = targets
    self.console = console
    routeWarnings = RouteWarnings(console)
    jsonLines = FollowLines(redactor: console.redactor, fields: fields)
    view = FollowView(targets.map(\.name), console.outputPalette)
  }

  /// Writes an update.
  ///
  /// - Throws: ``ErrorReport`` if stdout cannot be written, and the first error with --fail-fast.
  func show(_ target: FollowTarget, _ update: FollowUpdate) throws(ErrorReport) {
    let report =
      update.failureChanged ? update.failure.map { target.report(of: $0, isLast: failsFast) } : nil
    switch form {
    case .live: break
    case .lines:
      guard update.resource != nil || update.failure != nil else { break }
      let displayed = target.displayed(after: update, endsOnFailure: failsFast)
      let line = view.line(displayed, clock(of: [update.resource]))
      let last = lastLines[target.name]
      let vehicle = update.resource?.trip?.vehicleId ?? last?.vehicle ?? ""
      let hasNewVehicle = !vehicle.isEmpty && vehicle != last?.vehicle
      // Fields may change that the line does not have.
      guard line != last?.text || hasNewVehicle else { break }
      lastLines[target.name] = (line, vehicle)
      let suffix = hasNewVehicle ? "  vehicle \(escaped(vehicle))\n" : "\n"
      try write(console.clock().timeOfDay + "  " + line + suffix)
    case .json:
      // The line already has the name.
      var unnamed = report
      unnamed?.subject = nil
      var (text, unwritable) = jsonLines.lines(
        target.name, target.kind, update, unnamed, at: console.clock())
      try write(escapedJSON(text))
      unwritable?.subject = target.name
      if failsFast, let unwritable { throw unwritable }
    case .geojson:
      if update.hasChanges, let resource = update.resource {
        let journey = resource.journey()
        routeWarnings.check(journey)
        try write(journey.geoJSONLine)
      }
      if let report {
        if !failsFast { printed?.print(report) }
      } else if let words = view.health(update) {
        console.error("* \(escaped(target.name)): \(words)\n")
      }
    }
    if failsFast, let report { throw report }
  }

  /// Redraws the resources on a terminal when a line changes and after a resize, until the task is canceled.
  /// Runs where the caller does, so that only a change wakes the thread that writes.
  nonisolated func keepFresh() async throws(ErrorReport) {
    guard form == .live else { return }
    let signals = TerminalSignals()
    var last: [String]?
    while true {
      // Draws once more at the end, to show the last changes.
      let isLast = Task.isCancelled
      let isStopping = !isLast && signals.takeStop()
      if signals.takeResize() { last = nil }
      let (columns, rows) = LiveScreen.size()
      let clock = clock(of: isReplayed ? targets.map { $0.current().resource } : [])
      // The cursor needs one row.
      let lines = view.lines(
        targets, clock, columns: columns - 1, rows: rows - 1, endsOnFailure: failsFast || isLast)
      if isLast || isStopping {
        try await write(screen.end(lines, columns: columns, rows: rows))
        if isLast { return }
        signals.stop()
        last = nil
        continue
      }
      if lines != last { try await write(screen.draw(lines, columns: columns, rows: rows)) }
      last = lines
      _ = await console.sleep(for: .milliseconds(200))
    }
  }

  nonisolated func untilUnused() async {}

  /// The time that ages are relative to. For a recording, the newest report in it.
  private nonisolated func clock(of resources: [FleetResource?]) -> WallClock {
    var clock = console.clock()
    if isReplayed, let time = resources.compactMap({ $0?.lastLocation?.reportTime }).max() {
      clock.now = time
    }
    return clock
  }

  private func write(_ text: String) throws(ErrorReport) {
    try console.write(text)
  }
}
