import WireIO

/// The outcomes of one round of the loop, handed to their callers together.
///
/// Waking another thread costs more than all the rest of a small call. So when several calls end in
/// a round, one job on the concurrent pool resumes them all there, instead of the loop rousing
/// that pool for each. Callers whose tasks run on the loop are resumed where they are.
final class Deliveries {
  private struct Delivery: Sendable {
    var waiter: Waiter<CallOutcome>
    var outcome: CallOutcome
  }

  private let loop: EventLoop
  private var batch: [Delivery] = []

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func deliver(_ outcome: CallOutcome, to request: CallRequest) {
    guard !request.isFromLoop else {
      request.waiter.resume(returning: outcome)
      return
    }
    if batch.isEmpty { loop.atEndOfRound { [self] in send() } }
    batch.append(Delivery(waiter: request.waiter, outcome: outcome))
  }

  private func send() {
    let batch = batch
    self.batch = []
    if batch.count == 1 {
      batch[0].waiter.resume(returning: batch[0].outcome)
    } else {
      Task { for delivery in batch { delivery.waiter.resume(returning: delivery.outcome) } }
    }
  }
}
