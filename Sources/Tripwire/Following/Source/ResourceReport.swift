/// The state of a resource, as a ``ResourceSource`` or a ``TripSource`` knows it.
///
/// A report with an unchanged resource means that the server confirmed the resource again, ``age`` ago. If no
/// report confirms the resource for three times the ``refreshInterval``, the model marks it as stale.
public struct ResourceReport<Resource: FollowedResource>: Sendable {
  /// The resource with everything that is known; nil keeps the resource of the last report.
  public var resource: Resource?
  /// The time since the server last confirmed ``resource``. Negative values count as zero.
  public var age: Duration
  /// Why the resource currently cannot be refreshed; nil if the last poll succeeded. While
  /// reports repeat a failure with the same code and origin, ``RefreshFailure/count`` must not
  /// decrease. A report with another code or origin begins a new failure.
  public var failure: RefreshFailure?
  /// The time between two responses without errors; nil means the interval in the options of the model.
  public var refreshInterval: Duration?
  /// Whether the source has lost its own connection, so that the resource is stale at once.
  public var isSourceDisconnected: Bool

  /// Creates a report. The defaults describe a resource that the server has just confirmed.
  public init(
    resource: Resource?, age: Duration = .zero, failure: RefreshFailure? = nil,
    refreshInterval: Duration? = nil, isSourceDisconnected: Bool = false
  ) {
    self.resource = resource
    self.age = age
    self.failure = failure
    self.refreshInterval = refreshInterval
    self.isSourceDisconnected = isSourceDisconnected
  }
}

/// The state of a trip, as a ``TripSource`` knows it.
public typealias TripReport = ResourceReport<Trip>

extension TripReport {
  /// The trip with everything that is known; nil keeps the trip of the last report.
  public var trip: Trip? {
    get { resource }
    set { resource = newValue }
  }

  /// Creates a report about a trip. The defaults describe a trip that the server has just confirmed.
  public init(
    trip: Trip?, age: Duration = .zero, failure: TripFailure? = nil,
    refreshInterval: Duration? = nil, isSourceDisconnected: Bool = false
  ) {
    self.init(
      resource: trip, age: age, failure: failure, refreshInterval: refreshInterval,
      isSourceDisconnected: isSourceDisconnected)
  }
}
