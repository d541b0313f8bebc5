package import Tripwire

/// The properties that the selected calls of a recording have in common.
package struct CallCriteria: Sendable {
  /// Whether only calls are selected whose status is not OK, or which have no end.
  package var isErrors = false
  /// The selected statuses; empty for all.
  package var statuses: Set<StatusCode> = []
  /// The end of a path: "GetTrip", "TripService/GetTrip".
  package var method: String?
  /// Whole names, or IDs.
  package var resources: [String] = []
  package var since: LogMoment?
  package var until: LogMoment?
  /// The shortest latency.
  package var slow: Duration?

  package init() {}

  /// Whether there is any criterion.
  package var isGiven: Bool {
    choosesCalls || since != nil || until != nil
  }

  /// Whether there is any criterion besides the times.
  package var choosesCalls: Bool {
    isErrors || !statuses.isEmpty || method != nil || !resources.isEmpty || slow != nil
  }
}
