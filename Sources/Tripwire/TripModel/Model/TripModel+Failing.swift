extension TripModel {
  /// A model of a trip that there is nobody to ask for: each poll fails with the error.
  package convenience init(tripName: String, failing error: CallError) {
    let ticks = RefreshTicks(clock: ContinuousClock(), executor: globalConcurrentExecutor)
    self.init(tripName: tripName, ticks: ticks) { _, _ in { .failure(error) } }
  }
}
