import WireIO

/// What one round of the loop brings to callers, handed to them together.
///
/// Waking another thread costs more than all the rest of a small call. So when several callers are to
/// be woken in a round, one job on the concurrent pool resumes them all there, instead of the loop
/// rousing that pool for each. Callers whose tasks run on the loop are resumed where they are.
final class Deliveries {
  private enum Delivery: Sendable {
    case outcome(CallOutcome, Waiter<CallOutcome>)
    case wake(Waiter<Void>)

    func hand() {
      switch self {
      case .outcome(let outcome, let waiter): waiter.resume(returning: outcome)
      case .wake(let waiter): waiter.resume()
      }
    }
  }

  private let loop: EventLoop
  private var batch: [Delivery] = []

  init(on loop: EventLoop) {
    self.loop = loop
  }

  func deliver(_ outcome: CallOutcome, to waiter: Waiter<CallOutcome>, isOnLoop: Bool) {
    add(.outcome(outcome, waiter), isOnLoop: isOnLoop)
  }

  func wake(_ sleeper: CallExchange.Sleeper) {
    add(.wake(sleeper.waiter), isOnLoop: sleeper.isOnLoop)
  }

  private func add(_ delivery: Delivery, isOnLoop: Bool) {
    guard !isOnLoop else {
      delivery.hand()
      return
    }
    if batch.isEmpty { loop.atEndOfRound { [self] in send() } }
    batch.append(delivery)
  }

  private func send() {
    let batch = batch
    self.batch = []
    if batch.count == 1 {
      batch[0].hand()
    } else {
      Task { for delivery in batch { delivery.hand() } }
    }
  }
}
