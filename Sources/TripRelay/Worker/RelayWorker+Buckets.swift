import FleetEngineAPI
import Tripwire
import WireGRPC
import WireIO
import WireSystem

/// The poll requests, the other workers, and the delays of providers.
extension RelayWorker {
  private static let longestDelay = Duration.seconds(600)

  func watch() async {
    buckets.watches = BucketReader.buckets.map { bucket in
      StreamWatch(stream, bucket.stream, subject: bucket.subjects) {
        [weak self, loop = client.loop] event in
        guard let self else { return }
        loop.execute { self.assumeIsolated { $0.take(event, of: bucket) } }
      }
    }
    for watch in buckets.watches { await watch.start() }
  }

  private func take(_ event: StreamWatch.Event, of bucket: RelayNames.Bucket) {
    switch event {
    case .begin: buckets.begin(bucket)
    case .loaded:
      if let requests = buckets.end(bucket) {
        ownership.keepRequests(requests)
        scheduleSettling()
      }
    case .failed(let error):
      if error.kind != .disconnected { show(error) }
    case .message(let delivery):
      guard let key = bucket.key(delivery.message.subject) else { return }
      let isRemoved = delivery.message.headers["KV-Operation"] != nil
      switch bucket {
      case RelayNames.pollRequests: takeRequest(String(key), delivery, isRemoved)
      case RelayNames.workers: takeHeartbeat(key, delivery, isRemoved)
      default: takeDelay(key, delivery)
      }
      scheduleSettling()
    }
  }

  // MARK: Poll requests

  private func takeRequest(_ key: String, _ delivery: StreamWatch.Delivery, _ isRemoved: Bool) {
    guard !isRemoved, let value = EntryLifetime(delivery.message.data) else {
      return ownership.removeRequest(key)
    }
    // Other keys, such as one with a wildcard, are left alone.
    guard ownership.hasRequest(key) || RelayNames.name(key) != nil else { return }
    buckets.found(request: key)
    ownership.addRequest(
      key, until: value.end(storedAt: delivery.time).map { clock.instant(of: $0) })
  }

  /// Removes a poll request from its bucket, unless it was renewed.
  func removeRequest(_ key: String, ifExpired: Bool) async {
    let subject = RelayNames.pollRequests.subject(key)
    do throws(NATSError) {
      guard let last = try await stream.last(subject, in: RelayNames.pollRequests.stream) else {
        return
      }
      if ifExpired, let value = EntryLifetime(last.message.data) {
        guard let end = value.end(storedAt: last.time), end <= clock.now else { return }
      }
      // The other workers are notified of the removal before it is purged.
      let removal = try await stream.publish(
        subject, in: RelayNames.pollRequests.stream, [], headers: ["KV-Operation": "DEL"],
        after: last.sequence)
      try await stream.purge(subject, in: RelayNames.pollRequests.stream, through: removal)
    } catch {
      switch error.kind {
      case .wrongLastSequence, .disconnected: break
      default: show(error)
      }
    }
  }

  // MARK: Workers

  private func takeHeartbeat(
    _ key: Substring, _ delivery: StreamWatch.Delivery, _ isRemoved: Bool
  ) {
    guard let worker = NATSToken.decode(key), worker != name else { return }
    guard !isRemoved, let heartbeat = Heartbeat(delivery.message.data), heartbeat.phase == .working
    else { return ownership.remove(worker) }
    let sent = min(clock.instant(of: delivery.time), .now)
    guard .now - sent <= options.lease else { return }
    ownership.heartbeat(of: worker, threshold: heartbeat.threshold, at: sent)
  }

  // MARK: Delays

  private func takeDelay(_ key: Substring, _ delivery: StreamWatch.Delivery) {
    guard let provider = NATSToken.decode(key),
      case .lasting(let duration)? = EntryLifetime(delivery.message.data)
    else { return }
    let end = clock.instant(of: delivery.time) + min(duration, Self.longestDelay)
    if delays.delay(provider, until: end) { delayPolls(of: provider, until: end) }
  }

  /// Notifies all workers that the server asks to delay the polls of a provider.
  func shareDelay(_ failure: RefreshFailure, _ resource: SharedResource) {
    guard failure.error.code == .resourceExhausted, failure.error.origin == .server else { return }
    var delay = Duration.zero
    for case .retryInfo(let info) in failure.error.details {
      delay = max(delay, info.retryDelay?.duration ?? .zero)
    }
    delay = min(delay, Self.longestDelay)
    let (now, provider) = (ContinuousClock.now, resource.name.providerID)
    let known = delays.end(of: provider, at: now).map { $0 - now } ?? .zero
    guard delay > known * 1.2, delays.delay(provider, until: now + delay, at: now) else { return }
    let subject = RelayNames.delays.subject(NATSToken.encode(provider))
    let value = Array(EntryLifetime.lasting(delay).json.utf8)
    Task { _ = try? await stream.publish(subject, in: RelayNames.delays.stream, value) }
    delayPolls(of: provider, until: now + delay)
  }

  private func delayPolls(of provider: String, until end: ContinuousClock.Instant) {
    for resource in resources.values where resource.name.providerID == provider {
      resource.model?.delayPoll(until: end + .seconds(Double.random(in: 0..<1)))
    }
  }
}
