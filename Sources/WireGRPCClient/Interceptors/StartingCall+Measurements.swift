import WireGRPC
import WireSystem

extension StartingCall {
  /// Measures the call from its events, for ``ChannelMetric``.
  mutating func measure(
    since start: ContinuousClock.Instant, report: @escaping @Sendable (ChannelMetric) -> Void
  ) {
    report(.callStarted(path: path, kind: kind))
    let measures = Locked(
      CallMeasurements(
        path: path, kind: kind, code: .ok, duration: .zero, attempts: 0,
        messagesSent: 0, bytesSent: 0, messagesReceived: 0, bytesReceived: 0))
    observe { event in
      let metric = measures.withLock { $0.record(event, since: start) }
      if let metric { report(metric) }
    }
  }
}

extension CallMeasurements {
  /// Counts an event. Returns the metric to report, if there is one.
  fileprivate mutating func record(
    _ event: CallEvent, since start: ContinuousClock.Instant
  ) -> ChannelMetric? {
    switch event {
    case .start, .requestEnd, .responseHeaders:
      return nil
    case .attempt(let number, _):
      attempts = number
    case .attemptFailed(let failure):
      return .callRetried(path: path, failure: failure)
    case .requestMessage(let message):
      messagesSent += 1
      bytesSent += message.wireSize
    case .responseMessage(let message):
      messagesReceived += 1
      bytesReceived += message.wireSize
    case .end(let result):
      duration = ContinuousClock.now - start
      if case .failure(let error) = result { code = error.code }
      if attempts == 0 { (messagesSent, bytesSent) = (0, 0) }
      return .callEnded(self)
    }
    return nil
  }
}
