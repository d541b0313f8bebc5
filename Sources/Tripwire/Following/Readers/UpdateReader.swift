/// Reads the updates of a model one by one. Ends its subscription when it is released.
final class UpdateReader<Resource: FollowedResource> {
  private let model: ResourceModel<Resource>
  private let subscription: ModelSubscription<Resource>
  private let signal = AsyncSignal()
  private var isOver = false

  init(_ model: ResourceModel<Resource>) {
    self.model = model
    subscription = ModelSubscription(ObjectIdentifier(signal)) { [signal] _, _ in signal.signal() }
    model.add(subscription)
  }

  deinit {
    model.remove(subscription)
  }

  /// Returns nil when the model is inactive or the task is canceled.
  func next() async -> ResourceUpdate<Resource>? {
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
