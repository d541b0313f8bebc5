/// The state of a resource, as a source knows it.
struct ResourceReport<Resource: FollowedResource> {
  /// Nil leaves the resource of the last report.
  var resource: Resource?
  /// The time since the server last confirmed the resource.
  var age: Duration
  var failure: RefreshFailure?
  /// Nil means that of the options.
  var refreshInterval: Duration?
  /// Whether the source has lost its own connection, so that the resource is stale at once.
  var isCutOff: Bool
}
