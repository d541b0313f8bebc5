package import Tripwire
import WireProtobuf

/// The facts about a resource that the page shows beside the map. Times are in seconds since 1970.
package struct MapFacts: Sendable {
  package struct Failure: Sendable {
    /// "UNAVAILABLE".
    var code: String
    var message: String
    var since: Double?

    package init(code: String, message: String, since: Double?) {
      self.code = code
      self.message = message
      self.since = since
    }
  }

  /// Nil before the first response.
  var resource: FleetResource?
  /// When the server last confirmed the resource, as of this frame. A confirmation without a change makes no frame.
  var updated: Double?
  /// Whether three responses are overdue.
  var isStale: Bool
  package var failure: Failure?
  /// By how many seconds the times in the resource are earlier than they would be now: for a recording that
  /// is replayed.
  package var delay: Double?

  package init(
    _ resource: FleetResource?, updated: Double?, isStale: Bool = false,
    failure: Failure? = nil
  ) {
    self.resource = resource
    self.updated = updated
    self.isStale = isStale
    self.failure = failure
  }
}
