/// A registered receiver of updates: a subscriber or a sequence.
final class ModelSubscription<Resource: FollowedResource>: Sendable {
  let id: ObjectIdentifier
  let pendingUpdate = PendingUpdate<Resource>()
  /// Makes the reader take the pending update. The model is retained while there are updates to read.
  private let wakeReader: @Sendable (ModelSubscription, ResourceModel<Resource>) -> Void

  /// - Parameter id: identifies an object that lives as long as the subscription, or ends it.
  init(
    _ id: ObjectIdentifier,
    wakeReader: @escaping @Sendable (ModelSubscription, ResourceModel<Resource>) -> Void
  ) {
    self.id = id
    self.wakeReader = wakeReader
  }

  func wake(_ model: ResourceModel<Resource>) {
    wakeReader(self, model)
  }
}

extension ModelSubscription {
  /// Creates a subscription whose updates are passed to a closure.
  ///
  /// - Parameters:
  ///   - executor: where `notify` is called. Its calls never overlap.
  ///   - notify: passes on an update, and returns whether its receiver still exists. Without an
  ///     update it only checks that.
  convenience init(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    notify: @escaping @Sendable (ResourceModel<Resource>, ResourceUpdate<Resource>?) -> Bool
  ) {
    self.init(id) { subscription, model in
      executor.run {
        var exists = notify(model, nil)
        while exists, let update = subscription.pendingUpdate.take() {
          exists = notify(model, update)
        }
        if !exists { model.remove(subscription) }
      } orDrop: {
        model.remove(subscription)
      }
    }
  }
}
