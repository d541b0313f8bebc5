import WireHTTP2

/// What waits until all said before it is sent.
extension ServerCalls {
  /// To be called when nothing is left to be sent now. Resets what was answered early: the client
  /// need not go on (gRPC PROTOCOL-HTTP2, Errors). Gives the signals whose turn it is, or some of them if
  /// they are many. False when there was none of both.
  mutating func letGo(now: ContinuousClock.Instant) -> Bool {
    let streams = early
    early = []
    for stream in streams { session.reset(stream, errorCode: .noError) }
    var next: [(StreamID, Answer.Step.Signal)] = []
    var size = 0
    signals.removeAll { stream, signal in
      guard size < Self.bodyLowWater, session.unsentBytes(stream) == 0 else { return false }
      next.append((stream, signal))
      size += signal.size
      return true
    }
    for (stream, signal) in next { give(signal, on: stream, now) }
    return !streams.isEmpty || !next.isEmpty
  }

  private mutating func give(
    _ signal: Answer.Step.Signal, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    switch signal {
    case .reset(let code): session.reset(stream, errorCode: code)
    case .goAway(let last, let code, let debug):
      session.goAway(errorCode: code, debugData: debug, lastStream: last)
    case .ping: session.ping(Self.pingNumber)
    case .frame(let frame): frames += frame.bytes(on: stream)
    case .close: hangsUp = true
    }
    guard let call = calls[stream] else { return }
    call.isFlushing = false
    play(call, on: stream, now)
  }

  /// Gives away the frames that go out before all that the session has to say.
  mutating func takeFrames(into output: inout [UInt8]) {
    output += frames
    frames = []
  }

  /// Not those of the connection.
  private static let pingNumber: UInt64 = 2
}

extension Answer.Step.Signal {
  /// About how many bytes it takes to give it.
  fileprivate var size: Int {
    if case .frame(let frame) = self { 512 + frame.payload.count } else { 512 }
  }
}
