/// The updates of a resource as a sequence, which ends when the resource is final or the ``FleetServices`` are
/// closed. A slow reader receives all changes since its last update in one update.
///
/// Each loop over the sequence is a separate reader.
public struct ResourceUpdates<Resource: FollowedResource>: AsyncSequence, Sendable {
  public typealias Element = ResourceUpdate<Resource>
  public typealias Failure = Never

  let model: ResourceModel<Resource>

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: UpdateReader(model))
  }

  /// Ends its subscription when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: UpdateReader<Resource>

    /// Returns nil when the resource is final, the services are closed or the task is canceled.
    public mutating func next() async -> ResourceUpdate<Resource>? {
      await reader.next()
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> ResourceUpdate<Resource>? {
      await reader.next()
    }
  }
}
