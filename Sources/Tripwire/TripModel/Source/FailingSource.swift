/// A source that has no trips: each fails with the same error.
struct FailingSource: TripSource {
  let error: CallError

  func follow(
    _ tripName: TripName, report: @escaping @Sendable (TripReport) -> Void
  ) -> @Sendable () -> Void {
    report(TripReport(trip: nil, failure: TripFailure(error: error)))
    return {}
  }
}
