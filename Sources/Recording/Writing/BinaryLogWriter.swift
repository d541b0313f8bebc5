import WireGRPC
import WireIO
import WireSystem

/// Writes events to a log in batches on its own thread. Callers never wait.
final class BinaryLogWriter: Sendable {
  private struct State {
    var queue: EntryQueue
    /// Whether a timer is running that writes the queue.
    var isScheduled = false
    /// Whether the queue has exceeded the batch size and is about to be written.
    var isUrgent = false
    /// Whether the queue was too full for an entry since it was last written.
    var hasOverflowed = false
    var isClosed = false
    /// The callers of `close` that wait for all calls to end.
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
    /// The report on the entries taken from the queue.
    var report = RecordingReport()
  }

  /// How long events are collected before they are written, because each write wakes a thread.
  private static let batchInterval: Duration = .milliseconds(20)
  /// The size of the queue in bytes above which it is written at once.
  private static let batchSize = 1 << 18

  private let loop: EventLoop
  private let state: Locked<State>
  /// Accessed only on the loop.
  private let output: Locked<EntryOutput>

  init(
    _ file: any BinaryLogOutput, _ options: RecordingOptions,
    onEvent: (@Sendable (RecordingEvent) -> Void)?, loop: EventLoop
  ) {
    self.loop = loop
    state = Locked(State(queue: EntryQueue(limit: options.maxQueuedBytes)))
    output = Locked(EntryOutput(file, options, onEvent: onEvent))
  }

  deinit {
    loop.stop()
  }

  /// Queues an event for writing, if there is room.
  func write(_ event: CallEvent, _ head: EntryHead) {
    var waiting: [CheckedContinuation<Void, Never>] = []
    let (isFirst, exceedsBatchSize) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else {
        state.queue.drop()
        return (false, false)
      }
      defer { if state.queue.isIdle { waiting = state.takeWaiting() } }
      if !state.queue.add(event, head) { state.hasOverflowed = true }
      let exceedsBatchSize = state.queue.size > Self.batchSize && !state.isUrgent
      if exceedsBatchSize { state.isUrgent = true }
      defer { state.isScheduled = true }
      return (!state.isScheduled, exceedsBatchSize)
    }
    for waiting in waiting { waiting.resume() }
    guard isFirst || exceedsBatchSize else { return }
    Task(executorPreference: loop.taskExecutor) {
      if isFirst { self.scheduleFlush() }
      if exceedsBatchSize { self.flush() }
    }
  }

  /// Repeats while there is something to write, so that callers need not wake the thread.
  private func scheduleFlush() {
    loop.schedule(at: .now + Self.batchInterval) {
      let isOver = self.state.withLock { state in
        if state.queue.size == 0, !state.hasOverflowed { state.isScheduled = false }
        return !state.isScheduled
      }
      if isOver { return }
      self.flush()
      self.scheduleFlush()
    }
  }

  var report: RecordingReport {
    state.withLock { state in
      var report = state.report
      report.dropped += state.queue.dropped
      return report
    }
  }

  /// - Parameter grace: how long to wait for calls that have not ended.
  func close(grace: Duration) async {
    await waitForCalls(upTo: grace)
    state.withLock { $0.isClosed = true }
    await Task(executorPreference: loop.taskExecutor) { self.flush() }.value
    loop.stop()
  }

  private func waitForCalls(upTo grace: Duration) async {
    guard grace > .zero else { return }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard !state.queue.isIdle, !state.isClosed else { return true }
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

  private func flush() {
    let (batches, hasOverflowed) = state.withLock { state in
      state.isUrgent = false
      defer { state.hasOverflowed = false }
      return (state.queue.takeBatches(), state.hasOverflowed)
    }
    let report = output.withLock { output in
      output.noteOverflow(hasOverflowed)
      output.write(batches)
      return output.report
    }
    state.withLock { state in
      state.report = report
      state.queue.recycle(batches)
    }
  }
}
