import WireHTTP2

/// Actions that wait until everything before them is sent.
extension ServerCalls {
  /// Performs the control actions that are due, or some of them if there are many. Call it when nothing
  /// is left to send.
  ///
  /// Also resets streams that were answered early: the client need not continue their requests (gRPC
  /// PROTOCOL-HTTP2, Errors).
  ///
  /// - Returns: false if there was nothing to do.
  mutating func performControlActions(now: ContinuousClock.Instant) -> Bool {
    if answeredEarly.isEmpty, controlActions.isEmpty { return false }
    let streams = answeredEarly
    answeredEarly = []
    for stream in streams { session.reset(stream, errorCode: .noError) }
    var next: [(StreamID, ControlAction)] = []
    var size = 0
    controlActions.removeAll { stream, action in
      guard size < Self.bodyLowWater, session.unsentBytes(stream) == 0 else { return false }
      next.append((stream, action))
      size += action.size
      return true
    }
    for (stream, action) in next { perform(action, on: stream, now) }
    return !streams.isEmpty || !next.isEmpty
  }

  private mutating func perform(
    _ action: ControlAction, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    switch action {
    case .reset(let code): session.reset(stream, errorCode: code)
    case .goAway(let last, let code, let debug):
      session.goAway(errorCode: code, debugData: debug, lastStream: last)
    case .ping: session.ping(Self.pingNumber)
    case .frame(let frame): frames += frame.bytes(on: stream)
    case .close: closesConnection = true
    }
    guard let call = calls[stream] else { return }
    call.isFlushing = false
    respond(to: call, on: stream, now)
  }

  /// Moves raw frames into `output`. They go before everything that the session sends.
  mutating func takeFrames(into output: inout [UInt8]) {
    output += frames
    frames = []
  }

  /// Differs from the numbers of the connection's own PINGs.
  private static let pingNumber: UInt64 = 2
}

extension ControlAction {
  /// The approximate number of bytes to send.
  fileprivate var size: Int {
    if case .frame(let frame) = self { 512 + frame.payload.count } else { 512 }
  }
}
