import WireGRPC
import WireHTTP2
import WireIO

// Carries out the actions of the state machines.

extension Connection {
  func perform(_ action: ConnectionStateMachine.Action) {
    switch action {
    case .none:
      break
    case .startHTTP2:
      scheduleFlush()
    case .becomeReady:
      timers.connect?.cancel()
      timers.connect = nil
      context.trace(
        .ready(
          address: address.description, maxConcurrentStreams: session.maxConcurrentStreams))
      context.metrics?(
        .connectionOpened(address: address.description, after: ContinuousClock.now - started))
      watchIdleness()
      handler(self, .ready)
    case .takeCalls:
      pendingEvents.hasRoom = true
    case .leave:
      handler(self, .draining)
    case .close:
      close("the connection is no longer needed")
    case .timeOut(let phase):
      let failure = ConnectionFailure(
        timedOutIn: phase, at: context.peer(address), context.proxy,
        limit: context.connectTimeout, hasReceivedBytes: hasReceivedBytes)
      finish(calls: CallError(failure), failure)
    }
  }

  func perform(_ action: CallStateMachine.Action, on call: Call, _ id: StreamID) {
    switch action {
    case .wait:
      break
    case .limit(let time):
      context.loop.schedule(at: .now + time) { [weak self] in
        if let self, call.isAt(self, id) { expire(call) }
      }
    case .begin(let headers):
      call.begin(headers)
    case .succeed(let trailers):
      streams.answered(id)
      context.trace(call: call.request, .finished(.ok))
      call.succeed(trailers)
      handler(self, .callEnded(call))
    case .fail(let error, let reset):
      if let reset {
        session.reset(id, errorCode: reset)
      } else {
        streams.answered(id)
      }
      fail(call, error)
    case .retryTransparently(let reason, let isRefused):
      retryTransparently(call, reason, hadNoRoom: isRefused && makeRoom(refused: id))
    }
  }

  private func retryTransparently(_ call: Call, _ reason: String, hadNoRoom: Bool) {
    let reason = goAwayReason.map { "\(reason) (\($0))" } ?? reason
    let error = context.located(.transport(.unavailable, reason), at: address)
    if let error = call.retryTransparently(error, hadNoRoom: hadNoRoom) {
      fail(call, error)
    } else {
      context.trace(call: call.request, .transparentRetry(reason: reason))
      pendingEvents.unprocessed.append(call)
    }
  }

  /// Reports the results of a batch of events together.
  func reportNotices() {
    if !pendingEvents.unprocessed.isEmpty {
      // nghttp2 closes the streams beyond a GOAWAY in no order.
      let calls = pendingEvents.unprocessed.sorted { $0.request.id < $1.request.id }
      pendingEvents.unprocessed = []
      handler(self, .callsUnprocessed(calls))
    }
    if pendingEvents.hasRoom {
      pendingEvents.hasRoom = false
      handler(self, .hasRoom)
    }
  }
}
