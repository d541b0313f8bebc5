import Tripwire
import WireSystem

/// One who is told what becomes of a trip, and who keeps its model while it is followed.
///
/// `@unchecked Sendable`: the subscriber alone is not Sendable, and it is read only in ``tell(_:)``,
/// which runs on the main thread; there it was registered, or may be told. A weak reference may be
/// let go on any thread.
final class ModelSubscription: @unchecked Sendable {
  private weak let subscriber: (any GMTCTripModelSubscriber)?
  private weak let model: GMTCTripModel?
  /// The model again, as nobody else may hold it; not once the trip is over, when nobody may
  /// unregister any more.
  private let followed: Locked<GMTCTripModel?>

  init(_ subscriber: any GMTCTripModelSubscriber, _ model: GMTCTripModel) {
    self.subscriber = subscriber
    self.model = model
    followed = Locked(model)
  }

  /// Returns whether there is still somebody to tell; without an update that is all it does.
  func tell(_ update: TripUpdate?) -> Bool {
    guard let subscriber, let model else { return false }
    guard let update else { return true }
    followed.withLock { $0 = update.state == .active ? model : nil }
    subscriber.tell(update, of: model)
    return true
  }
}
