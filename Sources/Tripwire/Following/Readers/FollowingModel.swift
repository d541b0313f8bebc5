/// The requirements of a model for polling and notification.
protocol FollowingModel: AnyObject, Sendable {
  associatedtype Update: ModelUpdate
  associatedtype Options: FollowingOptions

  typealias Resource = Update.Resource

  var resource: PolledResource<Self> { get }

  /// - Parameter whenGone: called in `deinit`.
  init(
    _ resource: PolledResource<Self>, whenGone: @escaping @Sendable (ObjectIdentifier) -> Void)

  static func request(forName name: String, _ options: Options) -> Resource.Request
}

extension FollowingModel {
  func add(_ subscription: ModelSubscription<Self>) {
    resource.add(subscription, of: self)
  }

  /// Removes this subscription, but not another one of the same subscriber.
  func remove(_ subscription: ModelSubscription<Self>) {
    resource.remove { $0 === subscription }
  }

  /// Subscribes an object that `notify` holds weakly.
  ///
  /// - Parameter notify: passes on an update, and returns whether the subscriber still exists. Without
  ///   an update it only checks that. It is called on the executor only, so it need not be Sendable.
  func add(
    _ subscriber: AnyObject, on executor: CallbackExecutor,
    notify: @escaping (Self, Update?) -> Bool
  ) {
    let notify = SubscriberCallback(call: notify)
    add(
      ModelSubscription(ObjectIdentifier(subscriber), on: executor) { model, update in
        notify.call(model, update)
      })
  }
}

/// Notifies a subscriber that need not be Sendable.
///
/// `@unchecked Sendable`: the subscriber alone is not Sendable. The closure is created where the subscriber may
/// be used, and the executor calls it there. A weak reference may be released on any thread.
private struct SubscriberCallback<Model: FollowingModel>: @unchecked Sendable {
  let call: (Model, Model.Update?) -> Bool
}

/// The options of a model.
protocol FollowingOptions: Sendable {
  init()
  var refreshInterval: Duration { get }
  var callOptions: CallOptions { get }
}

extension Duration {
  /// The time between polls if the app sets none.
  static var defaultRefreshInterval: Duration { .seconds(5) }
}

/// An update for the readers of a model.
protocol ModelUpdate: Sendable {
  associatedtype Resource: FollowedResource

  /// - Parameter last: the snapshot that the reader knows; nil if none.
  init(_ snapshot: ResourceSnapshot<Resource>, since last: ResourceSnapshot<Resource>?)
  var state: FollowingState { get }
  /// Whether the update contains anything that the reader does not know.
  var isNews: Bool { get }
}
