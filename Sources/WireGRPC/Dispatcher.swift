import WireIO

/// The channel's side that lives on the loop: takes calls out of the inbox, keeps those that wait,
/// makes connections and gives each call to one.
///
/// The loop is this actor's executor, so the sockets, nghttp2 and OpenSSL below it, none of which
/// may be shared between threads, are reached without locks.
actor Dispatcher {
  let context: ConnectionContext
  let inbox: Inbox
  private let deliveries: Deliveries
  var connectivity: ConnectivityStateMachine
  var queue = CallQueue()
  /// Calls that are not over, by id: for those that cancel.
  var calls: [UInt64: Call] = [:]
  /// Where calls are sent: to the first that has room, so that what the last were opened for passes
  /// and they become idle.
  var connections: [Connection] = []
  /// Those that only wait for their last calls.
  var leaving: [Connection] = []
  /// At most one at a time.
  var attempt: ConnectAttempt?
  var resolution: (task: Task<Void, Never>, timer: LoopTimer)?
  /// Why the last attempt to connect failed.
  var lastFailure: ConnectionFailure?
  /// Runs from a failure to the next attempt.
  var backoffTimer: LoopTimer?
  /// How connections that become ready are watched.
  var keepalive: Keepalive?
  var growth: ConnectionGrowth
  var growthTimer: LoopTimer?
  private var closers: [Waiter<Void>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.loop.asUnownedSerialExecutor()
  }

  init(context: ConnectionContext, inbox: Inbox, failsFast: Bool, maxConnections: Int) {
    self.context = context
    self.inbox = inbox
    keepalive = context.keepalive
    deliveries = Deliveries(on: context.loop)
    connectivity = ConnectivityStateMachine(failsFast: failsFast)
    growth = ConnectionGrowth(limit: maxConnections)
  }

  /// Serves the inbox until the channel is closed or dropped; then ends the loop if that is its own.
  func run() async {
    while !isDone {
      await Waiter.wait { inbox.wait($0) }
      process(inbox.take())
    }
    process(inbox.closeForGood())
    if context.ownsLoop { context.loop.stop() }
    for closer in closers { closer.resume() }
  }

  var isDone: Bool {
    connectivity.isShutdown && connections.isEmpty && leaving.isEmpty && attempt == nil
  }

  private func process(_ content: Inbox.Content) {
    let now = ContinuousClock.now
    for request in content.calls { accept(Call(request, deliveries: deliveries), now: now) }
    dispatch()
    for id in content.stirred {
      if let call = calls[id], let place = call.place { place.connection.serve(call) }
    }
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

  /// Has calls that a connection gave back wait for another, before all others.
  func replace(_ displaced: [Call]) {
    var waiting: [Call] = []
    var mustConnect = false
    for call in displaced {
      switch connectivity.callArrived(waitForReady: call.request.waitForReady, now: .now) {
      case .fail(let error):
        finish(call, error)
      case .queue(let connect):
        waiting.append(call)
        mustConnect = mustConnect || connect
      }
    }
    queue.prepend(waiting)
    if mustConnect { connect() }
    dispatch()
  }

  /// Gives waiting calls to connections as long as these take them.
  func dispatch() {
    while !queue.isEmpty, let connection = connections.first(where: \.hasCapacity),
      let call = queue.popFirst()
    {
      connection.start(call)
    }
    if !queue.isEmpty {
      considerGrowth()
    } else if growthTimer != nil {
      growth.callsAreServed()
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

  func finish(_ call: Call, _ error: CallError) {
    calls[call.request.id] = nil
    context.trace(call: call.request.id, .finished(error.code))
    call.finish(.failure(error))
  }

  /// Says what the call was waiting for.
  private var expiredInQueue: CallError {
    let peer = context.target.description
    let error = CallError.local(.deadlineExceeded, "the deadline passed while ")
    guard connections.isEmpty else {
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

// MARK: The end

extension Dispatcher {
  private func shutDown() {
    connectivity.shutDown()
    attempt?.cancel()
    attempt = nil
    resolution?.task.cancel()
    for timer in [resolution?.timer, backoffTimer, growthTimer] { timer?.cancel() }
    for call in queue.remove(where: { _ in true }) {
      finish(call, ConnectivityStateMachine.closed)
    }
    for connection in connections { connection.leave() }
  }

  private func abort() {
    for connection in leaving { connection.abort(ConnectivityStateMachine.closed) }
  }
}
