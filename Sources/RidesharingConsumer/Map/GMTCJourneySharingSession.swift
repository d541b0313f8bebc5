public import Foundation
import Tripwire

/// An object that a map view shows.
public protocol GMTCMapViewSession: AnyObject, Sendable {}

/// A trip to be shown by a ``GMTCMapView``.
public final class GMTCJourneySharingSession: NSObject, GMTCMapViewSession {
  public let tripModel: GMTCTripModel

  public init(tripModel: GMTCTripModel) {
    self.tripModel = tripModel
  }
}

/// A session that a map view shows.
final class ShownSession: Sendable {
  let session: GMTCJourneySharingSession
  private weak let map: GMTCMapView?

  init(_ session: GMTCJourneySharingSession, on map: GMTCMapView) {
    self.session = session
    self.map = map
  }

  /// Follows the trip while it is shown.
  func follow() {
    session.tripModel.model.subscribe(ObjectIdentifier(self), on: .main) {
      [weak self] _, update in
      guard let self, let map = self.map else { return false }
      if let update, !update.changed.isEmpty { map.redraw(session) }
      return true
    }
  }

  deinit {
    session.tripModel.model.unsubscribe(ObjectIdentifier(self))
  }
}
