import Tripwire
import WireSystem

/// A subscriber of a trip, which retains the trip's model while it is followed.
///
/// `@unchecked Sendable`: the subscriber alone is not Sendable, and it is only read in
/// ``notify(_:)``, which runs on the main queue, where it was registered. A weak reference may be
/// released on any thread.
final class TripModelSubscription: @unchecked Sendable {
  private weak let subscriber: (any GMTCTripModelSubscriber)?
  private weak let model: GMTCTripModel?
  /// Retains the model, because nobody else may hold it. Nil after the trip is over, when the
  /// subscriber may not unregister anymore.
  private let followed: Locked<GMTCTripModel?>

  init(_ subscriber: any GMTCTripModelSubscriber, _ model: GMTCTripModel) {
    self.subscriber = subscriber
    self.model = model
    followed = Locked(model)
  }

  /// Returns whether the subscriber still exists; without an update it only checks that.
  func notify(_ update: TripUpdate?) -> Bool {
    guard let subscriber, let model else { return false }
    guard let update else { return true }
    followed.withLock { $0 = update.state == .active ? model : nil }
    subscriber.notify(update, of: model)
    return true
  }
}
