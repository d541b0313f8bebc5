import CommandShell
import Recording
import RecordingAnalysis

/// The list of calls by start time. A line is written as soon as its call and all before it have ended.
final class CallList: LogView {
  /// The number of lines that are aligned together. After them no column gets narrower.
  private static let blockSize = 1_000
  /// The cells that are cut on a narrow terminal, in this order, and their least widths.
  private static let shrinking: [(column: Int, least: Int)] = [
    (LoggedCall.resourceCell, 16), (LoggedCall.statusCell, 11),
    (LoggedCall.methodCell, 10), (LoggedCall.resourceCell, 8),
  ]
  private let types: MessageTypes
  private let selection: CallSelection
  private let console: Console
  private let output: LogOutput
  private var days: DayHeadings
  /// The calls without a line yet. A canceled call is printed at once: a status may never follow, and later
  /// lines would wait.
  private var rows: [LoggedCall] = []
  private var isBegun = false
  /// The common parent of the names in the first lines; nil without names.
  private var parent: String?
  private var widths: [Int] = []

  init(_ types: MessageTypes, _ selection: CallSelection, _ console: Console) {
    self.types = types
    self.selection = selection
    self.console = console
    days = DayHeadings(console.clock())
    output = LogOutput(console)
  }

  func add(_ entry: LoggedEntry) throws(ErrorReport) {
    if entry.call.isNew { rows.append(LoggedCall(entry)) }
    // Calls are numbered consecutively. Late entries of a call that was written are ignored.
    guard let first = rows.first?.number, entry.call.number >= first else { return }
    rows[entry.call.number - first].add(entry, types)
    guard rows.count >= Self.blockSize, rows.count % Self.blockSize == 0, entry.call.isNew else {
      return
    }
    let count = rows.prefix(while: \.isOver).count
    if count >= Self.blockSize { try write(count) }
  }

  func pause() throws(ErrorReport) {
    let count = rows.prefix(while: \.isOver).count
    if count > 0 { try write(count) }
    try output.flush()
  }

  func end(calls: Int) throws(ErrorReport) {
    try write(rows.count)
    try output.flush()
    if !isBegun, calls > 0 { try selection.warnOfNone(among: calls, console) }
  }

  private func write(_ count: Int) throws(ErrorReport) {
    let shown = rows.prefix(count).filter { selection.includes($0) }
    rows.removeFirst(count)
    guard !shown.isEmpty else { return }
    let isFirst = !isBegun
    if isFirst { parent = commonParent(of: shown.compactMap(\.shortResourceName)) }
    isBegun = true
    var cells = shown.map { $0.cells(days, without: parent) }
    if isFirst { cells.insert(LoggedCall.header(names: parent != nil), at: 0) }
    let needed = columnWidths(cells)
    widths = needed.indices.map { max(needed[$0], $0 < widths.count ? widths[$0] : 0) }
    let fitting = output.columns.map { fitted(widths, to: $0, shrinking: Self.shrinking) } ?? widths
    let width = fitting.reduce(0) { $1 > 0 ? $0 + $1 + 2 : $0 }
    var lines = drawn(cells, widths: fitting)
    if isFirst {
      let place = parent.flatMap { $0.isEmpty ? nil : "names relative to \($0)" }
      let heading = [days.line(for: shown.first?.start), place].compactMap { $0 }
      if !heading.isEmpty { try output.write(line: heading.joined(separator: ", ")) }
      try output.write(line: lines.removeFirst())
    }
    for (row, line) in zip(shown, lines) {
      if let day = days.line(for: row.start) { try output.write(line: day) }
      try output.write(line, note: row.note, below: width)
    }
  }
}

/// Returns the common parent of the names, "providers/p/trips/"; nil without names.
///
/// Names of providers, "providers/p", do not count, so that the others are relative to the provider.
func commonParent(of names: [String]) -> String? {
  guard !names.isEmpty else { return nil }
  var common: ArraySlice<Substring>?
  for name in names {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0] == "providers" { continue }
    let parents = parts.dropLast()
    common = common.map { $0.prefix(zip($0, parents).prefix { $0 == $1 }.count) } ?? parents
  }
  return (common ?? []).map { $0 + "/" }.joined()
}
