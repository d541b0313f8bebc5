import CommandResources
import CommandShell
import RecordingAnalysis
import Tripwire

/// The history of a resource, from all calls that are about it.
final class TimelineView: LogView {
  private let selected: SelectedResource
  private let interval: LogInterval
  private let hasBothSides: Bool
  private let isJSON: Bool
  private let formatter: TripFormatter
  private let timeline: ResourceTimeline
  private var days: DayHeadings
  private let output: LogOutput
  private var isEmpty = true
  private let console: Console

  /// - Parameters:
  ///   - interval: events outside of it are not shown.
  ///   - hasBothSides: whether a client and a server recorded the calls.
  init(
    _ types: MessageTypes, of selected: SelectedResource, in interval: LogInterval,
    hasBothSides: Bool, isJSON: Bool, _ console: Console
  ) {
    self.selected = selected
    self.interval = interval
    self.hasBothSides = hasBothSides
    self.isJSON = isJSON
    self.console = console
    timeline = ResourceTimeline(types, of: selected.resource, in: interval)
    formatter = TripFormatter(clock: console.clock())
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    for item in timeline.add(entry) { try write(item) }
  }

  func pause() throws(ErrorReport) { try output.flush() }

  func end(calls: Int) throws(ErrorReport) {
    guard !timeline.resources.isEmpty else {
      throw selected.missing(in: timeline)
    }
    for item in timeline.end() { try write(item) }
    try output.flush()
    if interval.isGiven, isEmpty {
      console.warn("the \(selected.resource.kind.noun) has no events in the selected time")
    }
  }

  private func write(_ item: ResourceTimeline.Item) throws(ErrorReport) {
    guard !isJSON else {
      isEmpty = false
      return try output.write(json: json(item) + "\n")
    }
    guard let text = item.event.text(of: item.resource.kind, formatter, days, inLineOf: item.time)
    else { return }
    isEmpty = false
    if let day = days.line(for: item.time) { try output.write(line: day) }
    let number = item.call.map { "call \($0)" } ?? ""
    let start =
      days.time(item.time) + "  " + padded(number + " ", to: 10)
      + (hasBothSides ? padded(item.resource.side, to: 8) : "")
    // If several resources have this ID, each line names the resource.
    let count =
      hasBothSides ? Set(timeline.resources.lazy.map(\.name)).count : timeline.resources.count
    let isMarked = item.resource.isOfServer && !hasBothSides
    let name = item.resource.name + (isMarked ? " (server)" : "")
    let label = count > 1 ? shortened(name) + "  " : ""
    try output.write(start, label + text)
  }

  private func json(_ item: ResourceTimeline.Item) -> String {
    JSONWriter.object { json in
      json.member("time", json: item.event.start(or: item.time)?.jsonText)
      json.member("name", item.resource.name)
      json.member("call", item.call)
      json.member("logger", item.resource.isOfServer || hasBothSides ? item.resource.side : nil)
      item.event.addMembers(to: &json)
    }
  }
}

extension ResourceTimeline.Key {
  fileprivate var side: String { isOfServer ? "server" : "client" }
}
