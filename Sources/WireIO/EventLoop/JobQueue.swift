/// The jobs that wait for a loop, and what the loop is doing meanwhile.
///
/// Lives under the loop's lock. Whoever appends learns what to do once the lock is free again, so
/// that a loop at work is never woken, and one asleep is woken once for all who come.
///
///     awake ⇄ asleep        until `stop`
///       └─> ended ⇄ late    after `finish`: a thread of its own for what comes late
struct JobQueue<Job> {
  /// What the one who appended a job does next.
  enum Duty: Equatable {
    case nothing
    /// End the loop's sleep.
    case wake
    /// Start a thread that runs the late jobs.
    case runLateJobs
  }

  private enum Phase {
    /// The loop will look at the queue before it sleeps.
    case awake
    /// The loop waits in poll(2), or is about to.
    case asleep
    /// There is no loop any more, nor a thread for late jobs.
    case ended
    /// A thread runs late jobs; it looks at the queue before it ends.
    case late
  }

  private var jobs: [Job] = []
  private var phase = Phase.awake
  private var isStopping = false

  mutating func append(_ job: Job) -> Duty {
    jobs.append(job)
    switch phase {
    case .awake, .late:
      return .nothing
    case .asleep:
      phase = .awake
      return .wake
    case .ended:
      phase = .late
      return .runLateJobs
    }
  }

  /// Exchanges the jobs for an empty array, whose storage is used again.
  mutating func take(_ empty: inout [Job]) {
    swap(&jobs, &empty)
  }

  /// Before the loop waits for up to `milliseconds`: how long it really may; `nil` to end instead.
  mutating func prepareToWait(_ milliseconds: Int32) -> Int32? {
    if isStopping { return nil }
    guard jobs.isEmpty else { return 0 }
    if milliseconds != 0 { phase = .asleep }
    return milliseconds
  }

  /// After the loop has waited.
  mutating func wakeUp() {
    phase = .awake
  }

  /// From any thread: the loop is to end soon.
  mutating func stop() -> Duty {
    isStopping = true
    guard phase == .asleep else { return .nothing }
    phase = .awake
    return .wake
  }

  /// The last act of the loop.
  mutating func finish() -> Duty {
    phase = jobs.isEmpty ? .ended : .late
    return phase == .late ? .runLateJobs : .nothing
  }

  /// Whether the thread for late jobs may end.
  mutating func finishLateJobs() -> Bool {
    guard jobs.isEmpty else { return false }
    phase = .ended
    return true
  }
}
