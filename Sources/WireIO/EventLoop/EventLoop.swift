import Synchronization
package import WireSystem

/// A thread that runs jobs, watches descriptors with poll(2) and keeps timers.
///
/// An actor lives on a loop by returning it from `unownedExecutor`:
///
///     actor Connection {
///       let loop: EventLoop
///       nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
///     }
///
/// Closures passed to `watch`, `schedule` and `atEndOfRound` run on the loop, so an actor of the
/// loop calls its own methods from them directly, or through `assumeIsolated`.
///
/// A continuation resumes outside the actor that awaits it, and the task then hops back to the actor. Let an
/// actor's method end with that await to avoid the hop. With `taskExecutor`, the task stays on the loop's thread.
package final class EventLoop: SerialExecutor, Sendable {
  /// The purpose of the loop, for messages.
  package let name: String

  private let queue = Locked(JobQueue<LoopJob>())
  /// The thread that `start` created, for `stop` to join.
  private let thread = Locked<Thread?>(nil)
  let wakeup: WakeupPipe
  /// Nil for the time of the system.
  private let virtualTime: VirtualTime?
  /// The thread that runs the loop; 0 if none does.
  private let owner = Atomic<UInt>(0)
  // Only used by the thread in `owner`: in `run` and `runLateJobs`, which never run at the same
  // time, and in methods that check `isOnLoop` first.
  private nonisolated(unsafe) let state = LoopState()

  /// Creates a loop that does nothing before `run()` is called.
  ///
  /// - Parameter virtualTime: replaces the time of the system.
  package init(name: String, virtualTime: VirtualTime? = nil) throws(IOError) {
    self.name = name
    self.virtualTime = virtualTime
    wakeup = try WakeupPipe()
  }

  /// The time of the timers.
  package var now: ContinuousClock.Instant { virtualTime?.now ?? .now }

  /// Starts a loop on its own thread, which runs until `stop()`.
  package static func start(
    name: String, virtualTime: VirtualTime? = nil
  ) throws(IOError) -> EventLoop {
    _ = HeapSlack.isKept
    let loop = try EventLoop(name: name, virtualTime: virtualTime)
    let thread = try Thread(for: name) { loop.run() }
    loop.thread.withLock { $0 = thread }
    return loop
  }

  /// Runs the loop on the calling thread until `stop()`.
  ///
  /// For a program that has no other use for the thread: awaiting actors of this loop then never
  /// changes the thread. Call it once.
  package func run() {
    owner.store(Thread.current, ordering: .releasing)
    let state = unsafe self.state
    let wakeup = self.wakeup
    let wakeupWatch = state.watches.add(wakeup.readEnd, .read) { _ in wakeup.drain() }
    while true {
      runJobs()
      state.runEndOfRound()
      let timeout = millisecondsToNextTimer()
      guard let milliseconds = queue.withLock({ $0.prepareToWait(timeout) }) else { break }
      let ready = state.watches.wait(milliseconds: milliseconds)
      // Before the handlers, so that jobs that they enqueue need no wakeup.
      if milliseconds != 0 { queue.withLock { $0.wakeUp() } }
      state.watches.dispatch(ready)
      let hasFired = state.timers.count > 0 && state.fireTimers(now: now)
      if let virtualTime, ready <= 0, !hasFired, queue.withLock({ $0.isEmpty }) {
        virtualTime.loopIsIdle(next: state.timers.next())
      }
    }
    wakeupWatch.cancel()
    state.cancelAll()
    owner.store(0, ordering: .releasing)
    perform(queue.withLock { $0.finish() })
  }

  /// Ends the loop. Watches and timers are canceled, and queued jobs are run.
  ///
  /// Waits for the thread that `start` created, unless it is called on the loop. A second call does
  /// nothing. Later jobs still run, one at a time, on a temporary thread, so that no task is left
  /// suspended. Later watches and timers never fire.
  package func stop() {
    perform(queue.withLock { $0.stop() })
    guard let thread = thread.withLock({ $0.take() }) else { return }
    if isOnLoop { thread.detach() } else { thread.join() }
  }

  /// Watches a descriptor. Called on the loop only. The handler is called in each round in which
  /// the descriptor is ready for part of `interest`. Errors and hang-ups count as all of it.
  package func watch(
    _ fileDescriptor: Int32, for interest: Readiness,
    handler: @escaping (Readiness) -> Void
  ) -> Watch {
    onLoop().watches.add(fileDescriptor, interest, handler)
  }

  /// Runs `body` after some time, or up to about a millisecond later. Called on the loop only.
  @discardableResult
  package func schedule(after time: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    schedule(at: now + time, body)
  }

  /// Runs `body` at `instant` or up to about a millisecond later. Called on the loop only.
  @discardableResult
  package func schedule(
    at instant: ContinuousClock.Instant, _ body: @escaping () -> Void
  ) -> LoopTimer {
    onLoop().timers.add(at: instant, body)
  }

  /// Runs `body` once at the end of this round: after its jobs, handlers and timers, and before the
  /// loop polls again. Called on the loop only. Use it to write everything that a round produced
  /// with one system call.
  package func atEndOfRound(_ body: @escaping () -> Void) {
    onLoop().endOfRound.append(body)
  }

  /// Runs `body` on the loop, in the order of the calls. May be called from any thread.
  package func execute(_ body: @escaping @Sendable () -> Void) {
    enqueue(.closure(body))
  }

  /// An executor for tasks that run on this loop: `Task(executorPreference: loop.taskExecutor)`.
  package var taskExecutor: LoopTaskExecutor {
    LoopTaskExecutor(self)
  }

  /// Whether the caller runs on the loop.
  package var isOnLoop: Bool {
    owner.load(ordering: .acquiring) == Thread.current
  }

  private func onLoop() -> LoopState {
    // A trap, because access from another thread is a data race. Only code of this package gets here.
    precondition(isOnLoop, "called outside of event loop \(name)")
    return unsafe state
  }
}

// MARK: SerialExecutor

extension EventLoop {
  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(.actor(UnownedJob(job)))
  }

  func enqueue(_ job: LoopJob) {
    perform(queue.withLock { $0.append(job) })
  }

  package func checkIsolated() {
    // A trap is what SerialExecutor requires. Only a wrong `assumeIsolated` in the program gets here.
    precondition(isOnLoop, "not on event loop \(name)")
  }

  package func isIsolatingCurrentContext() -> Bool? {
    isOnLoop
  }
}

// MARK: Rounds

extension EventLoop {
  /// Runs the queued jobs and the jobs that they add. The number of passes is limited, so that
  /// sockets are served, too.
  private func runJobs() {
    let executor = unsafe asUnownedSerialExecutor()
    let state = unsafe self.state
    for _ in 0..<16 {
      queue.withLock { $0.take(&state.jobs) }
      if state.jobs.isEmpty { return }
      for job in state.jobs { unsafe job.run(on: executor) }
      state.jobs.removeAll(keepingCapacity: true)
    }
  }

  private func millisecondsToNextTimer() -> Int32 {
    let state = unsafe self.state
    guard let virtualTime else { return state.millisecondsToNextTimer(now: .now) }
    let isDue = state.timers.next().map { $0 <= virtualTime.now } ?? false
    return isDue || virtualTime.isAwaited ? 0 : -1
  }

  private func perform(_ action: JobQueue<LoopJob>.Action) {
    switch action {
    case .nothing:
      break
    case .wake:
      wakeup.wake()
    case .runLateJobs:
      do {
        // Another thread, because the caller may hold a lock that the job needs.
        try Thread(for: name) { self.runLateJobs() }.detach()
      } catch {
        runLateJobs()
      }
    }
  }

  private func runLateJobs() {
    let state = unsafe self.state
    var isDone = false
    while !isDone {
      owner.store(Thread.current, ordering: .releasing)
      runJobs()
      state.runEndOfRound()
      state.cancelAll()
      owner.store(0, ordering: .releasing)
      isDone = queue.withLock { $0.finishLateJobs() }
    }
  }
}
