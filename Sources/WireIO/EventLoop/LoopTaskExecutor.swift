/// Runs tasks that belong to no actor on an `EventLoop`, next to the actors that live there.
///
///     Task(executorPreference: loop.taskExecutor) { await connection.call() }
///
/// The task and the actors of the loop then share a thread, so a call that waits for the network
/// costs no wake-up of another thread on its way out and back. Give it to tasks that do little
/// themselves: while they compute, the loop stands still.
///
/// A type of its own because a type that is `SerialExecutor` and `TaskExecutor` at once breaks
/// isolation (swiftlang/swift#85668).
public final class LoopTaskExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    unsafe loop.enqueue(LoopJob(UnownedJob(job), for: asUnownedTaskExecutor()))
  }
}

/// A job in a loop's queue.
///
/// Safe because the runtime keeps a job, and with it its task and that task's executor, until the
/// job has been run, and the queue runs each once.
@safe struct LoopJob {
  private let job: UnownedJob
  /// Whom the job is for; `nil` for the loop's actors.
  private let taskExecutor: UnownedTaskExecutor?

  init(_ job: UnownedJob, for taskExecutor: UnownedTaskExecutor? = nil) {
    self.job = job
    unsafe self.taskExecutor = unsafe taskExecutor
  }

  func run(on loop: UnownedSerialExecutor) {
    if let taskExecutor = unsafe taskExecutor {
      unsafe job.runSynchronously(on: taskExecutor)
    } else {
      unsafe job.runSynchronously(on: loop)
    }
  }
}
