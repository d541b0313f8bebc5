import WireIO

extension TripModel {
  /// Creates a model without a server: each poll fails with the error.
  package convenience init(tripName: String, failing error: CallError) {
    self.init(
      PolledResource(
        name: tripName, poller: poller, .server(ResourceFetch { _, _ in { .failure(error) } })))
  }
}

extension EventLoop {
  /// Shared by all models that have no channel with a loop. Nil if the system has no thread left.
  static let ofTrips = try? EventLoop.start(name: "trips")
}

private let poller = EventLoop.ofTrips.map { ResourcePoller<Trip>(loop: $0) }
