import WireSystem

/// Returns the processor time that `body` takes on the calling thread. Other threads and processes
/// do not count, so it can be compared on a busy machine.
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  let start = threadTime()
  try body()
  return threadTime() - start
}

private func threadTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
