import CommandCalls
import CommandLine
import CommandShell
import Recording
import RecordingAnalysis
import Tripwire

/// Shows where two logs of the same resource disagree.
struct Comparison {
  let types: MessageTypes
  let selected: SelectedResource
  let isJSON: Bool
  let console: Console

  func run(_ first: LogSource, _ second: LogSource) async throws(ErrorReport) {
    let logs = [first, second]
    let paths = logs.map { $0.paths[0] }
    let observers = logs.map { _ in ObserverView(types, selected) }
    for (log, view) in zip(logs, observers) { try await log.show(to: view, types, console) }
    guard let found = Disagreement.all(observers[0].states, observers[1].states) else {
      throw ErrorReport(
        local:
          "\(selected.label): \(escaped(paths[0])) and \(escaped(paths[1])) have no time in common",
        hint: "pass logs of the same time")
    }
    let output = LogOutput(console)
    var days = DayHeadings(console.clock())
    for each in found {
      if isJSON {
        try output.write(json: json(each, paths) + "\n")
        continue
      }
      let time = Timestamp(secondsSince1970: each.start)
      if let day = days.line(for: time) { try output.write(line: day) }
      let duration = padded(Units.latency(seconds: each.seconds) + " ", to: 12)
      let start = "\(days.time(time))  \(duration)"
      try output.write(start + padded(each.aspect.rawValue, to: 10), each.text(paths))
    }
    try output.flush()
    if found.isEmpty { console.error("\(selected.label): both logs agree\n") }
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
  private(set) var states = ObserverStates()
  private let timeline: ResourceTimeline
  private let selected: SelectedResource

  init(_ types: MessageTypes, _ selected: SelectedResource) {
    self.selected = selected
    timeline = ResourceTimeline(types, of: selected.resource)
  }

  func add(_ entry: LoggedEntry) {
    let items = timeline.add(entry)
    guard let time = entry.value.timestamp else { return }
    states.end = max(states.end, time.secondsSince1970)
    guard let key = timeline.resources.first, items.contains(where: { $0.resource == key }),
      let resource = timeline.merged(key)
    else { return }
    states.add(resource, at: time)
  }

  func end(calls: Int) throws(ErrorReport) {
    if timeline.resources.isEmpty { throw selected.missing(in: timeline) }
    try selected.checkIsOne(in: timeline)
  }
}

extension Disagreement {
  /// "ENROUTE_TO_PICKUP and NEW; b.binlog was behind"
  ///
  /// - Parameter observers: the names of the two logs.
  func text(_ observers: [String]) -> String {
    let difference =
      switch aspect {
      case .status: values.joined(separator: " and ")
      case .stops: values.joined(separator: " and ") + " stops left"
      case .eta: "up to \(Units.latency(seconds: largest)) apart"
      case .location:
        largest > 0 ? "up to \(Units.distance(meters: largest)) apart" : "missing in one of them"
      }
    let late = behind.map { "; \(shortened(observers[$0.rawValue])) was behind" }
    return escaped(difference) + (late ?? "")
  }
}
