import Tripwire

/// The connection to NATS, and what depends on it.
extension RelayWorker {
  func take(_ event: NATSConnection.Event) {
    switch event {
    case .disconnected:
      guard connectivity.isConnected else { return }
      connectivity.disconnected(at: .now)
      metrics.isConnected = false
      show(
        NATSError(
          .disconnected, "the connection to NATS at \(client.options.shownURL) was lost",
          hint: "check that NATS runs: the worker polls without it for"
            + " \(options.disconnectionTimeout.components.seconds) s"))
    case .reconnected:
      connectivity.reconnected()
      metrics.isConnected = true
      problems = problems.filter { $0.key.kind != .disconnected }
      existingStreams.forget()
      ownership.renewLeases(at: .now)
      resume()
      for resource in resources.values {
        resource.isUncertain = true
        resource.retry = nil
      }
      nextHeartbeat = .now
      Task { await recover() }
    case .closed(let error):
      if phase != .draining { fatal = error }
    case .error(let error): show(error)
    }
  }

  /// NATS may have lost everything while it was away.
  private func recover() async {
    await readStreamTime()
    guard client.isConnected else { return }
    for watch in buckets.watches { await watch.start() }
  }

  // MARK: Suspension

  /// Stops polling if NATS has been unreachable for longer than `options.disconnectionTimeout`.
  func suspendIfUnreachable(_ now: ContinuousClock.Instant) {
    guard let since = connectivity.unreachableSince(now),
      now - since > options.disconnectionTimeout,
      !connectivity.isSuspended
    else { return }
    connectivity.isSuspended = true
    show(
      NATSError(
        .disconnected,
        "polling stopped: NATS has been unreachable for \(options.disconnectionTimeout.components.seconds) s",
        hint: "check that NATS runs: polling continues when NATS is reachable again"))
    for resource in resources.values { resource.model?.suspend() }
  }

  /// NATS is connected, and stores heartbeats.
  func resume() {
    connectivity.heartbeatStored(at: .now)
    guard connectivity.isSuspended else { return }
    connectivity.isSuspended = false
    for resource in resources.values { resource.model?.resume() }
  }

  // MARK: Streams

  /// Creates the streams again if they were deleted. Published states name the present stream.
  func checkStreams(_ now: ContinuousClock.Instant) {
    guard existingStreams.isCheckDue(now) else { return }
    existingStreams.isBeingChecked = true
    Task {
      await readStreamTime()
      existingStreams.isBeingChecked = false
    }
  }

  private func readStreamTime() async {
    existingStreams.delayCheck()
    do throws(NATSError) {
      let times = try await stream.ensureStreams(replicas: options.replicas)
      guard times != existingStreams.times else { return }
      existingStreams.found(times)
      // The states in a new stream have to name it.
      for resource in resources.values where resource.model != nil {
        resource.needsPublishing = true
      }
    } catch {
      existingStreams.retryCheck()
      if error.kind != .disconnected { show(error) }
    }
  }
}
