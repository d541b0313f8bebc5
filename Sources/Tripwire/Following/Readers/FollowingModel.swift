/// The requirements of a model for polling and notification.
protocol FollowingModel: AnyObject, Sendable {
  associatedtype Update: ModelUpdate
  associatedtype Options: FollowingOptions

  typealias Resource = Update.Resource

  static func request(forName name: String, _ options: Options) -> Resource.Request
  func add(_ subscription: ModelSubscription<Self>)
  func remove(_ subscription: ModelSubscription<Self>)
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
