/// Runs tasks without an actor on an `EventLoop`, next to the actors that live there.
///
///     Task(executorPreference: loop.taskExecutor) { await connection.call() }
///
/// The task shares the thread of the loop's actors, so a call that waits for the network wakes no
/// other thread. Use it for tasks that compute little, because they block the loop meanwhile.
///
/// A separate type, because a type that is both `SerialExecutor` and `TaskExecutor` breaks
/// isolation (swiftlang/swift#85668).
package final class LoopTaskExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    unsafe loop.enqueue(.task(UnownedJob(job), asUnownedTaskExecutor()))
  }
}

/// A job in a loop's queue: part of a task, or a closure.
///
/// Safe because the runtime keeps a job, its task and the task's executor until the job has run,
/// and the queue runs each job once.
@safe enum LoopJob {
  /// A job of an actor of the loop.
  case actor(UnownedJob)
  /// A job of a task that prefers the loop.
  case task(UnownedJob, UnownedTaskExecutor)
  case closure(@Sendable () -> Void)

  func run(on loop: UnownedSerialExecutor) {
    switch self {
    case .actor(let job): unsafe job.runSynchronously(on: loop)
    case .task(let job, let executor): unsafe job.runSynchronously(on: executor)
    case .closure(let body): body()
    }
  }
}
