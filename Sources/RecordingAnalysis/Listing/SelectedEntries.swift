import Recording

/// Passes on the entries of selected calls. If the selection depends on the request or the end of a
/// call, the entries of the call are held until then.
package struct SelectedEntries {
  /// A call that is not decided yet.
  private struct Call {
    var value: LoggedCall
    var entries: [LoggedEntry] = []
  }

  private let selection: CallSelection
  private let types: MessageTypes
  private var calls = OpenCalls<Call>()
  /// The numbers of the selected calls: more of their entries may follow.
  private var selected: Set<Int> = []

  package init(_ selection: CallSelection, _ types: MessageTypes) {
    self.selection = selection
    self.types = types
  }

  package var callCount: Int { selected.count }

  /// Returns the entries that are decided by this one.
  package mutating func add(_ entry: LoggedEntry) throws(OpenCallsOverflow) -> [LoggedEntry] {
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
    calls[number]?.value.add(entry, types)
    calls[number]?.entries.append(entry)
    guard let call = calls[number]?.value else { return [] }
    try calls.hold(Self.size(entry), in: number)
    if let ended = calls.end(at: entry) { return decide(ended) }
    let isKnown = entry.value.type == .clientMessage && !selection.needsEnd
    guard isKnown || !selection.mayInclude(call) else { return [] }
    return calls.remove(number).map { decide($0) } ?? []
  }

  /// Returns the entries of selected calls that are canceled, though a status may follow.
  package mutating func pause() -> [LoggedEntry] {
    calls.endCanceled { selection.includes($0.value) }.flatMap { decide($0) }
  }

  /// Returns the entries of selected calls that have no end.
  package mutating func end() -> [LoggedEntry] {
    calls.all.flatMap { decide($0) }
  }

  private mutating func decide(_ call: Call) -> [LoggedEntry] {
    guard selection.includes(call.value) else { return [] }
    selected.insert(call.value.number)
    return call.entries
  }

  private static func size(_ entry: LoggedEntry) -> Int {
    guard case .message(let message) = entry.value.payload else { return 1 << 10 }
    return message.data.count + (1 << 10)
  }
}
