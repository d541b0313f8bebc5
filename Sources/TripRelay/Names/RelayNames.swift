package import FleetEngineAPI

/// The names of the relay's streams, subjects, buckets and keys.
package enum RelayNames {
  /// The stream with the last state of each trip.
  package static let tripStream = "TRIPWIRE_TRIPS"
  package static let tripSubjects = "tripwire.v1.trips.>"
  /// The subject under which NATS publishes accepted messages again.
  package static let liveSubjects = "tripwire.v1.live.>"

  /// The wanted trips.
  package static let wants = Bucket(name: "TRIPWIRE_WANTS")
  /// The heartbeats of the workers.
  package static let workers = Bucket(name: "TRIPWIRE_WORKERS")
  /// How long the polls of a provider are delayed.
  package static let delays = Bucket(name: "TRIPWIRE_DELAYS")

  /// A key-value bucket.
  package struct Bucket: Sendable, Hashable {
    package let name: String

    package var stream: String { "KV_\(name)" }
    package var subjects: String { "$KV.\(name).>" }
    package func subject(_ key: String) -> String { "$KV.\(name).\(key)" }

    /// The key of a subject of this bucket.
    package func key(_ subject: String) -> Substring? {
      let prefix = "$KV.\(name)."
      return subject.hasPrefix(prefix) ? subject.dropFirst(prefix.count) : nil
    }
  }

  /// The key of a trip in a bucket: `{provider}.{trip}`.
  package static func key(_ name: TripName) -> String {
    NATSToken.encode(name.providerID) + "." + NATSToken.encode(name.tripID)
  }

  /// Returns nil for a key that is not a trip's.
  package static func trip(_ key: some StringProtocol) -> TripName? {
    let tokens = key.split(separator: ".", omittingEmptySubsequences: false)
    guard tokens.count == 2, let provider = NATSToken.decode(tokens[0]),
      let trip = NATSToken.decode(tokens[1])
    else { return nil }
    return try? TripName(providerID: provider, tripID: trip)
  }

  package static func tripSubject(_ key: String) -> String { "tripwire.v1.trips.\(key)" }
  package static func liveSubject(_ key: String) -> String { "tripwire.v1.live.\(key)" }
}
