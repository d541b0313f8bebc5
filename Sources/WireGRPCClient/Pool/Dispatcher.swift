import WireGRPC
import WireHTTP2
import WireIO

/// The part of the channel that runs on the loop. It takes calls from the submission queue, keeps
/// those that wait, makes connections and assigns each call to one.
///
/// The loop is this actor's executor. The sockets, nghttp2 and OpenSSL objects below it must not be
/// shared between threads, and are used here without locks.
actor Dispatcher {
  let context: ConnectionContext
  let submissions: SubmissionQueue
  private let completions: CompletionBatch
  private let failsFast: Bool
  private var throttle: RetryThrottle
  private let throttles: Bool
  var connectivity: ConnectivityStateMachine
  var queue = CallQueue()
  /// The calls that are not over, by ID, for cancellation.
  var calls: [UInt64: Call] = [:]
  /// The connections that accept calls. A call goes to the first with capacity, so that additional
  /// connections become idle when the load falls.
  var connections: [Connection] = []
  /// The connections that wait for their last calls to end.
  var draining: [Connection] = []
  /// The current attempt to connect; at most one at a time.
  var attempt: ConnectAttempt?
  var resolution: (task: Task<Void, Never>, timer: LoopTimer)?
  /// The result of the last successful name resolution.
  var lastAddresses: [SocketAddress] = []
  /// The failure of the last attempt to connect.
  var lastFailure: ConnectionFailure?
  /// Runs from a failure to the next attempt.
  var backoffTimer: LoopTimer?
  /// The keepalive of connections that become ready.
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

  /// Serves the submission queue until the channel is closed or released. Then stops the loop if
  /// the channel owns it.
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
    if call.isObserved { call.reportStart() }
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

  /// Assigns waiting calls to connections with capacity.
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

  /// Ends a call whose attempt failed, or schedules its next attempt.
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
      finish(waiting: call, call.isPausing ? call.expiredInPause() : expiredInQueue)
    }
  }

  /// Ends a call that is on no connection.
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

  /// The error of a queued call whose deadline passed. It names what the call was waiting for.
  private var expiredInQueue: CallError {
    let peer = context.peer()
    let error = CallError.local(.deadlineExceeded, "the deadline passed while ")
    guard connections.isEmpty else {
      return error.adding("waiting for a free stream on \(peer)")
    }
    let detail =
      attempt?.progress ?? (resolution == nil ? lastFailure?.detail : nil)
      ?? "its name was being resolved"
    var expired = error.adding("connecting to \(peer): \(detail)")
    expired.connectionFailure = ConnectionFailure(timedOutAt: peer, context.proxy, detail)
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
