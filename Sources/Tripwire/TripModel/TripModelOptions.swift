/// How a trip is followed.
public struct TripModelOptions: Sendable, Hashable {
  /// How often the server is asked, as long as it answers: 5 seconds by default; less than 100
  /// milliseconds counts as 100, more than a day as a day.
  public var refreshInterval: Duration
  /// Sent with every request: who is asking.
  public var header: RequestHeader?
  /// Whether routes come as points, the default, or encoded, which is shorter.
  public var routeFormat: PolylineFormatType
  /// Which fields the server fills; unspecified is ``TripView/sdk``.
  public var view: TripView

  public static let defaultRefreshInterval = Duration.seconds(5)

  public init(
    refreshInterval: Duration = defaultRefreshInterval, header: RequestHeader? = nil,
    routeFormat: PolylineFormatType = .unknownFormatType, view: TripView = .unspecified
  ) {
    self.refreshInterval = refreshInterval
    self.header = header
    self.routeFormat = routeFormat
    self.view = view
  }
}
