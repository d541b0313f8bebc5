/// The updates of a trip as a sequence, which ends when the trip is over. A slow reader receives
/// all changes since its last update in one update.
///
/// Each loop over the sequence is a separate subscriber.
public struct TripUpdates: AsyncSequence, Sendable {
  public typealias Element = TripUpdate
  public typealias Failure = Never

  let model: TripModel

  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: Reading(model))
  }

  /// Ends its subscription when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: Reading

    /// Returns nil when the trip is over or the task is canceled.
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
    private let signal = AsyncSignal()
    private var isOver = false

    init(_ model: TripModel) {
      self.model = model
      subscription = TripSubscription(ObjectIdentifier(signal)) { [signal] _, _ in signal.signal() }
      model.add(subscription)
    }

    deinit {
      model.remove(subscription)
    }

    func next() async -> TripUpdate? {
      while !isOver, !Task.isCancelled {
        if let update = subscription.pendingUpdate.take() {
          isOver = update.state == .inactive
          return update
        }
        await signal.wait()
      }
      isOver = true
      model.remove(subscription)
      return nil
    }
  }
}

extension TripModel {
  /// The updates of the trip. The first one comes at once and contains everything that is known.
  public var updates: TripUpdates { TripUpdates(model: self) }
}
