import WireGRPC
import WireIO
import WireTransport

// Connects, and replaces closed connections.

extension Dispatcher {
  func connect() {
    let deadline = ContinuousClock.now + context.connectTimeout
    switch context.dialedEndpoint {
    case .addresses(let addresses):
      connect(to: addresses, deadline: deadline)
    case .host(let host, let port):
      if let address = SocketAddress(numericHost: host, port: port) {
        connect(to: [address], deadline: deadline)
      } else {
        resolve(host, port, deadline: deadline)
      }
    }
  }

  private func resolve(_ host: String, _ port: UInt16, deadline: ContinuousClock.Instant) {
    context.trace(.resolving(host: host))
    let resolve = context.resolve
    // On the loop, so that the result does not cross threads.
    let task = Task(executorPreference: context.loop.taskExecutor) {
      do throws(ResolverError) {
        let addresses = try await resolve(host, port)
        await self.resolved(host, .success(addresses), deadline)
      } catch {
        await self.resolved(host, .failure(error), deadline)
      }
    }
    resolution = (task, context.loop.schedule(at: deadline) { task.cancel() })
  }

  private func resolved(
    _ host: String, _ result: Result<[SocketAddress], ResolverError>,
    _ deadline: ContinuousClock.Instant
  ) {
    resolution?.timer.cancel()
    resolution = nil
    guard !connectivity.isShutdown else { return }
    let peer = context.peer()
    switch result {
    case .success(let addresses):
      context.trace(.resolved(host: host, addresses: addresses.map(\.description)))
      lastAddresses = addresses
      connect(to: addresses, deadline: deadline)
    case .failure(let error) where error.kind == .canceled:
      let detail = "the name \(host) was not resolved within \(context.connectTimeout)"
      connectionFailed(ConnectionFailure(timedOutAt: peer, context.proxy, detail))
    case .failure(let error) where error.kind != .notFound && !lastAddresses.isEmpty:
      // The name server does not answer. The host may still have its last addresses.
      context.trace(.resolveFailed(host: host, reason: error.reason))
      connect(to: lastAddresses, deadline: deadline)
    case .failure(let error):
      connectionFailed(ConnectionFailure(resolving: error, at: peer, context.proxy))
    }
  }

  private func connect(to addresses: [SocketAddress], deadline: ContinuousClock.Instant) {
    let attempt = ConnectAttempt(addresses: addresses, context: context, deadline: deadline) {
      self.attempt = nil
      switch $0 {
      case .ready(let connection): self.connectionReady(connection)
      case .failed(let failure): self.connectionFailed(failure)
      }
    }
    self.attempt = attempt
    attempt.start()
  }

  private func connectionReady(_ connection: Connection) {
    connection.handler = { self.handle($1, of: $0) }
    connections.append(connection)
    if let keepalive { connection.watchPeer(keepalive) }
    connectivity.connectionReady()
    dispatch()
  }

  private func connectionFailed(_ failure: ConnectionFailure) {
    guard !connectivity.isReady else {
      growth.connectionFailed(now: .now, random: .random(in: 0..<1))
      dispatch()
      return
    }
    lastFailure = failure
    let error = CallError(failure)
    let retry = connectivity.connectionFailed(error, now: .now, random: .random(in: 0..<1))
    for call in queue.remove(where: { !$0.request.waitForReady || retry == nil }) {
      attemptFailed(call, error)
    }
    guard let retry else { return }
    backoffTimer = context.loop.schedule(at: retry) {
      if self.connectivity.backoffEnded(callsWait: !self.queue.isEmpty, now: .now) {
        self.connect()
      }
    }
  }

  private func handle(_ event: Connection.Event, of connection: Connection) {
    switch event {
    case .hasRoom:
      dispatch()
    case .callEnded(let call):
      callSucceeded(call)
    case .attemptFailed(let call, let error):
      attemptFailed(call, error)
    case .callsUnprocessed(let calls):
      requeue(calls)
    case .pingedTooOften:
      pingLess()
    case .draining:
      draining.append(connection)
      retire(connection)
    case .closed:
      draining.removeAll { $0 === connection }
      retire(connection)
      if isDone { submissions.wake() }
    case .connected, .ready:
      break
    }
  }

  /// Doubles the keepalive time of future connections (gRFC A8).
  private func pingLess() {
    guard var slower = keepalive else { return }
    slower.time = min(slower.time * 2, Timeout.longest)
    keepalive = slower
    context.trace(.keepaliveSlowed(to: slower.time))
  }

  /// Removes a connection that accepts no more calls, and replaces it if calls wait.
  private func retire(_ retired: Connection) {
    guard let index = connections.firstIndex(where: { $0 === retired }) else { return }
    connections.remove(at: index)
    guard connections.isEmpty else {
      if retired.wasUseful {
        growth.connectionServed()
      } else {
        growth.connectionFailed(now: .now, random: .random(in: 0..<1))
      }
      return
    }
    switch connectivity.connectionLost(
      callsWait: !queue.isEmpty, wasUseful: retired.wasUseful,
      isDialing: attempt != nil || resolution != nil, now: .now)
    {
    case .none: break
    case .connect: connect()
    case .fail:
      let goAwayReason = retired.goAwayReason.map { ": \($0)" } ?? ""
      connectionFailed(
        context.failure(
          .closed, at: retired.address,
          "the server closed the connection before any call\(goAwayReason)"))
    }
  }

  /// Opens another connection once calls have waited long enough.
  func considerGrowth() {
    guard growthTimer == nil, connections.count < growth.limit, attempt == nil, resolution == nil,
      connectivity.isReady, connections.allSatisfy(\.isFull)
    else { return }
    growthTimer = context.loop.schedule(at: growth.callsWait(now: .now)) {
      self.growthTimer = nil
      if self.queue.isEmpty || !self.connections.allSatisfy(\.isFull) {
        self.growth.callsAreServed()
      } else if self.growth.timerFired(now: .now) {
        self.connect()
      } else {
        self.considerGrowth()
      }
    }
  }
}
