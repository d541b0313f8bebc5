/// The state of a trip, as a ``TripSource`` knows it.
///
/// A trip that is reported again without a change confirms it: the trip is as old as ``age`` says. If
/// no report confirms it for three ``refreshInterval``s, the model marks the trip as stale.
public struct TripReport: Sendable {
  /// The trip with everything that is known; nil leaves the trip of the last report.
  public var trip: Trip?
  /// The time since the server last confirmed ``trip``. Negative values count as zero.
  public var age: Duration
  /// Why the trip currently cannot be refreshed; nil if the last response was a trip. Reports of one
  /// failure have the same code and origin, and a count that does not decrease.
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
