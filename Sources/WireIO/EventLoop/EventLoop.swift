import Synchronization
public import WireSystem

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
/// its own methods from them directly, or through `assumeIsolated`.
///
/// A continuation resumes outside the actor that awaits it and then comes back to it: let an actor's
/// method end with that await, so that the way back is not taken. With `taskExecutor` the way out is
/// not taken either.
public final class EventLoop: SerialExecutor, Sendable {
  /// What the loop is for, in messages.
  public let name: String

  private let queue = Locked(JobQueue<LoopJob>())
  /// The thread that `start` made, for `stop` to join.
  private let thread = Locked<Thread?>(nil)
  let wakeup: WakeupPipe
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
    _ = HeapSlack.isKept
    let loop = try EventLoop(name: name)
    let thread = try Thread(for: name) { loop.run() }
    loop.thread.withLock { $0 = thread }
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
      let timeout = state.millisecondsToNextTimer()
      guard let milliseconds = queue.withLock({ $0.prepareToWait(timeout) }) else { break }
      let ready = state.watches.wait(milliseconds: milliseconds)
      // Before the handlers: what they enqueue needs no bell.
      if milliseconds != 0 { queue.withLock { $0.wakeUp() } }
      state.watches.dispatch(ready)
      if state.timers.count > 0 { state.fireTimers(now: .now) }
    }
    bell.cancel()
    state.cancelAll()
    owner.store(0, ordering: .releasing)
    perform(queue.withLock { $0.finish() })
  }

  /// Ends the loop: watches and timers are cancelled, jobs already queued are run.
  ///
  /// Waits for the thread that `start` made, unless it is called on the loop itself. Safe to call
  /// again. Jobs that come later still run, one at a time, on a thread made for them, so no task
  /// is left hanging; watches and timers that come later never fire.
  public func stop() {
    perform(queue.withLock { $0.stop() })
    guard let thread = thread.withLock({ $0.take() }) else { return }
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

  /// For tasks that should run on this loop: `Task(executorPreference: loop.taskExecutor)`.
  public var taskExecutor: LoopTaskExecutor {
    LoopTaskExecutor(self)
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
    unsafe enqueue(LoopJob(UnownedJob(job)))
  }

  func enqueue(_ job: LoopJob) {
    perform(queue.withLock { $0.append(job) })
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
      queue.withLock { $0.take(&state.jobs) }
      if state.jobs.isEmpty { return }
      for job in state.jobs { unsafe job.run(on: executor) }
      state.jobs.removeAll(keepingCapacity: true)
    }
  }

  private func perform(_ duty: JobQueue<LoopJob>.Duty) {
    switch duty {
    case .nothing:
      break
    case .wake:
      wakeup.wake()
    case .runLateJobs:
      do {
        // Not on the caller's thread: it may hold a lock that the job needs.
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
