import Recording
import WireProtobuf

/// Lets through the entries of those calls that are wanted. Where that depends on how a call ends, they
/// wait for the end, and come together; where it depends on what is asked for, they wait for that.
final class SelectedCalls: LogView {
  /// A call of which it is not known yet.
  private struct Call {
    var row: CallRow
    var entries: [LogFile.Entry] = []
  }

  /// So much of calls that are not over is kept, in bytes.
  private static let limit = 256 << 20

  private let selection: CallSelection
  private let types: MessageTypes
  private let view: any LogView
  private let console: Console
  private var calls: [Int: Call] = [:]
  private var size = 0
  /// Calls that are let through, and what may still come of them.
  private var wanted: Set<Int> = []

  init(
    _ selection: CallSelection, _ types: MessageTypes, for view: any LogView, _ console: Console
  ) {
    self.selection = selection
    self.types = types
    self.view = view
    self.console = console
  }

  func add(_ entry: LogFile.Entry) throws(ErrorReport) {
    let number = entry.call.number
    if entry.call.isNew {
      let row = CallRow(entry)
      guard selection.mayInclude(row) else { return }
      if selection.needsEnd || selection.needsRequest {
        calls[number] = Call(row: row)
      } else {
        wanted.insert(number)
      }
    }
    if wanted.contains(number) { return try view.add(entry) }
    guard var call = calls.removeValue(forKey: number) else { return }
    call.row.add(entry, types)
    call.entries.append(entry)
    calls[number] = call
    size += Self.size(entry)
    // Behind a CANCEL a status may come that says more.
    let isEnd = entry.value.type == .serverTrailer
    let isKnown = entry.value.type == .clientMessage && !selection.needsEnd
    if isEnd || isKnown || !selection.mayInclude(call.row) { try decide(number) }
    guard size <= Self.limit else {
      throw ErrorReport(
        local: "the unfinished calls need more than \(Self.limit >> 20) MiB of memory",
        hint: "select fewer calls with --method, --since or --until")
    }
  }

  func pause() throws(ErrorReport) { try view.pause() }

  func end(calls count: Int) throws(ErrorReport) {
    for number in calls.keys.sorted() { try decide(number) }
    if wanted.isEmpty, count > 0 { try selection.warnOfNone(among: count, console) }
    try view.end(calls: wanted.count)
  }

  private func decide(_ number: Int) throws(ErrorReport) {
    guard let call = calls.removeValue(forKey: number) else { return }
    size -= call.entries.reduce(0) { $0 + Self.size($1) }
    guard selection.includes(call.row) else { return }
    wanted.insert(number)
    for entry in call.entries { try view.add(entry) }
  }

  private static func size(_ entry: LogFile.Entry) -> Int {
    guard case .message(let message) = entry.value.payload else { return 1 << 10 }
    return message.data.count + (1 << 10)
  }
}
