import CommandShell
import RecordingAnalysis
import Tripwire

/// The number, times, statuses and latencies of the calls of each method.
final class CallSummary: LogView {
  private let selection: CallSelection
  private let isJSON: Bool
  private let console: Console
  private var statistics: CallStatistics

  init(_ types: MessageTypes, _ selection: CallSelection, isJSON: Bool, _ console: Console) {
    self.selection = selection
    self.isJSON = isJSON
    self.console = console
    statistics = CallStatistics(types, selection)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) { statistics.add(entry) }

  func end(calls count: Int) throws(ErrorReport) {
    statistics.end()
    let methods = statistics.methods.sorted { $0.key < $1.key }
    guard !methods.isEmpty else {
      if count > 0 { try selection.warnOfNone(among: count, console) }
      return
    }
    let output = LogOutput(console)
    if isJSON {
      for (path, method) in methods { try output.write(json: json(path, method) + "\n") }
    } else {
      try write(methods, to: output)
    }
    try output.flush()
  }

  /// Writes the table. On a narrow terminal, statuses have a line of their own.
  private func write(
    _ methods: [(key: String, value: CallStatistics.Method)], to output: LogOutput
  ) throws(ErrorReport) {
    let start = methods.compactMap(\.value.first).min()
    var days = DayHeadings(console.clock())
    if let day = days.line(for: start) { try output.write(line: day) }
    var lines = [["method", "calls", "first", "last", "p50", "p95", "p99", "max"]]
    for (path, method) in methods {
      lines.append(cells(Self.shortName(path), method, days, from: start))
    }
    var widths = columnWidths(lines)
    let width = widths.reduce(0) { $0 + $1 + 2 }
    if let columns = output.columns {
      widths[0] = max(10, min(widths[0], widths[0] - width + columns))
    }
    let notes = ["status"] + methods.map(\.value.statusText)
    for (line, note) in zip(drawn(lines, widths: widths), notes) {
      try output.write(line, note: note, below: widths.reduce(0) { $0 + $1 + 2 })
    }
  }

  /// "TripService/GetTrip"
  private static func shortName(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let method = parts.last else { return TextTable.unset }
    let service = parts.dropLast().last?.split(separator: ".").last.map { $0 + "/" } ?? ""
    return shortened(service + method)
  }

  private func cells(
    _ name: String, _ method: CallStatistics.Method, _ days: DayHeadings, from start: Timestamp?
  ) -> [String] {
    let times = [method.first, method.last].map { time in
      time.map { days.time($0, inLineOf: start) } ?? TextTable.unset
    }
    let latencies =
      method.percentiles?.map { Units.latency($0.latency) }
      ?? [String](repeating: TextTable.unset, count: 4)
    return [name, String(method.calls)] + times + latencies
  }

  private func json(_ path: String, _ method: CallStatistics.Method) -> String {
    func add(_ statuses: [String: Int], to json: inout JSONWriter) {
      for (status, count) in byFrequency(statuses) { json.member(status, count) }
    }
    return JSONWriter.object { json in
      json.member("method", path.isEmpty ? nil : path)
      json.member("calls", method.calls)
      json.member("first", json: method.first?.jsonText)
      json.member("last", json: method.last?.jsonText)
      json.object("statuses") { add(method.statuses, to: &$0) }
      if !method.localStatuses.isEmpty {
        json.object("localStatuses") { add(method.localStatuses, to: &$0) }
      }
      json.object("latencySeconds") { json in
        for (name, time) in method.percentiles ?? [] { json.member(name, json: time.jsonSeconds) }
      }
    }
  }
}

extension CallStatistics.Method {
  /// "OK 8, UNAVAILABLE (local) 2"
  fileprivate var statusText: String {
    var counts = statuses
    for (status, count) in localStatuses {
      counts[status, default: 0] -= count
      counts[status + " (local)"] = count
    }
    return byFrequency(counts.filter { $0.value > 0 }).map { "\($0.status) \($0.count)" }
      .joined(separator: ", ")
  }
}

private func byFrequency(_ statuses: [String: Int]) -> [(status: String, count: Int)] {
  statuses.map { (status: $0.key, count: $0.value) }
    .sorted { ($1.count, $0.status) < ($0.count, $1.status) }
}
