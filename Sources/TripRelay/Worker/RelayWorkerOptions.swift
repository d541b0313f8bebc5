package import Tripwire

/// How a worker polls resources and shares them with others.
package struct RelayWorkerOptions: Sendable {
  /// The largest number of resources.
  package var capacity = 100_000
  /// The copies of each message that a cluster of NATS keeps: 1, 3 or 5.
  package var replicas = 1
  /// The number of partitions, one of ``StreamLayout/choices``; nil for that in NATS. It does not shrink.
  package var partitions: Int?
  package var trip = TripModelOptions()
  /// The time between two heartbeats. See ``lease``.
  var heartbeat = Duration.seconds(2)
  /// How long the worker polls without a connection to NATS.
  var disconnectionTimeout = Duration.seconds(60)
  /// Masks credentials in text.
  package var redact: @Sendable (String) -> String = { $0 }

  package init() {}

  /// A little less than three heartbeats, so that the next owner polls before three heartbeats and one interval.
  var lease: Duration { heartbeat * 11 / 4 }

  /// A poll without a change is published if the last published poll is older than this. Readers report a
  /// resource as stale three intervals after its last published poll, and the stream drops it after an hour.
  /// Therefore every other poll is published, or every poll if the interval is short, because messages take
  /// some time.
  var renewal: Duration {
    let interval = trip.refreshInterval
    return interval < .seconds(2) ? .zero : min(interval * 3 / 2, .seconds(1_800))
  }
}
