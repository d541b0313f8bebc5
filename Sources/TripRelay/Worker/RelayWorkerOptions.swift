package import Tripwire

/// How a worker polls trips and shares them with others.
package struct RelayWorkerOptions: Sendable {
  /// The largest number of trips.
  package var capacity = 100_000
  /// The copies of each message that a cluster of NATS keeps: 1, 3 or 5.
  package var replicas = 1
  package var trip = TripModelOptions()
  /// The time between two heartbeats. A worker without three of them counts as gone.
  package var heartbeat = Duration.seconds(2)
  /// How long the worker polls without a connection to NATS.
  package var patience = Duration.seconds(60)
  /// Masks credentials in text.
  package var redact: @Sendable (String) -> String = { $0 }

  package init() {}

  var lease: Duration { heartbeat * 3 }

  /// The time after which an unchanged state is published again. Readers call a trip stale after three
  /// intervals, and the stream forgets it after an hour.
  var renewal: Duration { min(trip.refreshInterval * 2, .seconds(1_800)) }
}
