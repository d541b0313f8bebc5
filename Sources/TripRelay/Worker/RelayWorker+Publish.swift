import FleetEngineAPI
import RelayAPI
import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// The last state of a resource in the stream.
struct LastState: Sendable {
  let state: ResourceState
  let message: UInt64
  /// When NATS stored it, in seconds since 1970, by the server's clock.
  let time: Double

  /// When Fleet Engine confirmed the resource, by the server's clock.
  var confirmed: Double {
    guard let poll = state.pollTime?.secondsSince1970, let refresh = state.refreshTime else {
      return time
    }
    return time - max(0, poll - refresh.secondsSince1970)
  }

  var isOver: Bool { state.isFinal }
}

extension RelayWorker {
  private static let pauseAfterFailure = Duration.seconds(5)

  // MARK: Load

  /// Reads the last state of a resource, and then polls.
  func load(_ resource: SharedResource) {
    guard !resource.isLoading else { return }
    resource.phase = .loading
    resource.isLoading = true
    Task {
      do throws(NATSError) {
        let last = try await lastState(of: resource)
        resource.isLoading = false
        guard isCurrent(resource) else { return }
        adopt(last, for: resource)
        if last?.isOver == true {
          end(resource)
        } else {
          startPolling(resource, last)
        }
      } catch {
        resource.isLoading = false
        resource.retry = .now + .seconds(1)
        if error.kind != .disconnected { show(error) }
      }
    }
  }

  private func lastState(of resource: SharedResource) async throws(NATSError) -> LastState? {
    guard
      let last = try await stream.last(
        RelayNames.stateSubject(resource.name), in: RelayNames.stream(resource.name.kind))
    else { return nil }
    // A message that is not a state of the resource is replaced by the next one.
    let state = (try? ResourceState(serializedBytes: last.message.data)) ?? ResourceState()
    let isValid = state.name == resource.name.description && state.sequence < 1 << 63
    return LastState(
      state: isValid ? state : ResourceState(), message: last.sequence, time: last.time)
  }

  private func adopt(_ last: LastState?, for resource: SharedResource) {
    resource.lastMessage = last?.message ?? 0
    resource.isUncertain = false
    if let last {
      resource.sequence = max(resource.sequence, last.state.sequence)
      resource.published = last.state.resource.map { EncodedResource($0.message) }
    }
  }

  // MARK: Publish

  /// Publishes the present state of a resource, unless a message is on its way.
  func publish(_ resource: SharedResource) {
    guard resource.needsPublishing, resource.publication == nil, resource.model != nil,
      client.isConnected,
      resource.retry.map({ $0 <= .now }) ?? true
    else { return }
    if resource.isUncertain { return resolve(resource) }
    guard let streamTime = existingStreams.times[resource.name.kind],
      let new = resource.state(worker: name, streamTime: streamTime, options)
    else { return }
    resource.retry = nil
    resource.needsPublishing = false
    let id = beginPublication(of: resource)
    // A closure and not a task, because this is done for each update.
    stream.publish(
      RelayNames.stateSubject(resource.name), in: RelayNames.stream(resource.name.kind), new.bytes,
      after: resource.lastMessage
    ) {
      [key = resource.key, refreshed = resource.model?.refreshed] result in
      self.assumeIsolated { $0.publicationEnded(id, of: key, new, refreshed, result) }
    }
  }

  private func beginPublication(of resource: SharedResource) -> UInt64 {
    lastPublication += 1
    resource.publication = lastPublication
    return lastPublication
  }

  private func publicationEnded(
    _ id: UInt64, of key: String, _ new: NewState, _ refreshed: ContinuousClock.Instant?,
    _ result: Result<UInt64, NATSError>
  ) {
    if case .success = result { published += 1 }
    guard let resource = resources[key], resource.publication == id else { return }
    resource.publication = nil
    switch result {
    case .success(let message):
      resource.lastMessage = message
      resource.sequence = new.state.sequence
      resource.published = new.resource
      resource.publishedRefresh = refreshed
      resource.lacksStream = false
      if new.resource != nil { resource.isOversizeReported = false }
      if new.resource?.isFinal == true { return end(resource) }
      publish(resource)
    case .failure(let error):
      resource.needsPublishing = true
      failed(resource, error)
    }
  }

  private func failed(_ resource: SharedResource, _ error: NATSError) {
    if error.kind != .wrongLastSequence { metrics.countPublishFailure() }
    switch error.kind {
    case .wrongLastSequence:
      resolve(resource)
    case .noStream:
      existingStreams.forget()
      resource.retry = .now + .seconds(1)
      // A stream has no leader for a moment while copies are added.
      if resource.lacksStream { show(error) }
      resource.lacksStream = true
    case .disconnected, .timeout:
      resource.isUncertain = true
      if error.kind == .timeout { show(error) }
    case .tooLarge where resource.oversize == nil:
      resource.oversize = error
      // The next poll may return another size.
      if !resource.isOversizeReported {
        resource.isOversizeReported = true
        show(
          NATSError(
            .tooLarge, "\(resource.name) cannot be published: \(error.message)", hint: error.hint))
      }
      publish(resource)
      // The next poll may return a smaller one.
      resource.oversize = nil
    default:
      resource.retry = .now + Self.pauseAfterFailure
      show(error)
    }
  }

  /// Finds out who published the last message: this worker continues, or yields to another one.
  private func resolve(_ resource: SharedResource) {
    _ = beginPublication(of: resource)
    Task {
      do throws(NATSError) {
        let last = try await lastState(of: resource)
        resource.publication = nil
        guard isCurrent(resource), resource.model != nil else { return }
        let isOwn =
          last == nil || last?.state.worker == name || last?.message == resource.lastMessage
        if let last, !isOwn {
          adopt(last, for: resource)
          resource.stop(.yielding(until: .now + max(options.trip.refreshInterval, .seconds(1))))
          if last.isOver { end(resource) }
          return
        }
        if last == nil, resource.lastMessage != 0 { existingStreams.forget() }
        adopt(last, for: resource)
        resource.needsPublishing = true
        publish(resource)
      } catch {
        resource.publication = nil
        resource.isUncertain = true
        resource.retry = .now + .seconds(1)
      }
    }
  }
}
