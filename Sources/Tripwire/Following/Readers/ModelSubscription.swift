/// A registered receiver of updates: a subscriber or a sequence.
final class ModelSubscription<Model: FollowingModel>: Sendable {
  let id: ObjectIdentifier
  let pendingUpdate = PendingUpdate<Model.Update>()
  /// Makes the reader take the pending update. The model is retained while there are updates to read.
  private let wakeReader: @Sendable (ModelSubscription, Model) -> Void

  /// - Parameter id: identifies an object that lives as long as the subscription, or ends it.
  init(
    _ id: ObjectIdentifier, wakeReader: @escaping @Sendable (ModelSubscription, Model) -> Void
  ) {
    self.id = id
    self.wakeReader = wakeReader
  }

  func wake(_ model: Model) {
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
    notify: @escaping @Sendable (Model, Model.Update?) -> Bool
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
