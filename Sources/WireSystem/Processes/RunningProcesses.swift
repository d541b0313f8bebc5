/// The programs that end with this process.
enum RunningProcesses {
  private struct State {
    var runs: [ObjectIdentifier: ProcessRun] = [:]
    var isOver = false
  }
  private static let state = Locked(State())

  /// Returns false after ``endAll()``.
  static func add(_ run: ProcessRun) -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.runs[ObjectIdentifier(run)] = run
      return true
    }
  }

  static func remove(_ run: ProcessRun) {
    state.withLock { state in _ = state.runs.removeValue(forKey: ObjectIdentifier(run)) }
  }

  static func endAll() {
    let runs = state.withLock { state in
      state.isOver = true
      return Array(state.runs.values)
    }
    for run in runs { run.cancel() }
  }
}
