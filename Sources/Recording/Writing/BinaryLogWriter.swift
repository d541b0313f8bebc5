import WireGRPC
import WireIO
import WireSystem

/// Writes events to a log from a thread of its own, many at a time, and never makes those wait who
/// tell of them.
final class BinaryLogWriter: Sendable {
  private struct State {
    var queue: EntryQueue
    /// A timer runs after which what is in the queue is written.
    var isTimed = false
    /// It is so much that it is going to be written at once.
    var isUrgent = false
    var isClosed = false
    /// Those who wait for all calls to end.
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
    /// Of what was taken from the queue.
    var report = RecordingReport()
  }

  /// How long events are gathered before they are written: each time a thread has to wake up.
  private static let gatherTime: Duration = .milliseconds(20)
  /// How many bytes are not gathered any longer.
  private static let gatherSize = 1 << 18

  private let loop: EventLoop
  private let state: Locked<State>
  /// Touched by the loop alone.
  private let output: Locked<EntryOutput>

  init(
    _ file: BinaryLogFile, _ options: RecordingOptions,
    onFailure: (@Sendable (String) -> Void)?, loop: EventLoop
  ) {
    self.loop = loop
    state = Locked(State(queue: EntryQueue(limit: options.maxQueuedBytes)))
    output = Locked(EntryOutput(file, options, onFailure: onFailure))
  }

  deinit {
    loop.stop()
  }

  /// Takes an event to be written soon, if there is room.
  func write(_ event: CallEvent, _ head: EntryHead) {
    var waiting: [CheckedContinuation<Void, Never>] = []
    let (isFirst, isTooMuch) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else {
        state.queue.refuse()
        return (false, false)
      }
      defer { if state.queue.isAtRest { waiting = state.takeWaiting() } }
      guard state.queue.add(event, head) else { return (false, false) }
      let isTooMuch = state.queue.size > Self.gatherSize && !state.isUrgent
      if isTooMuch { state.isUrgent = true }
      defer { state.isTimed = true }
      return (!state.isTimed, isTooMuch)
    }
    for waiting in waiting { waiting.resume() }
    guard isFirst || isTooMuch else { return }
    Task(executorPreference: loop.taskExecutor) {
      if isFirst { self.writeOutLater() }
      if isTooMuch { self.writeOut() }
    }
  }

  /// Again and again as long as there is something to write, so that nobody has to wake the thread.
  private func writeOutLater() {
    loop.schedule(at: .now + Self.gatherTime) {
      let isOver = self.state.withLock { state in
        if state.queue.size == 0 { state.isTimed = false }
        return !state.isTimed
      }
      if isOver { return }
      self.writeOut()
      self.writeOutLater()
    }
  }

  var report: RecordingReport {
    state.withLock { state in
      var report = state.report
      report.missing += state.queue.missing
      return report
    }
  }

  /// - Parameter grace: how long to wait for calls that have not ended.
  func close(grace: Duration) async {
    await callsEnd(within: grace)
    state.withLock { $0.isClosed = true }
    await Task(executorPreference: loop.taskExecutor) { self.writeOut() }.value
    loop.stop()
  }

  private func callsEnd(within grace: Duration) async {
    guard grace > .zero else { return }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard !state.queue.isAtRest, !state.isClosed else { return true }
        state.waiting.append(continuation)
        return false
      }
      if isOver { return continuation.resume() }
      Task(executorPreference: loop.taskExecutor) {
        _ = self.loop.schedule(at: .now + grace) {
          for waiting in self.state.withLock({ $0.takeWaiting() }) { waiting.resume() }
        }
      }
    }
  }

  private func writeOut() {
    let batches = state.withLock { state in
      state.isUrgent = false
      return state.queue.takeAll()
    }
    let report = output.withLock { output in
      output.write(batches)
      return output.report
    }
    state.withLock { state in
      state.report = report
      state.queue.takeBack(batches)
    }
  }
}
