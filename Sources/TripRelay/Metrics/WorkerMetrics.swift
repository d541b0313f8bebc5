import WireSystem

/// The figures of a worker at its last heartbeat.
struct WorkerFigures: Sendable {
  var heartbeat = Heartbeat()
  var unownedRequests = 0
  var latePolls = 0
  var publications = PublicationCounts()
}

/// The figures of a worker for monitoring. Any thread may read them.
package final class WorkerMetrics: Sendable {
  private struct State {
    var figures = WorkerFigures()
    var isConnected = true
  }

  private let counter: CallCounter
  private let state = Locked(State())

  package init(_ counter: CallCounter) {
    self.counter = counter
  }

  /// The calls of the worker.
  var calls: CallCounter.Counts { counter.counts }

  func update(_ figures: WorkerFigures) { state.withLock { $0.figures = figures } }

  /// Whether NATS is connected.
  var isConnected: Bool {
    get { state.withLock { $0.isConnected } }
    set { state.withLock { $0.isConnected = newValue } }
  }

  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The metrics in the text format of Prometheus.
  package var text: String {
    let state = state.withLock { $0 }
    return Self.text(state.figures, counter.counts)
      + Self.relay("nats_connected", .gauge, "1 if NATS is connected, 0 if not.")
      .text(state.isConnected ? 1 : 0)
      + Self.text(ProcessUsage())
  }

  private static func text(_ figures: WorkerFigures, _ calls: CallCounter.Counts) -> String {
    let (heartbeat, publications) = (figures.heartbeat, figures.publications)
    let metrics = [
      relay("resources", .gauge, "Trips and other resources that this worker polls.")
        .text(heartbeat.resources),
      relay(
        "capacity", .gauge, "Maximum number of resources that this worker polls (--capacity)."
      ).text(heartbeat.capacity),
      relay(
        "unowned_requests", .gauge,
        "Requested resources that no worker polls, as far as this worker knows."
      ).text(figures.unownedRequests),
      relay("polls_total", .counter, "Polls since the start.").text(calls.calls),
      relay("poll_errors_total", .counter, "Failed polls since the start, by gRPC status code.")
        .text(
          calls.errors.sorted { $0.key < $1.key }.map {
            (suffix: "{code=\"\($0.key)\"}", value: "\($0.value)")
          }),
      relay(
        "late_polls_total", .counter,
        "Polls since the start that ended later than an interval, and a second, after they were due."
      ).text(figures.latePolls),
      relay("lag_seconds", .gauge, "Time by which the latest poll is late, in seconds.")
        .text(Double(heartbeat.lag) / 1000),
      relay(
        "last_successful_poll_timestamp_seconds", .gauge,
        "Unix time of the last successful poll; 0 if none succeeded."
      ).text(calls.lastSuccess),
      relay("published_states_total", .counter, "States published in NATS since the start.")
        .text(publications.stored),
      relay(
        "publish_failures_total", .counter, "States that NATS did not accept since the start."
      ).text(publications.refused),
      relay("pending_publications", .gauge, "States that NATS has not confirmed yet.")
        .text(publications.pending),
      relay(
        "publication_seconds", .histogram,
        "Time from the publication of a state until NATS confirmed that it is stored."
      ).text(publications.times),
    ]
    return metrics.joined()
  }

  /// The standard metrics of a process. Those that the system does not report are left out.
  private static func text(_ usage: ProcessUsage) -> String {
    let metrics = [
      ("resident_memory_bytes", "Resident memory size in bytes.", usage.residentMemory),
      ("open_fds", "Number of open file descriptors.", usage.openFiles),
      ("max_fds", "Maximum number of open file descriptors.", usage.openFileLimit),
    ]
    return metrics.map { name, help, value in
      value.map { Metric("process_" + name, .gauge, help).text($0) } ?? ""
    }.joined()
  }

  private static func relay(_ name: String, _ kind: Metric.Kind, _ help: String) -> Metric {
    Metric("tripwire_relay_" + name, kind, help)
  }
}
