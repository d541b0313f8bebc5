public import WireGRPCClient

/// How a trip is followed.
public struct TripModelOptions: Sendable {
  /// How often the server is asked, as long as it answers: 5 seconds by default; less than 100
  /// milliseconds counts as 100, more than a day as a day.
  public var refreshInterval: Duration
  /// Sent with every request: who is asking.
  public var header: RequestHeader?
  /// Whether routes come as points, the default, or encoded, which is shorter.
  public var routeFormat: PolylineFormatType
  /// Which fields the server fills; unspecified is ``TripView/sdk``.
  public var view: TripView
  /// What each call is given beside: how long it may take (15 seconds by default), headers, limits.
  /// It is made once whatever the retry policy says: when to try again is for the model to decide.
  public var callOptions: CallOptions

  public static let defaultRefreshInterval = Duration.seconds(5)

  public init(
    refreshInterval: Duration = defaultRefreshInterval, header: RequestHeader? = nil,
    routeFormat: PolylineFormatType = .unknownFormatType, view: TripView = .unspecified,
    callOptions: CallOptions = CallOptions()
  ) {
    self.refreshInterval = refreshInterval
    self.header = header
    self.routeFormat = routeFormat
    self.view = view
    self.callOptions = callOptions
  }
}
