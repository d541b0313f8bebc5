/// The jobs of a loop, and the state of the loop.
///
/// Protected by the loop's lock. `append` returns the action to take after the lock is released, so
/// that a running loop is never woken, and a sleeping one is woken once for all jobs.
///
///     awake ⇄ asleep        until `stop`
///       └─> ended ⇄ late    after `finish`: a temporary thread runs late jobs
struct JobQueue<Job> {
  /// The action of the thread that appended a job.
  enum Action: Equatable {
    case nothing
    /// Wake the loop.
    case wake
    /// Start a thread that runs the late jobs.
    case runLateJobs
  }

  private enum Phase {
    /// The loop checks the queue before it sleeps.
    case awake
    /// The loop waits in poll(2), or is about to.
    case asleep
    /// The loop has ended, and no thread runs late jobs.
    case ended
    /// A thread runs late jobs. It checks the queue before it ends.
    case late
  }

  private var jobs: [Job] = []
  private var phase = Phase.awake
  private var isStopping = false

  var isEmpty: Bool { jobs.isEmpty }

  mutating func append(_ job: Job) -> Action {
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

  /// Swaps the jobs with an empty array, whose storage is reused.
  mutating func take(_ empty: inout [Job]) {
    swap(&jobs, &empty)
  }

  /// Called before the loop waits. Returns how long it may wait; `nil` to end the loop instead.
  mutating func prepareToWait(_ milliseconds: Int32) -> Int32? {
    if isStopping { return nil }
    guard jobs.isEmpty else { return 0 }
    if milliseconds != 0 { phase = .asleep }
    return milliseconds
  }

  /// Called after the loop has waited.
  mutating func wakeUp() {
    phase = .awake
  }

  /// Asks the loop to end. Called from any thread.
  mutating func stop() -> Action {
    isStopping = true
    guard phase == .asleep else { return .nothing }
    phase = .awake
    return .wake
  }

  /// Called last by the loop.
  mutating func finish() -> Action {
    phase = jobs.isEmpty ? .ended : .late
    return phase == .late ? .runLateJobs : .nothing
  }

  /// Returns whether the thread for late jobs may end.
  mutating func finishLateJobs() -> Bool {
    guard jobs.isEmpty else { return false }
    phase = .ended
    return true
  }
}
