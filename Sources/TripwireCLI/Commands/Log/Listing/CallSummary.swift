import Recording
import Tripwire
import WireProtobuf

/// How many calls of each method there were and when, how they ended, and how long they took.
final class CallSummary: LogView {
  private struct Figures {
    var calls = 0
    var statuses: [String: Int] = [:]
    /// Those among them that no server said.
    var localStatuses: [String: Int] = [:]
    var latencies: [Duration] = []
    /// When the first one began, and the last one.
    var first: Timestamp?
    var last: Timestamp?

    mutating func add(_ call: CallRow) {
      calls += 1
      statuses[call.status.description, default: 0] += 1
      if call.isLocal { localStatuses[call.status.description, default: 0] += 1 }
      if let start = call.start {
        first = min(first ?? start, start)
        last = max(last ?? start, start)
      }
      if let latency = call.latency { latencies.append(latency) }
    }

    /// "OK 8, UNAVAILABLE (local) 2"
    var words: String {
      var counts = statuses
      for (status, count) in localStatuses {
        counts[status, default: 0] -= count
        counts[status + " (local)"] = count
      }
      return Self.sorted(counts.filter { $0.value > 0 }).map { "\($0.status) \($0.count)" }
        .joined(separator: ", ")
    }

    /// The most frequent first.
    static func sorted(_ statuses: [String: Int]) -> [(status: String, count: Int)] {
      statuses.map { (status: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.status) < ($0.count, $1.status) }
    }

    /// Those of which half, 95 %, 99 % and all are no longer; nil where no call has an end.
    var percentiles: [(name: String, latency: Duration)]? {
      let sorted = latencies.sorted()
      guard let longest = sorted.last else { return nil }
      func rank(_ percent: Int) -> Duration { sorted[(sorted.count * percent + 99) / 100 - 1] }
      return [("p50", rank(50)), ("p95", rank(95)), ("p99", rank(99)), ("max", longest)]
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
      try write(methods, to: output)
    }
    try output.flush()
  }

  /// Statuses go below where there is too little room.
  private func write(_ methods: [String], to output: LogOutput) throws(ErrorReport) {
    let start = methods.compactMap { figures[$0]?.first }.min()
    var days = LogDays(console.clock())
    if let day = days.line(for: start) { try output.write(line: day) }
    var lines = [["method", "calls", "first", "last", "p50", "p95", "p99", "max"]]
    for method in methods {
      lines.append(cells(Self.shortName(method), figures[method] ?? Figures(), days, from: start))
    }
    var widths = columnWidths(lines)
    let width = widths.reduce(0) { $0 + $1 + 2 }
    if let columns = output.columns {
      widths[0] = max(10, min(widths[0], widths[0] - width + columns))
    }
    let notes = ["status"] + methods.map { figures[$0]?.words ?? "" }
    for (line, note) in zip(drawn(lines, widths: widths), notes) {
      try output.write(line, note: note, below: widths.reduce(0) { $0 + $1 + 2 })
    }
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

  private func cells(
    _ method: String, _ figures: Figures, _ days: LogDays, from start: Timestamp?
  ) -> [String] {
    let times = [figures.first, figures.last].map { time in
      time.map { days.time($0, inLineOf: start) } ?? TextTable.unset
    }
    let latencies =
      figures.percentiles?.map { Units.latency($0.latency) }
      ?? [String](repeating: TextTable.unset, count: 4)
    return [method, String(figures.calls)] + times + latencies
  }

  private func json(_ method: String, _ figures: Figures?) -> String {
    var object = JSONObject()
    object.add("method", method.isEmpty ? nil : quoted(method))
    object.add("calls", figures.map { String($0.calls) })
    object.add("first", StoryEvent.json(figures?.first))
    object.add("last", StoryEvent.json(figures?.last))
    object.add("statuses", Self.json(figures?.statuses ?? [:]))
    let local = figures?.localStatuses ?? [:]
    if !local.isEmpty { object.add("localStatuses", Self.json(local)) }
    var latency = JSONObject()
    for (name, time) in figures?.percentiles ?? [] { latency.add(name, StoryEvent.json(time)) }
    object.add("latencySeconds", latency.text)
    return object.text
  }

  private static func json(_ statuses: [String: Int]) -> String {
    var object = JSONObject()
    for (status, count) in Figures.sorted(statuses) { object.add(status, String(count)) }
    return object.text
  }
}
