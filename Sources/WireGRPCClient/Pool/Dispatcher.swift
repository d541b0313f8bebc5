import WireGRPC
import WireIO
import WireTransport

/// The part of the channel that runs on the loop. It takes calls from the submission queue, keeps
/// those that wait, makes connections and assigns each call to one.
///
/// The loop is this actor's executor. The sockets, nghttp2 and OpenSSL objects below it must not be
/// shared between threads, and are used here without locks.
actor Dispatcher {
  private let context: ConnectionContext
  private let submissions: SubmissionQueue
  private let calls: ActiveCalls
  private var connectivity: ConnectivityStateMachine
  private var queue = CallQueue()
  /// The connections that accept calls. A call goes to the first with capacity, so that additional
  /// connections become idle when the load falls.
  private var connections: [Connection] = []
  private var draining: [Connection] = []
  private var dial = Dial.none
  private var lastAddresses: [SocketAddress] = []
  private var lastFailure: ConnectionFailure?
  /// Runs from a failure to the next attempt.
  private var backoffTimer: LoopTimer?
  /// The keepalive of connections that become ready.
  private var keepalive: Keepalive?
  private var growth: ConnectionGrowth
  private var growthTimer: LoopTimer?
  private var closers: [Waiter<Void>] = []
  private var graceEnd: ContinuousClock.Instant?
  private var graceTimer: LoopTimer?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.loop.asUnownedSerialExecutor()
  }

  init(
    context: ConnectionContext, submissions: SubmissionQueue, failsFast: Bool,
    throttling: RetryThrottling?, maxConnections: Int
  ) {
    self.context = context
    self.submissions = submissions
    calls = ActiveCalls(context, throttling)
    keepalive = context.keepalive
    connectivity = ConnectivityStateMachine(failsFast: failsFast)
    growth = ConnectionGrowth(limit: maxConnections)
  }

  /// Serves the submission queue until the channel is closed or released, then stops its own loop.
  func run() async {
    while !isDone {
      await Waiter.wait { submissions.wait($0) }
      process(submissions.take())
    }
    process(submissions.take(closing: true))
    graceTimer?.cancel()
    if context.ownsLoop { context.loop.stop() }
    for closer in closers { closer.resume() }
  }

  private var isDone: Bool {
    connectivity.isShutdown && connections.isEmpty && draining.isEmpty && !dial.isActive
  }

  private func process(_ content: SubmissionQueue.Content) {
    let now = context.now
    for request in content.calls {
      let call = calls.begin(request, now: now) { self.expire($0) }
      if let call { enqueue(call, now: now) }
    }
    dispatch()
    for id in content.activeStreams {
      if let call = calls[id] { call.place?.calls.serve(call) }
    }
    for id in content.cancellations {
      if let call = calls[id] { cancel(call, now: now) }
    }
    if let end = content.graceEnd { graceEnd = graceEnd.map { min($0, end) } ?? end }
    if !content.closers.isEmpty {
      closers += content.closers
      shutDown()
    }
    if content.graceEnd != nil, connectivity.isShutdown { limitGrace() }
    if content.isAbandoned {
      shutDown()
      abort(ConnectivityStateMachine.closed)
    }
  }
}

// MARK: Calls

extension Dispatcher {
  /// Queues a call for a stream, after those that wait.
  private func enqueue(_ call: Call, now: ContinuousClock.Instant) {
    switch connectivity.callArrived(waitForReady: call.request.waitForReady, now: now) {
    case .fail(let error):
      attemptFailed(call, error)
    case .queue(let mustConnect):
      queue.append(call)
      if mustConnect { connect() }
    }
  }

  /// Queues calls that a connection did not send or its peer did not process, before all others.
  private func requeue(_ calls: [Call]) {
    var waiting: [Call] = []
    var mustConnect = false
    for call in calls {
      switch connectivity.callArrived(waitForReady: call.request.waitForReady, now: context.now) {
      case .fail(let error):
        attemptFailed(call, error)
      case .queue(let connect):
        waiting.append(call)
        mustConnect = mustConnect || connect
      }
    }
    queue.prepend(waiting)
    if mustConnect { connect() }
    dispatch()
  }

  private func dispatch() {
    if !queue.isEmpty {
      let now = context.now
      for connection in connections {
        while connection.hasCapacity, let call = queue.popFirst() {
          connection.start(call, now: now)
        }
      }
    }
    if !queue.isEmpty {
      considerGrowth()
    } else if growthTimer != nil {
      growth.callsAreServed()
    }
  }

  /// Ends a call whose attempt failed, or makes its next attempt later.
  private func attemptFailed(_ call: Call, _ error: CallError) {
    let isFinal =
      connectivity.failsFast && !context.retriesConnecting && error.connectionFailure != nil
    if isFinal || connectivity.isShutdown {
      calls.fail(call, error)
      return
    }
    calls.attemptFailed(call, error) {
      self.enqueue(call, now: self.context.now)
      self.dispatch()
    }
  }

  private func cancel(_ call: Call, now: ContinuousClock.Instant) {
    if let place = call.place {
      place.calls.cancel(call, now: now)
    } else if case .fail(let error, _) = call.withMachine({ $0.cancel(now: now) }) {
      finish(waiting: call, error)
    }
  }

  private func expire(_ call: Call) {
    if let place = call.place {
      place.calls.expire(call)
    } else {
      finish(waiting: call, call.isPausing ? call.expiredInPause() : expiredInQueue)
    }
  }

  private func finish(waiting call: Call, _ error: CallError) {
    let isQueued = !call.isPausing
    calls.fail(call, error)
    if isQueued { queue.callEnded() }
  }

  /// The error of a queued call whose deadline passed. It names what the call was waiting for.
  private var expiredInQueue: CallError {
    let peer = context.peer()
    let error = CallError.local(.deadlineExceeded, "the deadline passed while ")
    guard connections.isEmpty else {
      return error.adding("waiting for a free stream on \(peer)")
    }
    let detail = dial.progress ?? lastFailure?.detail ?? "its name was being resolved"
    var expired = error.adding("connecting to \(peer): \(detail)")
    expired.connectionFailure = ConnectionFailure(timedOutAt: peer, context.proxy, detail)
    return expired
  }
}

// MARK: Connections

extension Dispatcher {
  private func connect() {
    let deadline = context.now + context.connectTimeout
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
    context.trace?.report(.resolving(host: host))
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
    dial = .resolving(task, context.loop.schedule(at: deadline) { task.cancel() })
  }

  private func resolved(
    _ host: String, _ result: Result<[SocketAddress], ResolverError>,
    _ deadline: ContinuousClock.Instant
  ) {
    if case .resolving(_, let timer) = dial {
      timer.cancel()
      dial = .none
    }
    guard !connectivity.isShutdown else { return }
    switch result {
    case .success(let addresses):
      context.trace?.report(.resolved(host: host, addresses: addresses.map(\.description)))
      lastAddresses = addresses
      connect(to: addresses, deadline: deadline)
    case .failure(let error)
    where ![.canceled, .notFound].contains(error.kind) && !lastAddresses.isEmpty:
      // The name server does not answer. The host may still have its last addresses.
      context.trace?.report(.resolveFailed(host: host, reason: error.reason))
      connect(to: lastAddresses, deadline: deadline)
    case .failure(let error):
      connectionFailed(
        ConnectionFailure(
          resolving: error, at: context.peer(), context.proxy, limit: context.connectTimeout))
    }
  }

  private func connect(to addresses: [SocketAddress], deadline: ContinuousClock.Instant) {
    let attempt = ConnectAttempt(addresses: addresses, context: context, deadline: deadline) {
      self.dial = .none
      switch $0 {
      case .success(let connection): self.connectionReady(connection)
      case .failure(let failure): self.connectionFailed(failure)
      }
    }
    dial = .connecting(attempt)
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
      growth.connectionFailed(now: context.now, random: .random(in: 0..<1))
      dispatch()
      return
    }
    lastFailure = failure
    let error = CallError(failure)
    let retry = connectivity.connectionFailed(error, now: context.now, random: .random(in: 0..<1))
    for call in queue.remove(where: { !$0.request.waitForReady || retry == nil }) {
      attemptFailed(call, error)
    }
    guard let retry else { return }
    backoffTimer = context.loop.schedule(at: retry) {
      if self.connectivity.backoffEnded(callsWait: !self.queue.isEmpty, now: self.context.now) {
        self.connect()
      }
    }
  }

  private func handle(_ event: Connection.Event, of connection: Connection) {
    switch event {
    case .hasRoom:
      dispatch()
    case .callEnded(let call):
      calls.succeeded(call)
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
    case .reached, .ready:
      break
    }
  }

  /// Doubles the keepalive time of future connections (gRFC A8).
  private func pingLess() {
    guard var slower = keepalive else { return }
    slower.time = min(slower.time * 2, Timeout.longest)
    keepalive = slower
    context.trace?.report(.keepaliveSlowed(to: slower.time))
  }

  /// Removes a connection that accepts no more calls, and replaces it if calls wait.
  private func retire(_ retired: Connection) {
    guard let index = connections.firstIndex(where: { $0 === retired }) else { return }
    connections.remove(at: index)
    guard connections.isEmpty else {
      if retired.wasUseful {
        growth.connectionServed()
      } else {
        growth.connectionFailed(now: context.now, random: .random(in: 0..<1))
      }
      return
    }
    switch connectivity.connectionLost(
      callsWait: !queue.isEmpty, wasUseful: retired.wasUseful,
      isDialing: dial.isActive, now: context.now)
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
  private func considerGrowth() {
    guard growthTimer == nil, connections.count < growth.limit, !dial.isActive,
      connectivity.isReady, connections.allSatisfy(\.isFull)
    else { return }
    growthTimer = context.loop.schedule(at: growth.callsWait(now: context.now)) {
      self.growthTimer = nil
      if self.queue.isEmpty || !self.connections.allSatisfy(\.isFull) {
        self.growth.callsAreServed()
      } else if self.growth.timerFired(now: self.context.now) {
        self.connect()
      } else {
        self.considerGrowth()
      }
    }
  }
}

// MARK: The end

extension Dispatcher {
  private func shutDown() {
    connectivity.shutDown()
    dial.cancel()
    dial = .none
    for timer in [backoffTimer, growthTimer] { timer?.cancel() }
    for call in queue.remove(where: { _ in true }) + calls.pausing {
      calls.fail(call, ConnectivityStateMachine.closed)
    }
    for connection in connections { connection.leave() }
  }

  /// Schedules the cancellation of the remaining calls at the end of the grace period.
  private func limitGrace() {
    guard let graceEnd else { return }
    graceTimer?.cancel()
    graceTimer = context.loop.schedule(at: graceEnd) {
      self.abort(.local(.cancelled, "the channel was closed before the call ended"))
    }
  }

  private func abort(_ error: CallError) {
    for connection in draining { connection.abort(error) }
  }
}
