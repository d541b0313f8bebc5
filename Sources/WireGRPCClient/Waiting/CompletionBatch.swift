import WireIO

/// What one round of the loop brings to callers, handed to them together.
///
/// Waking another thread costs more than all the rest of a small call. So when several callers are to
/// be woken in a round, one job on the concurrent pool resumes them all there, instead of the loop
/// rousing that pool for each. Callers whose tasks run on the loop are resumed where they are.
final class CompletionBatch {
  private struct Delivery: Sendable {
    var waiter: Waiter<CallOutcome>
    var outcome: CallOutcome
  }

  private let loop: EventLoop
  private var outcomes: [Delivery] = []
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
    prepare()
    outcomes.append(Delivery(waiter: waiter, outcome: outcome))
  }

  func wake(_ waker: CallExchange.Waker) {
    guard !waker.isOnLoop else {
      waker.waiter.resume()
      return
    }
    prepare()
    wakers.append(waker.waiter)
  }

  private func prepare() {
    if outcomes.isEmpty, wakers.isEmpty { loop.atEndOfRound { [self] in send() } }
  }

  private func send() {
    let (outcomes, wakers) = (outcomes, wakers)
    self.outcomes = []
    self.wakers = []
    @Sendable func hand() {
      for delivery in outcomes { delivery.waiter.resume(returning: delivery.outcome) }
      for waker in wakers { waker.resume() }
    }
    if outcomes.count + wakers.count == 1 { hand() } else { Task { hand() } }
  }
}
