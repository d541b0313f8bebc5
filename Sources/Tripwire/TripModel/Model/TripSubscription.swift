/// One who is told what happens to a trip: a subscriber or a sequence of updates.
final class TripSubscription: Sendable {
  let id: ObjectIdentifier
  let mailbox = UpdateMailbox()
  /// Has the reader look into the mailbox. The model lives as long as there is something to tell.
  private let wakeReader: @Sendable (TripSubscription, TripModel) -> Void

  /// - Parameter id: of an object that lives as long as the subscription, or ends it.
  init(
    _ id: ObjectIdentifier, wakeReader: @escaping @Sendable (TripSubscription, TripModel) -> Void
  ) {
    self.id = id
    self.wakeReader = wakeReader
  }

  func wake(_ model: TripModel) {
    wakeReader(self, model)
  }
}

extension TripSubscription {
  /// A subscription whose news are told in calls.
  ///
  /// - Parameters:
  ///   - executor: where `tell` is called, one call after another.
  ///   - tell: returns whether there is still somebody to tell; without an update that is all it does.
  convenience init(
    _ id: ObjectIdentifier, on executor: CallbackExecutor,
    tell: @escaping @Sendable (TripModel, TripUpdate?) -> Bool
  ) {
    self.init(id) { subscription, model in
      executor.run {
        var isThere = tell(model, nil)
        while isThere, let update = subscription.mailbox.take() { isThere = tell(model, update) }
        if !isThere { model.remove(subscription) }
      } orDrop: {
        model.remove(subscription)
      }
    }
  }
}
