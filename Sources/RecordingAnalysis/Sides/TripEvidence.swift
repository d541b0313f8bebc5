package import Tripwire

/// The calls about a resource and its vehicle, as both sides recorded them. Times are in seconds since 1970,
/// by the clock of the server if it is known.
package struct TripEvidence {
  /// The end of a call.
  package struct Outcome: Equatable {
    /// Nil if the call was canceled or has no end.
    package var code: StatusCode?
    package var message = ""
    /// Whether the client generated the status.
    package var isLocal = false
    /// How long the client had to wait before a retry, in seconds.
    package var retryDelay: Double?

    package var isFailure: Bool { code.map { $0.named != .ok } ?? false }
    /// Whether the client got no status from the server.
    package var isUnanswered: Bool { isLocal || code == nil }
  }

  /// A call that gets the resource.
  package struct Poll {
    package var call: Int
    package var start: Double
    package var end: Double
    package var outcome = Outcome()
    /// The location in the resource after the call.
    package var location: LocationReport?
    /// Whether the resource then had a vehicle, or a shipment a location.
    package var hasVehicle = true
  }

  /// A call of the driver's app that has a location of the vehicle.
  package struct Update {
    package var call: Int
    /// When the call began. Google's logs have one time of a call.
    package var time: Double
    package var end: Double
    package var outcome = Outcome()
    package var sent: LocationReport
    /// The location in the response.
    package var accepted: LocationReport?
  }

  package var name = ""
  package var kind = ResourceKind.trip
  /// The calls of the client, in the order of their starts.
  package var polls: [Poll] = []
  /// The same calls of any client, as the server logged them.
  package var answers: [Poll] = []
  /// The calls of the client. Without its recording, the server's log has those that arrived.
  var clientCalls: [Poll] { polls.isEmpty ? answers : polls }
  /// The updates of the vehicle, in the order of their times.
  package var updates: [Update] = []
  /// The times of the driver's other calls, which have no location, in their order.
  package var emptyUpdates: [Double] = []
  package var hasClient = false
  /// Whether the calls are those of several clients at the same time.
  package var isOfSeveralClients = false
  package var hasServer = false
  /// When the first call about the resource began.
  package var start = 0.0
  /// When the client had the last state of the resource; otherwise when the server had it, or the last call about it
  /// ended.
  package var end = 0.0
}
