/// Receives the updates of a followed resource.
///
/// A slow subscriber misses intermediate states, but never the current one. The first update contains everything
/// that is known.
///
/// The model holds a subscriber weakly. A subscriber that is released need not be unregistered. The model
/// detects the release at the next update, or after a dozen polls without an update.
public protocol ResourceModelSubscriber<Resource>: AnyObject {
  /// The message type of the resource, such as `Vehicle`.
  associatedtype Resource: FollowedResource

  /// The resource, the state, the failure or the staleness of the model has changed.
  func resourceModel(
    _ model: ResourceModel<Resource>, didUpdate update: ResourceUpdate<Resource>)
}

extension ResourceModel {
  /// Registers a subscriber that is called on the main actor. The model holds it weakly. A subscriber that is
  /// registered again receives the whole state again.
  @MainActor public func register(_ subscriber: any ResourceModelSubscriber<Resource>) {
    add(subscriber, on: .main)
  }

  /// Registers a subscriber that is called on an executor. The model holds it weakly.
  public func register(
    _ subscriber: any ResourceModelSubscriber<Resource> & Sendable, on executor: CallbackExecutor
  ) {
    add(subscriber, on: executor)
  }

  /// Registers a subscriber that is called on the given actor, and therefore need not be Sendable:
  ///
  ///     actor Dispatcher {
  ///       private let board = Board()  // a class without any locks
  ///       func follow(_ model: TripModel) { model.register(board, on: self) }
  ///     }
  public func register(
    _ subscriber: any ResourceModelSubscriber<Resource>, on actor: isolated any Actor
  ) {
    add(subscriber, on: .actor(actor))
  }

  /// Removes a subscriber. A call that is running on another thread completes. Without subscribers and loops
  /// the resource is no longer followed. May be called in the subscriber's `deinit`: it is not retained.
  public func unregister(_ subscriber: AnyObject) {
    unsubscribe(ObjectIdentifier(subscriber))
  }

  private func add(
    _ subscriber: any ResourceModelSubscriber<Resource>, on executor: CallbackExecutor
  ) {
    let held = HeldSubscriber(subscriber)
    subscribe(ObjectIdentifier(subscriber), on: executor) { held.notify($0, $1) }
  }
}

/// A subscriber, which need not be Sendable.
///
/// `@unchecked Sendable`: the subscriber alone is not Sendable. This is created where the subscriber may be used, and
/// the executor calls it there. A weak reference may be released on any thread.
private final class HeldSubscriber<Resource: FollowedResource>: @unchecked Sendable {
  private weak let subscriber: (any ResourceModelSubscriber<Resource>)?

  init(_ subscriber: any ResourceModelSubscriber<Resource>) {
    self.subscriber = subscriber
  }

  /// Returns whether the subscriber still exists; without an update it only checks that.
  func notify(_ model: ResourceModel<Resource>, _ update: ResourceUpdate<Resource>?) -> Bool {
    guard let subscriber else { return false }
    if let update { subscriber.resourceModel(model, didUpdate: update) }
    return true
  }
}
