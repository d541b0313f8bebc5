import WireGRPC
import WireHTTP2
import WireIO

/// The channel's side that lives on the loop: takes calls out of the submission queue, keeps those that
/// wait, makes connections and gives each call to one.
///
/// The loop is this actor's executor, so the sockets, nghttp2 and OpenSSL below it, none of which
/// may be shared between threads, are reached without locks.
actor Dispatcher {
  let context: ConnectionContext
  let submissions: SubmissionQueue
  private let completions: CompletionBatch
  private let failsFast: Bool
  private var throttle: RetryThrottle
  private let throttles: Bool
  var connectivity: ConnectivityStateMachine
  var queue = CallQueue()
  /// Calls that are not over, by id: for those that cancel.
  var calls: [UInt64: Call] = [:]
  /// Where calls are sent: to the first that has room, so that what the last were opened for passes
  /// and they become idle.
  var connections: [Connection] = []
  /// Those that only wait for their last calls.
  var draining: [Connection] = []
  /// At most one at a time.
  var attempt: ConnectAttempt?
  var resolution: (task: Task<Void, Never>, timer: LoopTimer)?
  /// What the name stood for when it was last resolved.
  var lastAddresses: [SocketAddress] = []
  /// Why the last attempt to connect failed.
  var lastFailure: ConnectionFailure?
  /// Runs from a failure to the next attempt.
  var backoffTimer: LoopTimer?
  /// How connections that become ready are watched.
  var keepalive: Keepalive?
  var growth: ConnectionGrowth
  var growthTimer: LoopTimer?
  private var closers: [Waiter<Void>] = []
  private var graceEnd: ContinuousClock.Instant?
  private var graceTimer: LoopTimer?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.loop.asUnownedSerialExecutor()
  }

  init(
    context: ConnectionContext, submissions: SubmissionQueue, failsFast: Bool,
    throttling: RetryThrottling?,
    maxConnections: Int
  ) {
    self.context = context
    self.submissions = submissions
    self.failsFast = failsFast
    throttle = RetryThrottle(throttling)
    throttles = throttling != nil
    keepalive = context.keepalive
    completions = CompletionBatch(on: context.loop)
    connectivity = ConnectivityStateMachine(failsFast: failsFast)
    growth = ConnectionGrowth(limit: maxConnections)
  }

  /// Serves the submission queue until the channel is closed or dropped; then ends the loop if that is
  /// its own.
  func run() async {
    while !isDone {
      await Waiter.wait { submissions.wait($0) }
      process(submissions.take())
    }
    process(submissions.closeForGood())
    graceTimer?.cancel()
    if context.ownsLoop { context.loop.stop() }
    for closer in closers { closer.resume() }
  }

  var isDone: Bool {
    connectivity.isShutdown && connections.isEmpty && draining.isEmpty && attempt == nil
  }

  private func process(_ content: SubmissionQueue.Content) {
    let now = ContinuousClock.now
    for request in content.calls { accept(request, now: now) }
    dispatch()
    for id in content.activeStreams {
      if let call = calls[id], let place = call.place {
        place.connection.serve(call)
      }
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
  private func accept(_ request: CallRequest, now: ContinuousClock.Instant) {
    let call = Call(
      request, retryPolicy: context.allowsRetries ? request.retryPolicy : nil,
      completions: completions)
    if call.isObserved { call.tellStart() }
    if let deadline = request.deadline, deadline <= now {
      finish(call, .local(.deadlineExceeded, "the deadline passed before the call started"))
      return
    }
    calls[request.id] = call
    if let deadline = request.deadline {
      call.timer = context.loop.schedule(at: deadline) { self.expire(call) }
    }
    enqueue(call, now: now)
  }

  /// Has a call wait for a stream, in the order in which they come.
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
  func requeue(_ calls: [Call]) {
    var waiting: [Call] = []
    var mustConnect = false
    for call in calls {
      switch connectivity.callArrived(waitForReady: call.request.waitForReady, now: .now) {
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

  /// Gives waiting calls to connections as long as these take them.
  func dispatch() {
    if !queue.isEmpty {
      let now = ContinuousClock.now
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

  /// Ends a call of which an attempt failed, unless there is to be another.
  func attemptFailed(_ call: Call, _ error: CallError) {
    let isFinal = failsFast && !context.retriesConnecting && error.connectionFailure != nil
    if isFinal || connectivity.isShutdown {
      finish(call, error)
      return
    }
    switch call.attemptFailed(error, throttle: &throttle) {
    case .end(let reason):
      if let reason { context.trace(call: call.request, .notRetried(reason: reason)) }
      finish(call, error)
    case .retry(let delay):
      if let failure = call.earlierAttempts.last {
        context.trace(
          call: call.request, .retry(attempt: call.earlierAttempts.count, failure: failure))
      }
      call.pause(
        context.loop.schedule(at: .now + delay) {
          call.resume()
          self.enqueue(call, now: .now)
          self.dispatch()
        })
    }
  }

  func callSucceeded(_ call: Call) {
    calls[call.request.id] = nil
    if throttles { throttle.callSucceeded() }
  }

  private func cancel(_ call: Call, now: ContinuousClock.Instant) {
    if let place = call.place {
      place.connection.cancel(call, now: now)
    } else if case .fail(let error, _) = call.withMachine({ $0.cancel(now: now) }) {
      finish(waiting: call, error)
    }
  }

  private func expire(_ call: Call) {
    if let place = call.place {
      place.connection.expire(call)
    } else {
      finish(waiting: call, call.isPausing ? expiredInPause(call) : expiredInQueue)
    }
  }

  /// Ends a call that is nowhere yet, or nowhere any more.
  private func finish(waiting call: Call, _ error: CallError) {
    let isQueued = !call.isPausing
    finish(call, error)
    if isQueued { queue.callEnded() }
  }

  func finish(_ call: Call, _ error: CallError) {
    calls[call.request.id] = nil
    context.trace(call: call.request, .finished(error.code))
    call.fail(error)
  }

  private func expiredInPause(_ call: Call) -> CallError {
    let error = CallError.local(.deadlineExceeded, "the deadline passed before another attempt")
    return call.earlierAttempts.last.map { error.adding("; the last failed: \($0)") } ?? error
  }

  /// Says what the call was waiting for.
  private var expiredInQueue: CallError {
    let peer = context.peer()
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
    let pausing = calls.values.filter(\.isPausing)
    for call in queue.remove(where: { _ in true }) + pausing {
      finish(call, ConnectivityStateMachine.closed)
    }
    for connection in connections { connection.leave() }
  }

  /// Has the calls cancelled that are there still when the grace ends.
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
