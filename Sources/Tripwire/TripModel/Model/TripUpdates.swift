/// The updates of a trip as a sequence, which ends when the trip is over or the ``FleetServices`` are closed. A
/// slow reader receives all changes since its last update in one update.
///
/// Each loop over the sequence is a separate subscriber.
public struct TripUpdates: AsyncSequence, Sendable {
  public typealias Element = TripUpdate
  public typealias Failure = Never

  let model: TripModel

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: UpdateReader(model))
  }

  /// Ends its subscription when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: UpdateReader<TripModel>

    /// Returns nil when the trip is over, the services are closed or the task is canceled.
    public mutating func next() async -> TripUpdate? {
      await reader.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> TripUpdate? {
      await reader.next()
    }
  }
}

extension TripModel {
  /// The updates of the trip. The first one comes at once and contains everything that is known.
  public var updates: TripUpdates { TripUpdates(model: self) }
}
