public import WireGRPCClient

/// Options for following a trip.
public struct TripModelOptions: Sendable {
  /// The time from one poll to the next: 5 seconds by default, at least 100 milliseconds, at most a
  /// day.
  public var refreshInterval: Duration
  /// Identifies the caller; sent with every request.
  public var header: RequestHeader? {
    get { boxedHeader.value }
    set { boxedHeader = BoxedOptional(newValue) }
  }
  private var boxedHeader: BoxedOptional<RequestHeader>
  /// Requests routes as points, the default, or encoded, which is shorter.
  public var routeFormat: PolylineFormatType
  /// The fields that the server fills; unspecified means ``TripView/sdk``.
  public var view: TripView
  /// Options of each call, such as timeout (15 seconds by default), headers and limits. The retry
  /// policy is ignored, because the model decides when to try again.
  public var callOptions: CallOptions

  /// The default time from one poll to the next: 5 seconds.
  public static let defaultRefreshInterval = Duration.defaultRefreshInterval

  /// Creates options. See the properties for the defaults and the limits.
  public init(
    refreshInterval: Duration = defaultRefreshInterval, header: RequestHeader? = nil,
    routeFormat: PolylineFormatType = .unknownFormatType, view: TripView = .unspecified,
    callOptions: CallOptions = CallOptions()
  ) {
    self.refreshInterval = refreshInterval
    boxedHeader = BoxedOptional(header)
    self.routeFormat = routeFormat
    self.view = view
    self.callOptions = callOptions
  }
}

extension TripModelOptions: FollowingOptions {
  init() { self.init(refreshInterval: Self.defaultRefreshInterval) }
}
