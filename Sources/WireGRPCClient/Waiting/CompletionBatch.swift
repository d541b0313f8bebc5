import WireIO

/// Hands the results of one round of the loop to their callers together.
///
/// Waking another thread costs more than the rest of a small call. If a round resumes several
/// callers, one job on the concurrent pool resumes them all, instead of one wake-up each. Callers
/// whose tasks run on the loop are resumed at once.
final class CompletionBatch {
  private let loop: EventLoop
  private var completions: [(waiter: Waiter<CallOutcome>, outcome: CallOutcome)] = []
  private var wakers: [Waiter<Void>] = []

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func deliver(
    _ outcome: consuming CallOutcome, to waiter: Waiter<CallOutcome>, isOnLoop: Bool
  ) {
    guard !isOnLoop else {
      waiter.resume(returning: outcome)
      return
    }
    scheduleFlush()
    completions.append((waiter, outcome))
  }

  func wake(_ waker: CallExchange.Waker) {
    guard !waker.isOnLoop else {
      waker.waiter.resume()
      return
    }
    scheduleFlush()
    wakers.append(waker.waiter)
  }

  private func scheduleFlush() {
    if completions.isEmpty, wakers.isEmpty { loop.atEndOfRound { [self] in flush() } }
  }

  private func flush() {
    let (completions, wakers) = (completions, wakers)
    self.completions = []
    self.wakers = []
    @Sendable func resumeAll() {
      for completion in completions { completion.waiter.resume(returning: completion.outcome) }
      for waker in wakers { waker.resume() }
    }
    if completions.count + wakers.count == 1 { resumeAll() } else { Task { resumeAll() } }
  }
}
