/// The state of a trip, as a ``TripSource`` knows it.
///
/// A report with an unchanged trip confirms that the trip is as old as ``age``. If no report confirms the
/// trip for three times the ``refreshInterval``, the model marks it as stale.
public struct TripReport: Sendable {
  /// The trip with everything that is known; nil keeps the trip of the last report.
  public var trip: Trip?
  /// The time since the server last confirmed ``trip``. Negative values count as zero.
  public var age: Duration
  /// Why the trip currently cannot be refreshed; nil if the last poll succeeded. All reports of one
  /// failure must have the same code and origin, and counts that do not decrease.
  public var failure: TripFailure?
  /// The time between two responses without errors; nil means ``TripModelOptions/refreshInterval``.
  public var refreshInterval: Duration?
  /// Whether the source has lost its own connection, so that the trip is stale at once.
  public var isCutOff: Bool

  public init(
    trip: Trip?, age: Duration = .zero, failure: TripFailure? = nil,
    refreshInterval: Duration? = nil, isCutOff: Bool = false
  ) {
    self.trip = trip
    self.age = age
    self.failure = failure
    self.refreshInterval = refreshInterval
    self.isCutOff = isCutOff
  }
}

extension ResourceReport<Trip> {
  init(_ report: TripReport) {
    self.init(
      resource: report.trip, age: report.age, failure: report.failure,
      refreshInterval: report.refreshInterval, isCutOff: report.isCutOff)
  }
}
