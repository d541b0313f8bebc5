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
  /// When the server last confirmed the resource.
  var updated: Double?
  /// The resource is stale when it was not confirmed for this many seconds.
  var staleAfter: Double?
  var failure: Failure?
  /// By how many seconds the times in the resource are earlier than they would be now: for a recording that
  /// is replayed.
  package var delay: Double?

  package init(
    _ resource: FleetResource?, updated: Double?, staleAfter: Double? = nil,
    failure: Failure? = nil
  ) {
    self.resource = resource
    self.updated = updated
    self.staleAfter = staleAfter
    self.failure = failure
  }
}

extension Timestamp {
  /// Seconds since 1970.
  package var inSeconds: Double { Double(seconds) + Double(nanos) / 1e9 }
}
