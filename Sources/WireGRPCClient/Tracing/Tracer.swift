import WireGRPC
import WireHTTP2

/// Hands steps to the trace hook, and costs nothing without one.
struct Tracer {
  private let sink: TraceSink?

  /// - Parameter redactor: knows the credentials that no step shows.
  init(_ body: (@Sendable (TraceEvent) -> Void)?, _ redactor: CredentialRedactor?) {
    sink = body.map { TraceSink(body: $0, redactor: redactor) }
  }

  var isOn: Bool { sink != nil }

  func callAsFunction(call: CallRequest? = nil, _ step: @autoclosure () -> TraceEvent.Step) {
    if isOn { tell(call, step()) }
  }

  /// Apart, so that nothing is set up where there is no hook.
  @inline(never)
  private func tell(_ call: CallRequest?, _ step: TraceEvent.Step) {
    guard let sink else { return }
    let shown = step.redacted(sink.redactor?.credentials ?? [])
    sink.body(TraceEvent(time: .now, call: call?.id, path: call?.path, step: shown))
  }

  /// The fields as they may be shown: no secret goes further than here.
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
  let redactor: CredentialRedactor?

  init(body: @escaping @Sendable (TraceEvent) -> Void, redactor: CredentialRedactor?) {
    self.body = body
    self.redactor = redactor
  }
}

extension TraceEvent.Step {
  /// With asterisks where it repeats these.
  fileprivate func redacted(_ credentials: [Credential]) -> TraceEvent.Step {
    guard !credentials.isEmpty else { return self }
    switch self {
    case .connectFailed(let address, let reason):
      return .connectFailed(address: address, reason: credentials.redacted(reason))
    case .tls(let version, let cipher, let alpn, let peer, let isResumed):
      return .tls(
        version: version, cipher: cipher, alpn: alpn, peer: credentials.redacted(peer),
        isResumed: isResumed)
    case .requestHeaders(let headers):
      return .requestHeaders(headers.map { $0.redacted(credentials) })
    case .informational(let headers):
      return .informational(headers.map { $0.redacted(credentials) })
    case .responseHeaders(let headers):
      return .responseHeaders(headers.map { $0.redacted(credentials) })
    case .trailers(let headers): return .trailers(headers.map { $0.redacted(credentials) })
    case .goAway(let stream, let code, let data):
      return .goAway(lastStreamID: stream, errorCode: code, debugData: credentials.redacted(data))
    case .transparentRetry(let reason):
      return .transparentRetry(reason: credentials.redacted(reason))
    case .retry(let attempt, var failure):
      failure.message = credentials.redacted(failure.message)
      return .retry(attempt: attempt, failure: failure)
    case .closed(let reason): return .closed(reason: credentials.redacted(reason))
    default: return self
    }
  }
}

extension TraceEvent.Header {
  fileprivate func redacted(_ credentials: [Credential]) -> TraceEvent.Header {
    var header = TraceEvent.Header(
      name: credentials.redacted(name), value: credentials.redacted(value))
    if name == "grpc-message" {
      // As a peer may encode any of it.
      let said = StatusMessage.decode(value)
      let shown = credentials.redacted(said)
      if shown != said { header.value = shown }
    } else if name.hasSuffix("-bin"), let bytes = Base64.decode(value) {
      var redacted = bytes
      credentials.redact(&redacted)
      if redacted != bytes { header.value = Base64.encode(redacted) }
    }
    return header
  }
}
