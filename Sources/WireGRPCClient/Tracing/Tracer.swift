import WireGRPC
import WireHTTP2
import WireSystem

/// Passes events to the trace hook. Costs nothing without one.
struct Tracer {
  private let sink: TraceSink?

  init(_ body: (@Sendable (TraceEvent) -> Void)?) {
    sink = body.map(TraceSink.init)
  }

  var isOn: Bool { sink != nil }

  /// Masks the credentials in `metadata` in all later events, also where a peer echoes them.
  func hide(secretsOf metadata: Metadata) {
    sink?.secrets.withLock { $0.learn(metadata) }
  }

  func callAsFunction(call: CallRequest? = nil, _ step: @autoclosure () -> TraceEvent.Step) {
    if isOn { report(call, step()) }
  }

  /// A separate function, so that callers without a hook set nothing up.
  @inline(never)
  private func report(_ call: CallRequest?, _ step: TraceEvent.Step) {
    guard let sink else { return }
    let secrets = sink.secrets.withLock { $0.recent }
    sink.body(
      TraceEvent(time: .now, call: call?.id, path: call?.path, step: step.without(secrets)))
  }

  /// Returns the fields with credentials redacted.
  static func headers(_ fields: [HeaderField]) -> [TraceEvent.Header] {
    fields.map { field in
      TraceEvent.Header(
        name: field.name,
        value: MetadataRules.shown(
          field.value, of: field.name, isSensitive: field.isSensitive))
    }
  }
}

private final class TraceSink: Sendable {
  let body: @Sendable (TraceEvent) -> Void
  let secrets = Locked(KnownSecrets(memory: 16))

  init(_ body: @escaping @Sendable (TraceEvent) -> Void) {
    self.body = body
  }
}

extension TraceEvent.Step {
  /// Returns the step with these credentials masked.
  fileprivate func without(_ secrets: [Secret]) -> TraceEvent.Step {
    guard !secrets.isEmpty else { return self }
    switch self {
    case .connectFailed(let address, let reason):
      return .connectFailed(address: address, reason: secrets.struck(reason))
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      return .tls(
        version: version, cipher: cipher, alpn: alpn, peer: secrets.struck(peer),
        isResumed: isResumed)
    case .requestHeaders(let headers): return .requestHeaders(headers.map { $0.without(secrets) })
    case .informational(let headers): return .informational(headers.map { $0.without(secrets) })
    case .responseHeaders(let headers): return .responseHeaders(headers.map { $0.without(secrets) })
    case .trailers(let headers): return .trailers(headers.map { $0.without(secrets) })
    case .goAway(let stream, let code, let data):
      return .goAway(lastStreamID: stream, errorCode: code, debugData: secrets.struck(data))
    case .transparentRetry(let reason): return .transparentRetry(reason: secrets.struck(reason))
    case .retry(let attempt, var failure):
      failure.message = secrets.struck(failure.message)
      return .retry(attempt: attempt, failure: failure)
    case .closed(let reason): return .closed(reason: secrets.struck(reason))
    default: return self
    }
  }
}

extension TraceEvent.Header {
  fileprivate func without(_ secrets: [Secret]) -> TraceEvent.Header {
    var header = TraceEvent.Header(name: secrets.struck(name), value: secrets.struck(value))
    if name == "grpc-message" {
      // The peer may have percent-encoded any part of it.
      let said = StatusMessage.decode(value)
      let shown = secrets.struck(said)
      if shown != said { header.value = shown }
    } else if name.hasSuffix("-bin"), let bytes = Base64.decode(value) {
      var struck = bytes
      secrets.strikeOut(of: &struck)
      if struck != bytes { header.value = Base64.encode(struck) }
    }
    return header
  }
}
