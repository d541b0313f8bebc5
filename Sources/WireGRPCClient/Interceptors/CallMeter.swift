import WireGRPC
import WireSystem

/// Measures a call from its events, for ``ChannelMetric``.
final class CallMeter: Sendable {
  private let start: ContinuousClock.Instant
  private let report: @Sendable (ChannelMetric) -> Void
  private let measures: Locked<CallMeasurements>

  static func observe(
    _ call: inout StartingCall, start: ContinuousClock.Instant,
    report: @escaping @Sendable (ChannelMetric) -> Void
  ) {
    let meter = CallMeter(call, start, report)
    report(.callStarted(path: call.path, kind: call.kind))
    call.observe { meter.record($0) }
  }

  private init(
    _ call: StartingCall, _ start: ContinuousClock.Instant,
    _ report: @escaping @Sendable (ChannelMetric) -> Void
  ) {
    self.start = start
    self.report = report
    measures = Locked(
      CallMeasurements(
        path: call.path, kind: call.kind, code: .ok, duration: .zero, attempts: 0,
        messagesSent: 0, bytesSent: 0, messagesReceived: 0, bytesReceived: 0))
  }

  private func record(_ event: CallEvent) {
    let metric = measures.withLock { measures -> ChannelMetric? in
      switch event {
      case .start, .requestEnd, .responseHeaders:
        return nil
      case .attempt(let number, _):
        measures.attempts = number
      case .attemptFailed(let failure):
        return .callRetried(path: measures.path, failure: failure)
      case .requestMessage(let message):
        measures.messagesSent += 1
        measures.bytesSent += message.wireSize
      case .responseMessage(let message):
        measures.messagesReceived += 1
        measures.bytesReceived += message.wireSize
      case .end(let result):
        measures.duration = ContinuousClock.now - start
        if case .failure(let error) = result { measures.code = error.code }
        if measures.attempts == 0 { (measures.messagesSent, measures.bytesSent) = (0, 0) }
        return .callEnded(measures)
      }
      return nil
    }
    if let metric { report(metric) }
  }
}
