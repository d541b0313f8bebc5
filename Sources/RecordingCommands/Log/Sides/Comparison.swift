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
    for (log, view) in zip(logs, observers) { try show(log, to: view) }
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

  private func show(_ log: ComparedLog, to view: any LogView) throws(ErrorReport) {
    switch log {
    case .recording(let paths):
      var file = LogFile(paths: paths, console: console)
      // The clocks of two clients are compared by that of the server.
      let offset = try file.correctClock(types)
      try file.show(to: view)
      if file.shift != 0, let offset { console.error("\(escaped(log.path)): \(offset.text)\n") }
    case .export(let path):
      // Its times are those of the server.
      try CloudLogFile(path: path, types: types, console: console).read().show(to: view)
    }
  }

  private func json(_ each: Disagreement, _ paths: [String]) -> String {
    JSONWriter.object { json in
      json.member("event", "disagreement")
      json.member("aspect", each.aspect.rawValue)
      json.member("start", json: Timestamp(secondsSince1970: each.start)?.jsonText)
      json.member("end", json: Timestamp(secondsSince1970: each.end)?.jsonText)
      json.member("seconds", json: each.seconds.jsonSeconds)
      json.member("behind", each.behind.map { paths[$0.rawValue] })
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
  private let selected: SelectedResource

  init(_ types: MessageTypes, _ selected: SelectedResource) {
    self.selected = selected
    states = ObserverStates(types, of: selected.resource)
  }

  func add(_ entry: LoggedEntry) { states.add(entry) }

  func end(calls: Int) throws(ErrorReport) {
    guard states.isEmpty else { return }
    throw selected.missing(in: states.timeline)
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
    let late = behind.map { "; \(shortened(paths[$0.rawValue])) was behind" }
    return escaped(difference) + (late ?? "")
  }
}
