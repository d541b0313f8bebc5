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
  private let console: Console
  private var view: FollowView
  private var screen = LiveScreen()

  init(_ form: Form, _ names: [String], _ console: Console) {
    self.form = form
    self.console = console
    view = FollowView(names)
  }

  /// - Parameter report: of the failure, if there is one.
  /// - Throws: ``ErrorReport`` when stdout cannot be written.
  func show(_ name: String, _ update: TripUpdate, _ report: ErrorReport?) throws(ErrorReport) {
    view.show(name, update, report)
    switch form {
    case .live: break
    case .lines:
      guard update.trip != nil || update.failure != nil else { break }
      try write(view.line(name, console.clock()) + "\n")
    case .json: try write(jsonLines(name, update, report))
    case .geojson:
      if let trip = update.trip, !update.changed.isEmpty {
        try write(Journey(trip).geoJSONLine(for: console))
      }
      if update.failureChanged, let report { _ = console.report(report, as: .text) }
    }
  }

  private func jsonLines(
    _ name: String, _ update: TripUpdate, _ report: ErrorReport?
  ) throws(ErrorReport) -> String {
    let time = console.clock().timestamp
    var lines = ""
    do throws(JSONEncodingError) {
      let hasRecovered = update.failureChanged && update.failure == nil
      if let trip = update.trip, hasRecovered || !update.changed.isEmpty {
        lines += try FollowLine.change(of: trip, update.changed, at: time)
      }
      if update.failureChanged, let report {
        lines += try FollowLine.error(report, of: name, at: time)
      }
    } catch {
      throw ErrorReport(local: "the trip cannot be written as JSON: \(error)")
    }
    return console.outputIsTerminal() ? escapedJSON(lines) : lines
  }

  /// Keeps a terminal up to date, the ages on it too, until the task is cancelled.
  func keepFresh() async throws(ErrorReport) {
    guard form == .live else { return }
    var last: [String] = []
    while !Task.isCancelled {
      let size = LiveScreen.size()
      let lines = view.lines(console.clock(), rows: size.rows - 1)
      if lines != last { try write(screen.replace(with: lines, columns: size.columns)) }
      last = lines
      try? await Task.sleep(for: .milliseconds(200))
    }
    // What came last.
    try write(screen.replace(with: view.lines(console.clock()), columns: LiveScreen.size().columns))
  }

  private func write(_ text: String) throws(ErrorReport) {
    do throws(OutputError) {
      try console.output(text)
    } catch {
      throw ErrorReport(error)
    }
  }
}
