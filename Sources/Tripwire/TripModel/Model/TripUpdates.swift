import WireSystem

/// What becomes of a trip, update by update. A reader that is slow gets what changed since its last
/// update in one; the sequence ends when the trip is over.
///
/// Each loop over it is a subscriber of its own.
public struct TripUpdates: AsyncSequence, Sendable {
  public typealias Element = TripUpdate
  public typealias Failure = Never

  let model: TripModel

  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: Reading(model))
  }

  /// Ends its subscription when it is dropped.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: Reading

    /// Nil when the trip is over, or the task is cancelled.
    public mutating func next() async -> TripUpdate? {
      await reading.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> TripUpdate? {
      await reading.next()
    }
  }

  fileprivate final class Reading {
    private let model: TripModel
    private let subscription: TripSubscription
    private let bell = Bell()
    private var isOver = false

    init(_ model: TripModel) {
      self.model = model
      subscription = TripSubscription(ObjectIdentifier(bell)) { [bell] _, _ in bell.ring() }
      model.add(subscription)
    }

    deinit {
      model.remove(subscription)
    }

    func next() async -> TripUpdate? {
      while !isOver, !Task.isCancelled {
        if let update = subscription.mailbox.take() {
          isOver = update.state == .inactive
          return update
        }
        await bell.wait()
      }
      isOver = true
      model.remove(subscription)
      return nil
    }
  }
}

/// Lets one task wait until it rings, also when it rang before.
private final class Bell: Sendable {
  private enum State {
    case silent
    case rung
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let state = Locked(State.silent)

  func ring() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .awaited(let waiter) = state else {
        state = .rung
        return nil
      }
      state = .silent
      return waiter
    }
    waiter?.resume()
  }

  /// Returns when it rings, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let hasRung = state.withLock { state in
          guard case .silent = state else {
            state = .silent
            return true
          }
          state = .awaited(waiter)
          return false
        }
        if hasRung { waiter.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}

extension TripModel {
  /// What becomes of the trip. The first update comes at once, with all that is known.
  public var updates: TripUpdates { TripUpdates(model: self) }
}
