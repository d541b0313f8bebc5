import Recording
import Tripwire

/// How many calls of each method ended how, and how long they took.
final class CallSummary: LogView {
  private struct Figures {
    var calls = 0
    var statuses: [String: Int] = [:]
    var latencies: [Duration] = []

    mutating func add(_ call: CallRow) {
      calls += 1
      statuses[call.status.description, default: 0] += 1
      if let latency = call.latency { latencies.append(latency) }
    }

    /// The most frequent first.
    var counts: [(status: String, count: Int)] {
      statuses.map { (status: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.status) < ($0.count, $1.status) }
    }

    /// Those of which half, 99 % and all are no longer; nil where no call has an end.
    var percentiles: [(name: String, latency: Duration)]? {
      let sorted = latencies.sorted()
      guard let longest = sorted.last else { return nil }
      func rank(_ percent: Int) -> Duration { sorted[(sorted.count * percent + 99) / 100 - 1] }
      return [("p50", rank(50)), ("p99", rank(99)), ("max", longest)]
    }
  }

  private let types: MessageTypes
  private let selection: CallSelection
  private let isJSON: Bool
  private let console: Console
  /// Those that are not over.
  private var calls: [Int: CallRow] = [:]
  /// By the method, "" for that of calls without a beginning.
  private var figures: [String: Figures] = [:]

  init(_ types: MessageTypes, _ selection: CallSelection, isJSON: Bool, _ console: Console) {
    self.types = types
    self.selection = selection
    self.isJSON = isJSON
    self.console = console
  }

  func add(_ entry: LogFile.Entry) throws(ErrorReport) {
    let number = entry.call.number
    if entry.call.isNew { calls[number] = CallRow(entry) }
    calls[number]?.add(entry, types)
    // Behind a CANCEL a status may come that says more.
    if entry.value.type == .serverTrailer { count(number) }
  }

  func end(calls count: Int) throws(ErrorReport) {
    for number in calls.keys.sorted() { self.count(number) }
    let methods = figures.keys.sorted()
    guard !methods.isEmpty else {
      if count > 0 { try selection.warnOfNone(among: count, console) }
      return
    }
    let output = LogOutput(console)
    if isJSON {
      for method in methods { try output.write(json: json(method, figures[method]) + "\n") }
    } else {
      var lines = [["method", "calls", "p50", "p99", "max", "status"]]
      lines += methods.map { cells(Self.shortName($0), figures[$0]) }
      for line in aligned(lines) { try output.write(line + "\n") }
    }
    try output.flush()
  }

  private func count(_ number: Int) {
    guard let call = calls.removeValue(forKey: number), selection.includes(call) else { return }
    figures[call.method ?? "", default: Figures()].add(call)
  }

  /// "TripService/GetTrip"
  private static func shortName(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let method = parts.last else { return TextTable.unset }
    let service = parts.dropLast().last?.split(separator: ".").last.map { $0 + "/" } ?? ""
    return shortened(service + method)
  }

  private func cells(_ method: String, _ figures: Figures?) -> [String] {
    guard let figures else { return [method] }
    let latencies =
      figures.percentiles?.map { Units.latency($0.latency) }
      ?? [String](repeating: TextTable.unset, count: 3)
    let statuses = figures.counts.map { "\($0.status) \($0.count)" }.joined(separator: ", ")
    return [method, String(figures.calls)] + latencies + [statuses]
  }

  private func json(_ method: String, _ figures: Figures?) -> String {
    var object = JSONObject()
    object.add("method", method.isEmpty ? nil : quoted(method))
    object.add("calls", figures.map { String($0.calls) })
    var statuses = JSONObject()
    for (status, count) in figures?.counts ?? [] { statuses.add(status, String(count)) }
    object.add("statuses", statuses.text)
    var latency = JSONObject()
    for (name, time) in figures?.percentiles ?? [] { latency.add(name, StoryEvent.json(time)) }
    object.add("latencySeconds", latency.text)
    return object.text
  }
}
