import Recording

/// Passes on the entries of selected calls. If the selection depends on the request or the end of a
/// call, the entries of the call are held until then.
package struct SelectedEntries {
  /// The calls without an end take more memory than ``SelectedEntries/limit``.
  package struct Overflow: Error {}

  /// A call that is not decided yet.
  private struct Call {
    var value: LoggedCall
    var entries: [LoggedEntry] = []
  }

  /// The maximum number of held bytes of undecided calls.
  package static let limit = 256 << 20

  private let selection: CallSelection
  private let types: MessageTypes
  private var calls: [Int: Call] = [:]
  private var size = 0
  /// The numbers of the selected calls: more of their entries may follow.
  private var selected: Set<Int> = []

  package init(_ selection: CallSelection, _ types: MessageTypes) {
    self.selection = selection
    self.types = types
  }

  package var callCount: Int { selected.count }

  /// Returns the entries that are decided by this one.
  package mutating func add(_ entry: LoggedEntry) throws(Overflow) -> [LoggedEntry] {
    let number = entry.call.number
    if entry.call.isNew {
      let call = LoggedCall(entry)
      guard selection.mayInclude(call) else { return [] }
      if selection.needsEnd || selection.needsRequest {
        calls[number] = Call(value: call)
      } else {
        selected.insert(number)
      }
    }
    if selected.contains(number) { return [entry] }
    guard var call = calls.removeValue(forKey: number) else { return [] }
    call.value.add(entry, types)
    call.entries.append(entry)
    calls[number] = call
    size += Self.size(entry)
    // A status with details may follow a CANCEL.
    let isEnd = entry.value.type == .serverTrailer
    let isKnown = entry.value.type == .clientMessage && !selection.needsEnd
    let decided = isEnd || isKnown || !selection.mayInclude(call.value) ? decide(number) : []
    guard size <= Self.limit else { throw Overflow() }
    return decided
  }

  /// Returns the entries of selected calls that have no end.
  package mutating func end() -> [LoggedEntry] {
    var entries: [LoggedEntry] = []
    for number in calls.keys.sorted() { entries += decide(number) }
    return entries
  }

  private mutating func decide(_ number: Int) -> [LoggedEntry] {
    guard let call = calls.removeValue(forKey: number) else { return [] }
    size -= call.entries.reduce(0) { $0 + Self.size($1) }
    guard selection.includes(call.value) else { return [] }
    selected.insert(number)
    return call.entries
  }

  private static func size(_ entry: LoggedEntry) -> Int {
    guard case .message(let message) = entry.value.payload else { return 1 << 10 }
    return message.data.count + (1 << 10)
  }
}
