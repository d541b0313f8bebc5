package import Tripwire

/// How a worker polls resources and shares them with others.
package struct RelayWorkerOptions: Sendable {
  /// The largest number of resources.
  package var capacity = 100_000
  /// The copies of each message that a cluster of NATS keeps: 1, 3 or 5.
  package var replicas = 1
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

  /// The time after which an unchanged state is published again. Readers call a resource stale after three
  /// intervals, and the stream forgets it after an hour.
  var renewal: Duration { min(trip.refreshInterval * 2, .seconds(1_800)) }
}
