import WireIO

extension TripModel {
  /// Creates a model without a server: each poll fails with the error.
  package convenience init(tripName: String, failing error: CallError) {
    self.init(tripName: tripName, poller: poller) { _, _ in { .failure(error) } }
  }
}

/// Shared by all such models, which have no channel with a loop. Nil if the system has no thread left.
private let poller = (try? EventLoop.start(name: "trips")).map { TripPoller(loop: $0) }
