public import WireGRPCClient

/// Follows a trip. The loops over its updates end when the trip is complete or canceled.
public typealias TripModel = ResourceModel<Trip>

/// Options for following a trip.
public typealias TripModelOptions = ResourceModelOptions<Trip>

/// The updates of a trip as a sequence.
public typealias TripUpdates = ResourceUpdates<Trip>

/// The state of a followed trip, and the changes since the reader's last update.
public typealias TripUpdate = ResourceUpdate<Trip>

/// Whether a trip is being followed.
public typealias TripModelState = FollowingState

/// Why a trip currently cannot be refreshed.
public typealias TripFailure = RefreshFailure

extension TripModel {
  /// `providers/{provider}/trips/{trip}`.
  public var tripName: String { name }

  /// The trip as it was last received; nil before the first response.
  public var currentTrip: Trip? { current }
}

extension TripModelOptions {
  /// Requests routes as points, the default, or encoded, which is shorter.
  public var routeFormat: PolylineFormatType {
    get { requestOptions.routeFormat }
    set { requestOptions.routeFormat = newValue }
  }

  /// The fields that the server fills; unspecified means ``TripView/sdk``.
  public var view: TripView {
    get { requestOptions.view }
    set { requestOptions.view = newValue }
  }

  /// Creates options. See the properties for the defaults and the limits.
  public init(
    refreshInterval: Duration = defaultRefreshInterval, header: RequestHeader? = nil,
    routeFormat: PolylineFormatType = .unknownFormatType, view: TripView = .unspecified,
    callOptions: CallOptions = CallOptions()
  ) {
    self.init(refreshInterval: refreshInterval, header: header, callOptions: callOptions)
    requestOptions = TripRequestOptions(view: view, routeFormat: routeFormat)
  }
}

extension TripUpdate {
  /// The trip with everything that is known; nil before the first response.
  public var trip: Trip? { resource }

  /// Creates an update for previews and tests. The changes are computed against the reader's `last`
  /// update; nil if this is the first.
  public init(
    state: TripModelState = .active, trip: Trip?, failure: TripFailure? = nil,
    isStale: Bool = false, refreshed: ContinuousClock.Instant? = .now,
    since last: TripUpdate? = nil
  ) {
    self.init(
      state: state, resource: trip, failure: failure, isStale: isStale, refreshed: refreshed,
      since: last)
  }
}
