import Tripwire
import WireIO
import WireSystem

/// Heartbeats of the worker, and its figures.
extension RelayWorker {
  var heartbeatSubject: String { RelayNames.workers.subject(NATSToken.encode(name)) }

  func heartbeat(_ now: ContinuousClock.Instant) -> Heartbeat {
    var heartbeat = Heartbeat(metrics.calls)
    heartbeat.phase = phase
    heartbeat.resources = ownership.ownedCount
    heartbeat.capacity = options.capacity
    heartbeat.threshold = ownership.threshold
    heartbeat.published = published
    let late = resources.values.compactMap { $0.model?.nextRefresh.map { now - $0 } }.max() ?? .zero
    heartbeat.lag = max(0, Int(late / .milliseconds(1)))
    return heartbeat
  }

  /// Sends the first heartbeat, and compares the clocks.
  func readClock() async throws(NATSError) {
    let heartbeat = heartbeat(.now)
    try await stream.retrying { () async throws(NATSError) in try await publish(heartbeat) }
  }

  /// Publishes a heartbeat, and compares the clock with that of the node that leads the bucket, which may be
  /// another one since the last heartbeat.
  private func publish(_ heartbeat: Heartbeat) async throws(NATSError) {
    let sent = WallTime.now
    let sequence = try await stream.publish(
      heartbeatSubject, in: RelayNames.workers.stream, Array(heartbeat.json.utf8))
    let acknowledged = WallTime.now
    if connectivity.isConnected { resume() }
    guard let stored = try await stream.last(heartbeatSubject, in: RelayNames.workers.stream),
      stored.sequence == sequence
    else { return }
    clock.learn(stored: stored.time, sent: sent, acknowledged: acknowledged)
  }

  /// Passes the figures to the metrics, and to the other workers if NATS is connected.
  func sendHeartbeat(_ now: ContinuousClock.Instant) {
    let heartbeat = heartbeat(now)
    metrics.update(heartbeat)
    guard connectivity.isConnected else { return }
    Task {
      do throws(NATSError) {
        try await publish(heartbeat)
      } catch {
        if error.kind != .disconnected { show(error) }
      }
    }
  }
}
