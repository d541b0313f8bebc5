import Tripwire
import WireIO
import WireSystem

/// Heartbeats of the worker, and its figures.
extension RelayWorker {
  private static let longestCreation = Duration.seconds(10)

  var heartbeatSubject: String { RelayNames.workers.subject(NATSToken.encode(name)) }

  func heartbeat(_ now: ContinuousClock.Instant) -> Heartbeat {
    var heartbeat = Heartbeat(metrics.calls)
    heartbeat.phase = phase
    heartbeat.trips = ownership.ownedCount
    heartbeat.capacity = options.capacity
    heartbeat.threshold = ownership.threshold
    heartbeat.published = published
    let late = resources.values.compactMap { $0.model?.nextRefresh.map { now - $0 } }.max() ?? .zero
    heartbeat.lag = max(0, Int(late / .milliseconds(1)))
    return heartbeat
  }

  /// Sends the first heartbeat, and compares the clocks.
  func readClock() async throws(NATSError) {
    let deadline = ContinuousClock.now + Self.longestCreation
    var sent = WallTime.now
    while true {
      do throws(NATSError) {
        _ = try await stream.publish(heartbeatSubject, Array(heartbeat(.now).json.utf8))
        break
      } catch {
        // This node of a cluster does not know yet that the stream was created.
        guard error.kind == .noStream || error.kind == .timeout, .now < deadline,
          await client.loop.sleep(until: .now + .milliseconds(200))
        else { throw error }
        sent = WallTime.now
      }
    }
    let acknowledged = WallTime.now
    guard let stored = try await stream.last(heartbeatSubject, in: RelayNames.workers.stream)
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
        _ = try await stream.publish(heartbeatSubject, Array(heartbeat.json.utf8))
        if connectivity.isConnected { resume() }
        if problem?.kind != .full { problem = nil }
      } catch {
        if error.kind != .disconnected { show(error) }
      }
    }
  }
}
