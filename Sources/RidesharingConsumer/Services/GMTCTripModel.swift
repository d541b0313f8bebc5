public import Foundation
import Tripwire

/// Whether a trip is being followed.
public enum GMTCTripModelState: Int, Sendable {
  /// Not yet, or not any more.
  case inactive = 0
  /// The server is asked for it.
  case active = 1
}

/// A trip that is followed as long as somebody is registered. Made by ``GMTCTripService``.
///
/// The server is asked at once when the first subscriber is registered, and again and again until the
/// last is unregistered or gone, or the trip is over. All may be called on any thread, not only, as
/// the SDK demands, on the main one.
public final class GMTCTripModel: NSObject, Sendable {
  let model: TripModel
  private let ownOptions: GMTCMutableTripModelOptions
  private let whenGone: @Sendable (ObjectIdentifier) -> Void

  init(_ model: TripModel, whenGone: @escaping @Sendable (ObjectIdentifier) -> Void) {
    self.model = model
    self.whenGone = whenGone
    ownOptions = GMTCMutableTripModelOptions(.init()) { options in
      // Read in there: whoever comes last takes what was set last.
      model.updateOptions { $0.take(options.values) }
    }
  }

  deinit {
    whenGone(ObjectIdentifier(self))
  }

  /// `providers/{provider}/trips/{trip}`.
  public var tripName: String { model.tripName }

  public var state: GMTCTripModelState { GMTCTripModelState(model.state) }

  /// The trip as it was last received; nil until the first answer.
  public var currentTrip: GMTSTrip? { model.currentTrip.map(GMTSTrip.init) }

  /// How the trip is followed. One object for the life of the model: what is set there counts, and
  /// setting another copies what is in it.
  public var options: GMTCMutableTripModelOptions {
    get { ownOptions }
    set {
      let values = newValue.values
      ownOptions.change { $0 = values }
    }
  }

  /// Has a subscriber told on the main thread. It is held weakly. One that is registered again is told
  /// all that is known again.
  public func register(_ subscriber: any GMTCTripModelSubscriber) {
    let subscription = ModelSubscription(subscriber, self)
    model.subscribe(ObjectIdentifier(subscriber), on: .main) { subscription.tell($1) }
  }

  /// Tells a subscriber nothing more; when it was the last, the trip is not followed any more. May be
  /// called in its `deinit`: it is not retained.
  public func unregisterSubscriber(_ subscriber: any GMTCTripModelSubscriber) {
    model.unsubscribe(ObjectIdentifier(subscriber))
  }
}

extension GMTCTripModelState {
  init(_ state: TripModelState) {
    self = state == .active ? .active : .inactive
  }
}
