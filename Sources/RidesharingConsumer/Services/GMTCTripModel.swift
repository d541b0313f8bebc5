public import Foundation
public import Tripwire

/// Whether a trip is being followed: `inactive` (0) or `active` (1).
public typealias GMTCTripModelState = TripModelState

/// Follows a trip while it has subscribers. Created by ``GMTCTripService``.
///
/// The model polls the server at once when the first subscriber is registered, and then in each
/// interval, until the last is unregistered or released, or the trip is over. All members may be
/// used on any thread, while the SDK requires the main thread.
public final class GMTCTripModel: NSObject, Sendable {
  let model: TripModel
  private let ownOptions = GMTCMutableTripModelOptions()
  private let whenGone: @Sendable (ObjectIdentifier) -> Void

  init(_ model: TripModel, whenGone: @escaping @Sendable (ObjectIdentifier) -> Void) {
    self.model = model
    self.whenGone = whenGone
    super.init()
    ownOptions.observed.whenChanged { options in
      // Read inside, so that the last caller takes the last values.
      model.updateOptions { $0.take(options.value) }
    }
  }

  deinit {
    whenGone(ObjectIdentifier(self))
  }

  /// `providers/{provider}/trips/{trip}`.
  public var tripName: String { model.tripName }

  /// Whether the trip is being followed.
  public var state: GMTCTripModelState { model.state }

  /// The trip as it was last received; nil before the first response.
  public var currentTrip: GMTSTrip? { model.currentTrip.map(GMTSTrip.init) }

  /// The options for following the trip. Always the same object: changes to it take effect, and
  /// assigning another object copies its values.
  public var options: GMTCMutableTripModelOptions {
    get { ownOptions }
    set {
      let values = newValue.values
      ownOptions.observed.change { $0 = values }
    }
  }

  /// Registers a subscriber that is called on the main queue. The model holds it weakly. A
  /// subscriber that is registered again receives the whole state again.
  public func register(_ subscriber: any GMTCTripModelSubscriber) {
    let subscription = TripModelSubscription(subscriber, self)
    model.subscribe(ObjectIdentifier(subscriber), on: .main) { subscription.notify($1) }
  }

  /// Removes a subscriber. Without subscribers the trip is no longer followed. May be called in the
  /// subscriber's `deinit`: it is not retained.
  ///
  /// - Parameter subscriber: an object that was registered. It may be any object, because a class cannot use its
  ///   conformance to `@MainActor GMTCTripModelSubscriber` in its `deinit`.
  public func unregisterSubscriber(_ subscriber: AnyObject) {
    model.unsubscribe(ObjectIdentifier(subscriber))
  }
}
