public import WireGRPCClient

/// Options for following a resource.
public struct ResourceModelOptions<Resource: FollowedResource>: Sendable {
  /// The default time from one poll to the next: 5 seconds.
  public static var defaultRefreshInterval: Duration { .seconds(5) }

  /// The time from one poll to the next: 5 seconds by default, at least 100 milliseconds, at most a
  /// day.
  public var refreshInterval: Duration
  /// Identifies the caller; sent with every request.
  public var header: Resource.Header? {
    get { boxedHeader.value }
    set { boxedHeader = BoxedOptional(newValue) }
  }
  private var boxedHeader: BoxedOptional<Resource.Header>
  /// The fields and the format of the responses. Only trips have such options.
  public var requestOptions = Resource.RequestOptions()
  /// Options of each call, such as timeout, headers and limits. The retry policy is ignored, because the
  /// model decides when to try again.
  public var callOptions: CallOptions

  /// Creates options. See the properties for the defaults and the limits.
  public init(
    refreshInterval: Duration = defaultRefreshInterval, header: Resource.Header? = nil,
    callOptions: CallOptions = CallOptions()
  ) {
    self.refreshInterval = refreshInterval
    boxedHeader = BoxedOptional(header)
    self.callOptions = callOptions
  }
}
