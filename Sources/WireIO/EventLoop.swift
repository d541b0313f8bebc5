import Synchronization

/// One thread that runs jobs, watches descriptors with poll(2) and keeps timers.
///
/// An actor lives on a loop by returning it from `unownedExecutor`:
///
///     actor Connection {
///       let loop: EventLoop
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// Closures given to `watch`, `schedule` and `atEndOfRound` run on the loop, so such an actor calls
/// its own methods from them directly, or through `assumeIsolated`. A task that is isolated to an
/// actor of the loop awaits other actors of the same loop without a change of thread.
///
/// It is a `SerialExecutor` only: one that is a `TaskExecutor` too breaks isolation
/// (swiftlang/swift#85668).
public final class EventLoop: SerialExecutor, Sendable {
  /// What the loop is for, in messages.
  public let name: String

  private struct Shared {
    var jobs: [UnownedJob] = []
    /// The loop waits in poll(2), or is about to: the next job must wake it.
    var isAsleep = false
    var isStopping = false
    /// No loop runs any more; late jobs get a thread of their own.
    var hasStopped = false
    var isRunningLateJobs = false
    var thread: Thread?

    /// Whether the caller must ring the bell. One ring serves all who come before the loop is up.
    mutating func wake() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private let shared = Mutex(Shared())
  private let wakeup: WakeupPipe
  /// The thread that is the loop at present; 0 when none is.
  private let owner = Atomic<UInt>(0)
  // Touched only by the thread in `owner`: `run` and `runLateJobs`, of which never two run at a
  // time, and the methods that check `isOnLoop` first.
  private nonisolated(unsafe) let state = LoopState()

  /// A loop that does nothing before somebody calls `run()`.
  public init(name: String) throws(IOError) {
    self.name = name
    wakeup = try WakeupPipe()
  }

  /// A loop on a thread of its own, which runs until `stop()`.
  public static func start(name: String) throws(IOError) -> EventLoop {
    let loop = try EventLoop(name: name)
    let thread = try Thread(for: name) { loop.run() }
    loop.shared.withLock { $0.thread = thread }
    return loop
  }

  /// Is the loop on the calling thread until somebody calls `stop()`.
  ///
  /// For a program that has nothing else to do with this thread: what it awaits on actors of this
  /// loop then costs no change of thread at all. Call it once.
  public func run() {
    owner.store(Thread.current, ordering: .releasing)
    let state = unsafe self.state
    let wakeup = self.wakeup
    let bell = state.watches.add(wakeup.readEnd, .read) { _ in wakeup.drain() }
    while true {
      runJobs()
      state.runEndOfRound()
      guard let milliseconds = prepareToWait() else { break }
      state.watches.wait(milliseconds: milliseconds)
      shared.withLock { $0.isAsleep = false }
      if state.timers.next != nil { state.timers.fire(now: .now) }
    }
    bell.cancel()
    state.cancelAll()
    owner.store(0, ordering: .releasing)
    finish()
  }

  /// Ends the loop: watches and timers are cancelled, jobs already queued are run.
  ///
  /// Waits for the thread that `start` made, unless it is called on the loop itself. Safe to call
  /// again. Jobs that come later still run, one at a time, on a thread made for them, so no task
  /// is left hanging; watches and timers that come later never fire.
  public func stop() {
    let (thread, mustWake) = shared.withLock { shared in
      let thread = shared.thread
      shared.thread = nil
      shared.isStopping = true
      return (thread, shared.wake())
    }
    if mustWake { wakeup.wake() }
    guard let thread else { return }
    if isOnLoop { thread.detach() } else { thread.join() }
  }

  /// Watches a descriptor, on the loop only. The handler is called in every round that finds the
  /// descriptor ready for something of `interest`; errors and hang-ups count as all of it.
  public func watch(
    _ fileDescriptor: Int32, for interest: Readiness,
    handler: @escaping (Readiness) -> Void
  ) -> Watch {
    onLoop().watches.add(fileDescriptor, interest, handler)
  }

  /// Runs `body` at `instant` or up to about a millisecond later, on the loop only.
  @discardableResult
  public func schedule(
    at instant: ContinuousClock.Instant, _ body: @escaping () -> Void
  ) -> LoopTimer {
    onLoop().timers.add(at: instant, body)
  }

  /// Runs `body` once, after the jobs, handlers and timers of this round and before the loop looks
  /// at its descriptors again, on the loop only. The place to write out what a whole round
  /// gathered, with one system call.
  public func atEndOfRound(_ body: @escaping () -> Void) {
    onLoop().endOfRound.append(body)
  }

  /// Whether the caller runs on the loop.
  public var isOnLoop: Bool {
    owner.load(ordering: .acquiring) == Thread.current
  }

  private func onLoop() -> LoopState {
    precondition(isOnLoop, "called outside of event loop \(name)")
    return unsafe state
  }
}

// MARK: SerialExecutor

extension EventLoop {
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (mustWake, isLate) = shared.withLock { shared in
      shared.jobs.append(job)
      let isLate = shared.hasStopped && !shared.isRunningLateJobs
      if isLate { shared.isRunningLateJobs = true }
      return (shared.wake(), isLate)
    }
    if mustWake { wakeup.wake() }
    if isLate { runLateJobsElsewhere() }
  }

  public func checkIsolated() {
    precondition(isOnLoop, "not on event loop \(name)")
  }

  public func isIsolatingCurrentContext() -> Bool? {
    isOnLoop
  }
}

// MARK: Rounds

extension EventLoop {
  /// Runs the queued jobs and those that they add, up to a limit that keeps sockets served.
  private func runJobs() {
    let executor = unsafe asUnownedSerialExecutor()
    let state = unsafe self.state
    for _ in 0..<16 {
      shared.withLock { swap(&$0.jobs, &state.jobs) }
      if state.jobs.isEmpty { return }
      for job in state.jobs {
        unsafe job.runSynchronously(on: executor)
      }
      state.jobs.removeAll(keepingCapacity: true)
    }
  }

  /// How long to wait in milliseconds, -1 for ever; `nil` to end. Read under the same lock that
  /// `enqueue` takes, so no job can slip in between the look and the sleep.
  private func prepareToWait() -> Int32? {
    let state = unsafe self.state
    let milliseconds = state.millisecondsToNextTimer()
    return shared.withLock { shared in
      if shared.isStopping { return nil }
      guard shared.jobs.isEmpty else { return 0 }
      shared.isAsleep = milliseconds != 0
      return milliseconds
    }
  }
}

// MARK: After the end

extension EventLoop {
  /// The last act of the loop's thread.
  private func finish() {
    let isLate = shared.withLock { shared in
      shared.hasStopped = true
      shared.isRunningLateJobs = !shared.jobs.isEmpty
      return shared.isRunningLateJobs
    }
    if isLate { runLateJobsElsewhere() }
  }

  /// Not on the caller's thread: it may hold a lock that the job needs.
  private func runLateJobsElsewhere() {
    do {
      try Thread(for: name) { self.runLateJobs() }.detach()
    } catch {
      runLateJobs()
    }
  }

  private func runLateJobs() {
    owner.store(Thread.current, ordering: .releasing)
    repeat { runJobs() } while !lateJobsAreDone()
  }

  private func lateJobsAreDone() -> Bool {
    let state = unsafe self.state
    state.runEndOfRound()
    state.cancelAll()
    return shared.withLock { shared in
      guard shared.jobs.isEmpty else { return false }
      owner.store(0, ordering: .releasing)
      shared.isRunningLateJobs = false
      return true
    }
  }
}
