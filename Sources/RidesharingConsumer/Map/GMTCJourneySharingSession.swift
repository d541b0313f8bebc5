public import Foundation
import JourneySharing
import Tripwire
import WireSystem

/// An object that a map view shows.
public protocol GMTCMapViewSession: AnyObject, Sendable {}

/// A trip to be shown by a ``GMTCMapView``.
public final class GMTCJourneySharingSession: NSObject, GMTCMapViewSession {
  /// The model of the trip that the session shows.
  public let tripModel: GMTCTripModel

  /// Creates a session that shows the trip of a model.
  public init(tripModel: GMTCTripModel) {
    self.tripModel = tripModel
  }
}

/// A session that a map view shows.
final class ShownSession: Sendable {
  let session: GMTCJourneySharingSession
  private weak let map: GMTCMapView?
  private let drawn = Locked<(trip: Trip, style: JourneyStyle, journey: Journey)?>(nil)

  init(_ session: GMTCJourneySharingSession, on map: GMTCMapView) {
    self.session = session
    self.map = map
  }

  /// Follows the trip while it is shown.
  func follow() {
    session.tripModel.model.subscribe(ObjectIdentifier(self), on: .main) {
      [weak self] _, update in
      guard let self, let map = self.map else { return false }
      if let update, !update.changed.isEmpty { map.redraw(self) }
      return true
    }
  }

  /// The trip's journey, which is computed again only when the trip or the style has changed.
  func journey(_ style: JourneyStyle) -> Journey? {
    guard let trip = session.tripModel.model.currentTrip else { return nil }
    return drawn.withLock { drawn in
      if let drawn, drawn.trip == trip, drawn.style == style { return drawn.journey }
      let journey = Journey(trip, style: style)
      drawn = (trip, style, journey)
      return journey
    }
  }

  deinit {
    session.tripModel.model.unsubscribe(ObjectIdentifier(self))
  }
}
