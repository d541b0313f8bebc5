import WireSystem

/// The figures of a worker for monitoring. Any thread may read them.
package final class WorkerMetrics: Sendable {
  private struct State {
    var heartbeat = Heartbeat()
    var isConnected = true
    var publishFailures = 0
  }

  private let counter: CallCounter
  private let state = Locked(State())

  package init(_ counter: CallCounter) {
    self.counter = counter
  }

  /// The calls of the worker.
  var calls: CallCounter.Counts { counter.counts }

  /// Takes the figures of a heartbeat.
  func update(_ heartbeat: Heartbeat) { state.withLock { $0.heartbeat = heartbeat } }

  /// Whether NATS is connected.
  var isConnected: Bool {
    get { state.withLock { $0.isConnected } }
    set { state.withLock { $0.isConnected = newValue } }
  }

  func countPublishFailure() { state.withLock { $0.publishFailures += 1 } }

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics in the text format of Prometheus
  /// (https://prometheus.io/docs/instrumenting/exposition_formats).
  package var text: String {
    let (state, counts) = (state.withLock { $0 }, counter.counts)
    let heartbeat = state.heartbeat
    let errors = counts.errors.sorted { $0.key < $1.key }.map {
      (label: "{code=\"\($0.key)\"}", value: "\($0.value)")
    }
    return Metric("resources", .gauge, "Trips and other resources that this worker polls.")
      .text(heartbeat.resources)
      + Metric(
        "capacity", .gauge, "Maximum number of resources that this worker polls (--capacity)."
      )
      .text(heartbeat.capacity)
      + Metric("polls_total", .counter, "Polls since the start.").text(counts.calls)
      + Metric("poll_errors_total", .counter, "Failed polls since the start, by gRPC status code.")
      .text(errors)
      + Metric("published_states_total", .counter, "States published in NATS since the start.")
      .text(heartbeat.published)
      + Metric(
        "publish_failures_total", .counter, "States that NATS did not accept since the start."
      ).text(state.publishFailures)
      + Metric("lag_seconds", .gauge, "Time by which the latest poll is late, in seconds.")
      .text([("", "\(Double(heartbeat.lag) / 1000)")])
      + Metric(
        "last_successful_poll_timestamp_seconds", .gauge,
        "Unix time of the last successful poll; 0 if none succeeded."
      ).text([("", "\(counts.lastSuccess)")])
      + Metric("nats_connected", .gauge, "1 if NATS is connected, 0 if not.")
      .text(state.isConnected ? 1 : 0)
  }
}

private struct Metric {
  enum Kind: String { case gauge, counter }

  let name: String
  let kind: Kind
  let help: String

  init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "tripwire_relay_" + name
    self.kind = kind
    self.help = help
  }

  func text(_ value: Int) -> String { text([("", "\(value)")]) }

  func text(_ samples: [(label: String, value: String)]) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
      + samples.map { "\(name)\($0.label) \($0.value)\n" }.joined()
  }
}
