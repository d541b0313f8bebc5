import CommandShell
import MapPage
import RecordingAnalysis

/// Shows two logs of the same resources on the page with a map, and where they disagree.
struct ComparisonMap {
  let types: MessageTypes
  let options: LogOptions
  let console: Console

  func write(
    _ first: LogSource, _ second: LogSource, to path: String
  ) async throws(ErrorReport) {
    let logs = [first, second]
    let names = Self.names(of: logs.map { $0.paths[0] })
    let page = try RecordedMapPage(
      to: path, options.mapOptions,
      observers: zip(names, ["A", "B"]).map { .init(name: $0, letter: $1) }, console)
    let views = logs.indices.map { RecordedMapView(types, on: page, observer: $0, console) }
    for (log, view) in zip(logs, views) {
      try await log.show(to: options.selected(view, types, console), types, console)
    }
    page.map.add(disagreements(views[0].states, views[1].states, names))
    try page.write()
  }

  /// The ends of the two paths from the first part in which they differ: "a/trip.binlog" and "b/trip.binlog".
  private static func names(of paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/") }
    let ends = zip(parts[0].reversed(), parts[1].reversed())
    let equal = ends.prefix { $0 == $1 }.count
    return parts.map { $0.suffix(equal + 1).joined(separator: "/") }
  }

  private func disagreements(
    _ first: [String: ObserverStates], _ second: [String: ObserverStates], _ observers: [String]
  ) -> RecordedMap.Check {
    var findings: [RecordedMap.Check.Finding] = []
    for (name, states) in first.sorted(by: { $0.key < $1.key }) {
      guard let others = second[name] else { continue }
      guard let found = Disagreement.all(states, others) else {
        console.warn("\(name): the logs have no time in common")
        continue
      }
      findings += found.map { each in
        .init(
          time: each.start, until: each.end, trip: "\(name) (\(observers[0]))",
          text: "\(each.aspect.rawValue): \(each.text(observers))")
      }
    }
    return RecordedMap.Check(
      id: "disagreement", title: "Disagreements",
      explanation: "Where the two logs have other values for more than three usual intervals.",
      findings: findings.sorted { $0.time < $1.time })
  }
}
