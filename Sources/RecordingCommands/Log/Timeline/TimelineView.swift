import CommandResources
import CommandShell
import RecordingAnalysis
import Tripwire

/// The history of a resource, from all calls that are about it.
final class TimelineView: LogView {
  /// The option and its value, safe for a terminal.
  private let option: String
  /// The option's name and value as given.
  private let given: (name: String, value: String)
  private let wanted: ResourceSelector
  private let interval: LogInterval
  private let isJSON: Bool
  private let formatter: TripFormatter
  private let timeline: ResourceTimeline
  private var days: DayHeadings
  private let output: LogOutput
  private var isEmpty = true
  private let console: Console

  /// - Parameters:
  ///   - option: the option that names the resource, and its value.
  ///   - interval: events outside of it are not shown.
  ///   - isOfServer: whether the calls were logged by Fleet Engine.
  init(
    _ types: MessageTypes, of wanted: ResourceSelector, _ option: (name: String, value: String),
    in interval: LogInterval, isOfServer: Bool, isJSON: Bool, _ console: Console
  ) {
    self.wanted = wanted
    given = option
    self.option = "\(option.name) \(shortened(option.value))"
    self.interval = interval
    self.isJSON = isJSON
    self.console = console
    timeline = ResourceTimeline(types, of: wanted, in: interval, isOfServer: isOfServer)
    formatter = TripFormatter(clock: console.clock())
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    for item in timeline.add(entry) { try write(item) }
  }

  func pause() throws(ErrorReport) { try output.flush() }

  func end(calls: Int) throws(ErrorReport) {
    let others = timeline.otherNames
    guard !timeline.resources.isEmpty else {
      if others.isEmpty, timeline.hasTruncatedMessage {
        throw .truncatedMessages(option)
      }
      throw ErrorReport(
        local: "\(option): not in the recording, which contains"
          + " \(nameList(others, of: wanted.isOfAnyKind ? "resources" : "trips"))",
        hint: suggestion(among: others)
          ?? (others.isEmpty
            ? wanted.isOfAnyKind
              ? "pass a recording with calls of Fleet Engine"
              : "pass a recording with calls of GetTrip"
            : wanted.isOfAnyKind
              ? "pass a resource of the recording with --timeline"
              : isOfOtherKind
                ? "use --timeline for a resource that is not a trip"
                : "pass a trip of the recording with --trip"))
    }
    for item in timeline.end() { try write(item) }
    try output.flush()
    if interval.isGiven, isEmpty {
      console.warn("the \(wanted.kind.noun) has no events in the selected time")
    }
  }

  /// Names a resource with the same ID: of another kind, or with letters of another case.
  private func suggestion(among names: [String]) -> String? {
    func id(_ name: String) -> String? { name.split(separator: "/").last?.lowercased() }
    guard let name = names.first(where: { id($0) == id(given.value) }) else { return nil }
    return "pass \(given.name) \(shortened(name, to: 1_000))"
  }

  /// Whether the option names a resource that is not a trip.
  private var isOfOtherKind: Bool {
    ResourceKind.allCases.contains { $0 != .trip && option.mentions($0.rawValue + "/") }
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
    // If several resources have this ID, or both sides recorded it, each line names the resource.
    let name = item.resource.name + (item.resource.isOfServer ? " (server)" : "")
    let label = timeline.resources.count > 1 ? shortened(name) + "  " : ""
    let start = days.time(item.time) + "  " + padded(number, to: 10)
    try output.write(start, label + text)
  }

  private func json(_ item: ResourceTimeline.Item) -> String {
    JSONWriter.object { json in
      json.member("time", json: item.event.start(or: item.time)?.jsonText)
      json.member("name", item.resource.name)
      json.member("call", item.call)
      json.member("logger", item.resource.isOfServer ? "server" : nil)
      item.event.addMembers(to: &json)
    }
  }
}
