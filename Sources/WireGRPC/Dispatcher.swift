import WireIO

/// The channel's side that lives on the loop: takes calls out of the inbox, keeps those that wait,
/// makes connections and gives each call to one.
///
/// The loop is this actor's executor, so the sockets, nghttp2 and OpenSSL below it, none of which
/// may be shared between threads, are reached without locks.
actor Dispatcher {
  private let context: ConnectionContext
  private let inbox: Inbox
  private var connectivity: ConnectivityStateMachine
  private var queue = CallQueue()
  /// Calls that are not over, by id: for those that cancel.
  private var calls: [UInt64: Call] = [:]
  /// Where calls are sent.
  private var connection: Connection?
  /// Those that only wait for their last calls.
  private var leaving: [Connection] = []
  private var attempt: ConnectAttempt?
  private var resolution: (task: Task<Void, Never>, timer: LoopTimer)?
  /// Why the last attempt to connect failed.
  private var lastFailure: ConnectionFailure?
  private var closers: [Waiter<Void>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.loop.asUnownedSerialExecutor()
  }

  init(context: ConnectionContext, inbox: Inbox, failsFast: Bool) {
    self.context = context
    self.inbox = inbox
    connectivity = ConnectivityStateMachine(failsFast: failsFast)
  }

  /// Serves the inbox until the channel is closed or dropped; then ends the loop.
  func run() async {
    while !isDone {
      await Waiter.wait { inbox.wait($0) }
      process(inbox.take())
    }
    process(inbox.closeForGood())
    context.loop.stop()
    for closer in closers { closer.resume() }
  }

  private var isDone: Bool {
    connectivity.isShutdown && connection == nil && leaving.isEmpty && attempt == nil
  }

  private func process(_ content: Inbox.Content) {
    let now = ContinuousClock.now
    for request in content.calls { accept(Call(request), now: now) }
    dispatch()
    for id in content.cancellations {
      if let call = calls[id] { cancel(call, now: now) }
    }
    if !content.closers.isEmpty {
      closers += content.closers
      shutDown()
    }
    if content.isAbandoned {
      shutDown()
      abort()
    }
  }
}

// MARK: Calls

extension Dispatcher {
  private func accept(_ call: Call, now: ContinuousClock.Instant) {
    let request = call.request
    if let deadline = request.deadline, deadline <= now {
      finish(call, .local(.deadlineExceeded, "the deadline passed before the call was made"))
      return
    }
    switch connectivity.callArrived(waitForReady: request.waitForReady, now: now) {
    case .fail(let error):
      finish(call, error)
    case .queue(let mustConnect):
      calls[request.id] = call
      queue.append(call)
      if let deadline = request.deadline {
        call.timer = context.loop.schedule(at: deadline) { self.expire(call) }
      }
      if mustConnect { connect() }
    }
  }

  /// Has a call that a connection gave back wait for another, before all others.
  private func replace(_ call: Call) {
    switch connectivity.callArrived(waitForReady: true, now: .now) {
    case .fail(let error):
      finish(call, error)
    case .queue(let mustConnect):
      queue.prepend(call)
      if mustConnect { connect() }
      dispatch()
    }
  }

  /// Gives waiting calls to the connection as long as it takes them.
  private func dispatch() {
    while let connection, connection.hasCapacity, let call = queue.popFirst() {
      connection.start(call)
    }
  }

  private func cancel(_ call: Call, now: ContinuousClock.Instant) {
    if let place = call.place {
      place.connection.cancel(call, now: now)
    } else {
      end(call, call.withMachine { $0.cancel(now: now) })
    }
  }

  private func expire(_ call: Call) {
    if let place = call.place {
      place.connection.expire(call)
    } else {
      finish(queued: call, expiredInQueue)
    }
  }

  /// Ends a call that is in the queue.
  private func end(_ call: Call, _ action: CallStateMachine.Action) {
    guard case .finish(.failure(let error), _) = action else { return }
    finish(queued: call, error)
  }

  private func finish(queued call: Call, _ error: CallError) {
    finish(call, error)
    queue.callEnded()
  }

  private func finish(_ call: Call, _ error: CallError) {
    calls[call.request.id] = nil
    context.trace(call: call.request.id, .finished(error.code))
    call.finish(.failure(error))
  }

  /// Says what the call was waiting for.
  private var expiredInQueue: CallError {
    let peer = context.target.description
    let error = CallError.local(.deadlineExceeded, "the deadline passed while ")
    guard connection == nil else {
      return error.adding("\(peer) allowed no further stream")
    }
    let detail =
      attempt?.progress ?? (resolution == nil ? lastFailure?.detail : nil)
      ?? "its name was being resolved"
    var expired = error.adding("connecting to \(peer): \(detail)")
    expired.connectionFailure = ConnectionFailure(reason: .timedOut, peer: peer, detail: detail)
    return expired
  }
}

// MARK: Connections

extension Dispatcher {
  private func connect() {
    let deadline = ContinuousClock.now + context.connectTimeout
    switch context.target.endpoint {
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
    // On the loop, so that the answer takes no way over another thread.
    let task = Task(executorPreference: context.loop.taskExecutor) {
      do throws(ResolverError) {
        let addresses = try await Resolver.resolve(host: host, port: port)
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
    let peer = context.target.description
    switch result {
    case .success(let addresses):
      context.trace(.resolved(host: host, addresses: addresses.map(\.description)))
      connect(to: addresses, deadline: deadline)
    case .failure(let error) where error.kind == .cancelled:
      let detail = "the name \(host) was not resolved within \(context.connectTimeout)"
      connectionFailed(ConnectionFailure(reason: .timedOut, peer: peer, detail: detail))
    case .failure(let error):
      connectionFailed(ConnectionFailure(resolving: error, at: peer))
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
    self.connection = connection
    connectivity.connectionReady()
    dispatch()
  }

  private func connectionFailed(_ failure: ConnectionFailure) {
    lastFailure = failure
    let error = CallError(failure)
    let retry = connectivity.connectionFailed(error, now: .now, random: .random(in: 0..<1))
    for call in queue.remove(where: { !$0.request.waitForReady || retry == nil }) {
      finish(call, error)
    }
    guard let retry else { return }
    context.loop.schedule(at: retry) {
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
      calls[call.request.id] = nil
    case .callDisplaced(let call):
      replace(call)
    case .leaving:
      leaving.append(connection)
      retire(connection)
    case .closed:
      leaving.removeAll { $0 === connection }
      retire(connection)
      if isDone { inbox.nudge() }
    case .connected, .ready:
      break
    }
  }

  /// No more calls for this connection; those that wait want another.
  private func retire(_ retired: Connection) {
    guard connection === retired else { return }
    connection = nil
    let callsWait = !queue.isEmpty
    switch connectivity.connectionGone(
      callsWait: callsWait, wasUseful: retired.hasAnswered, now: .now)
    {
    case .none: break
    case .connect: connect()
    case .fail:
      connectionFailed(
        context.failure(
          .closed, at: retired.address, "the server goes away without answering any call"))
    }
  }
}

// MARK: The end

extension Dispatcher {
  private func shutDown() {
    connectivity.shutDown()
    attempt?.cancel()
    attempt = nil
    resolution?.task.cancel()
    for call in queue.remove(where: { _ in true }) {
      finish(call, ConnectivityStateMachine.closed)
    }
    connection?.leave()
  }

  private func abort() {
    for connection in leaving { connection.abort(ConnectivityStateMachine.closed) }
  }
}
