import CommandCalls
import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// One of two logs that are compared.
enum ComparedLog {
  case recording([String])
  case export(String)

  /// The path of its first file.
  var path: String {
    switch self {
    case .recording(let paths): paths.first ?? ""
    case .export(let path): path
    }
  }
}

/// Shows where two logs of the same resource disagree.
struct Comparison {
  let types: MessageTypes
  let selected: SelectedResource
  let isJSON: Bool
  let console: Console

  /// - Parameter logs: two of them.
  func run(_ logs: [ComparedLog]) throws(ErrorReport) {
    let paths = logs.map(\.path)
    let observers = logs.map { _ in ObserverView(types, selected) }
    for (log, view) in zip(logs, observers) {
      // The clocks of two clients are compared by that of the server, so each log is read twice.
      let clocks = ClockView(types)
      try show(log, to: clocks, isSilent: true)
      let offset = clocks.estimator.offset
      view.shift = offset.map { $0.isWithinUncertainty ? 0 : $0.seconds } ?? 0
      try show(log, to: view, isSilent: false)
      if view.shift != 0, let offset { console.error("\(escaped(log.path)): \(offset.text)\n") }
    }
    let found = Disagreement.all(observers[0].states, observers[1].states)
    let output = LogOutput(console)
    var days = DayHeadings(console.clock())
    for each in found {
      if isJSON {
        try output.write(json: json(each, paths) + "\n")
        continue
      }
      let time = Timestamp(secondsSince1970: each.start)
      if let day = days.line(for: time) { try output.write(line: day) }
      let start = "\(days.time(time))  \(padded(StaleCause.words(each.seconds), to: 12))"
      try output.write(start + padded(each.aspect.rawValue, to: 10), each.text(paths))
    }
    try output.flush()
    if found.isEmpty { console.error("\(selected.label): both logs agree\n") }
  }

  private func show(
    _ log: ComparedLog, to view: any LogView, isSilent: Bool
  ) throws(ErrorReport) {
    switch log {
    case .recording(let paths):
      try LogFile(paths: paths, isSilent: isSilent, console: console).show(to: view)
    case .export(let path):
      // Its times are those of the server.
      guard !isSilent else { return }
      try CloudLogFile(path: path, types: types, console: console).show(to: view)
    }
  }

  private func json(_ each: Disagreement, _ paths: [String]) -> String {
    JSONWriter.object { json in
      json.member("event", "disagreement")
      json.member("aspect", each.aspect.rawValue)
      json.member("start", json: Timestamp(secondsSince1970: each.start)?.jsonText)
      json.member("end", json: Timestamp(secondsSince1970: each.end)?.jsonText)
      json.member("seconds", json: each.seconds.jsonSeconds)
      json.member("behind", each.behind.map { paths[$0 == .first ? 0 : 1] })
      if !each.values.isEmpty { json.member("values", each.values) }
      switch each.aspect {
      case .location: json.member("meters", json: Units.fixed(each.largest, decimals: 0))
      case .eta: json.member("etaSeconds", json: each.largest.jsonSeconds)
      case .status, .stops: break
      }
    }
  }
}

/// Collects the states of a resource in one log.
private final class ObserverView: LogView {
  let states: ObserverStates
  var shift = 0.0
  private let selected: SelectedResource

  init(_ types: MessageTypes, _ selected: SelectedResource) {
    self.selected = selected
    states = ObserverStates(types, of: selected.resource)
  }

  func add(_ entry: LoggedEntry) { states.add(entry, shift: shift) }

  func end(calls: Int) throws(ErrorReport) {
    guard states.isEmpty else { return }
    throw selected.missing(
      among: states.otherNames, hasTruncatedMessage: states.hasTruncatedMessage)
  }
}

extension Disagreement {
  /// "ENROUTE_TO_PICKUP and NEW; b.binlog was behind"
  fileprivate func text(_ paths: [String]) -> String {
    let difference =
      switch aspect {
      case .status: values.joined(separator: " and ")
      case .stops: values.joined(separator: " and ") + " stops left"
      case .eta: "up to \(Units.latency(.seconds(largest))) apart"
      case .location: "up to \(Units.distance(meters: largest)) apart"
      }
    let late = behind.map { "; \(shortened(paths[$0 == .first ? 0 : 1])) was behind" }
    return escaped(difference) + (late ?? "")
  }
}
