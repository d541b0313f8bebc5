import JourneySharing
import Tripwire

/// Where the news of followed trips go: lines for programs, lines for people, or a terminal that is
/// kept up to date.
actor FollowOutput {
  enum Form {
    case json
    case geojson
    case lines
    case live
  }

  private let form: Form
  private let failsFast: Bool
  private let isReplayed: Bool
  private let trips: [FollowedTrip]
  private let view: FollowView
  private let console: Console
  private var jsonLines: FollowLines
  private let screen = LiveScreen()

  /// - Parameters:
  ///   - failsFast: whether the first error ends it.
  ///   - isReplayed: whether the trips are those of a recording, and of its time.
  init(
    _ form: Form, _ trips: [FollowedTrip], failsFast: Bool, isReplayed: Bool, _ console: Console
  ) {
    self.form = form
    self.failsFast = failsFast
    self.isReplayed = isReplayed
    self.trips = trips
    self.console = console
    jsonLines = FollowLines(redactor: console.redactor)
    view = FollowView(trips.map(\.name))
  }

  /// - Throws: ``ErrorReport`` when stdout cannot be written, or for the first error if that ends it.
  func show(_ trip: FollowedTrip, _ update: TripUpdate) throws(ErrorReport) {
    let report =
      update.failureChanged ? update.failure.map { trip.report(of: $0, isLast: failsFast) } : nil
    switch form {
    case .live: break
    case .lines:
      guard update.trip != nil || update.failure != nil else { break }
      let line = view.line(trip.displayed(after: update), clock(of: [update.trip]))
      try write(console.clock().timeOfDay + "  " + line + "\n")
    case .json:
      // What it is about stands before it.
      var unnamed = report
      unnamed?.subject = nil
      var (text, unwritable) = jsonLines.lines(trip.name, update, unnamed, at: console.clock())
      try write(escapedJSON(text))
      unwritable?.subject = trip.name
      if failsFast, let unwritable { throw unwritable }
    case .geojson:
      if let trip = update.trip, !update.changed.isEmpty {
        try write(Journey(trip).geoJSONLine)
      }
      // stderr says what a map cannot.
      if let report {
        if !failsFast { _ = console.report(report, as: .text) }
      } else if let words = view.health(update) {
        console.error("* \(escaped(trip.name)): \(words)\n")
      }
    }
    if failsFast, let report { throw report }
  }

  /// Redraws the trips on a terminal whenever what is shown of them changes, and after a resize, until
  /// the task is cancelled.
  func keepFresh() async throws(ErrorReport) {
    guard form == .live else { return }
    let signals = TerminalSignals()
    var last: [String]?
    while true {
      // Once more at the end, for what came last.
      let isLast = Task.isCancelled
      let isStopping = !isLast && signals.takeStop()
      if signals.takeResize() { last = nil }
      let (columns, rows) = LiveScreen.size()
      let clock = clock(of: trips.map(\.model.currentTrip))
      // One row is the cursor's.
      let lines = view.lines(trips, clock, columns: columns - 1, rows: rows - 1)
      if isLast || isStopping {
        try write(screen.end(lines, columns: columns, rows: rows))
        if isLast { return }
        signals.stop()
        last = nil
        continue
      }
      if lines != last { try write(screen.draw(lines, columns: columns, rows: rows)) }
      last = lines
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  /// From when ages count. Of a recording, that is when the newest of these was so.
  private func clock(of trips: [Trip?]) -> WallClock {
    var clock = console.clock()
    if isReplayed, let time = trips.compactMap({ $0?.lastLocation?.tellingTime }).max() {
      clock.now = time
    }
    return clock
  }

  private func write(_ text: String) throws(ErrorReport) {
    do throws(OutputError) {
      try console.output(text)
    } catch {
      throw ErrorReport(error)
    }
  }
}

extension VehicleLocation {
  /// When it was told, in seconds since 1970: some time after the vehicle was there.
  fileprivate var tellingTime: Int64? {
    guard let seen = updateTime ?? serverTime else { return nil }
    return seen.seconds.addingReportingOverflow(Int64(timeSinceUpdate ?? 0)).partialValue
  }
}
